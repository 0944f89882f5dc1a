/* One session's socket: connects from where the log is held, says honestly how it stands, and recovers by itself. It knows no facts. */

import type { Frame } from "./protocol";

export type Stream =
  | { state: "connecting" }
  | { state: "catching up"; done: number; of: number }
  | { state: "live" }
  | { state: "offline"; since: number }
  | { state: "gone"; reason: "forbidden" | "missing" | "signed_out" };

export interface Listener {
  /** The seq up to which the log is held here. */
  head(): number;
  heard(frame: Frame): void;
  /** A connection is up and has been welcomed: commands may go out. */
  connected(): void;
  changed(stream: Stream): void;
  /** The server's log is shorter than what is held here: load the session anew. */
  reload(): void;
  /** Whether frames are to be expected now, so that silence means something. */
  busy(): boolean;
  /** Ask the server by other means where the log ends. */
  verify(): Promise<number>;
}

/** The parts of the outside world a socket needs; tests bring their own. */
export interface World {
  connect(since: number): WebSocket;
  random(): number;
  now(): number;
}

export const FIRST_WAIT = 400;
export const LONGEST_WAIT = 15_000;
export const SILENCE = 30_000;
const OPENING = 10_000;

/** How long to wait before the attempt after `failures` failed ones: doubling, with a random half so that tabs do not march in step. */
export function wait(failures: number, random: number): number {
  const most = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(failures, 10));
  return Math.round(most / 2 + (most / 2) * random);
}

export class SessionSocket {
  #socket: WebSocket | null = null;
  #stream: Stream = { state: "connecting" };
  #failures = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #closed = false;
  #since = 0;
  #greeted = false;

  constructor(
    private readonly listener: Listener,
    private readonly world: World,
  ) {}

  open(): void {
    addEventListener("online", this.wake);
    document.addEventListener("visibilitychange", this.wake);
    this.#connect();
  }

  close(): void {
    this.#closed = true;
    removeEventListener("online", this.wake);
    document.removeEventListener("visibilitychange", this.wake);
    this.#drop();
  }

  /** Whether it went out. A false one is the caller's to keep. */
  send(message: unknown): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** The machine woke, the network came back or the tab is looked at again: do not wait for a timer. */
  readonly wake = (): void => {
    if (this.#closed || document.visibilityState === "hidden" || this.#stream.state === "gone") return;
    if (this.#socket?.readyState === WebSocket.OPEN) void this.#verify();
    else this.reconnect();
  };

  reconnect(): void {
    this.#drop();
    this.#connect();
  }

  #connect(): void {
    this.#since = this.listener.head();
    this.#greeted = false;
    const socket = this.world.connect(this.#since);
    this.#socket = socket;
    this.#retry = setTimeout(() => this.#lost(socket, 1006), OPENING);
    socket.onmessage = (event) => this.#heard(JSON.parse(String(event.data)) as Frame);
    socket.onclose = (event) => this.#lost(socket, event.code);
  }

  #drop(): void {
    clearTimeout(this.#retry);
    clearTimeout(this.#silence);
    const socket = this.#socket;
    this.#socket = null;
    if (!socket) return;
    socket.onmessage = socket.onclose = null;
    socket.close();
  }

  #heard(frame: Frame): void {
    this.#listen();
    const first = frame.type === "welcome" && !this.#greeted;
    if (first) this.#welcomed(frame.head);
    if (frame.type === "live") this.#say({ state: "live" });
    if (frame.type === "closed" && frame.reason !== "restart") this.#say({ state: "gone", reason: frame.reason });
    this.listener.heard(frame);
    if (first) this.listener.connected();
    if (frame.type === "entries" && this.#stream.state === "catching up")
      this.#say({ ...this.#stream, done: this.listener.head() - this.#since });
  }

  /** Only a connection's first welcome says where it starts; later ones say that rights have changed. */
  #welcomed(head: number): void {
    this.#greeted = true;
    clearTimeout(this.#retry);
    this.#failures = 0;
    this.#since = this.listener.head();
    if (head > this.#since) this.#say({ state: "catching up", done: 0, of: head - this.#since });
  }

  /** Browsers cannot ping. While frames are due, a long silence is checked by asking where the log ends. */
  #listen(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => {
      this.#listen();
      if (this.listener.busy()) void this.#verify();
    }, SILENCE);
  }

  async #verify(): Promise<void> {
    const asked = this.#socket;
    const head = await this.listener.verify().catch(() => Infinity);
    if (asked === this.#socket && head > this.listener.head() && !this.#closed) this.reconnect();
  }

  #lost(socket: WebSocket, code: number): void {
    if (socket !== this.#socket) return;
    this.#drop();
    if (this.#closed || this.#stream.state === "gone") return;
    const end = ENDS[code];
    if (end) return this.#say({ state: "gone", reason: end });
    if (code === RELOAD) return this.listener.reload();
    if (this.#stream.state !== "offline") this.#say({ state: "offline", since: this.world.now() });
    this.#retry = setTimeout(() => this.#connect(), wait(this.#failures++, this.world.random()));
  }

  #say(stream: Stream): void {
    this.#stream = stream;
    this.listener.changed(stream);
  }
}

const RELOAD = 4409;
const ENDS: Record<number, "forbidden" | "missing" | "signed_out"> = { 4401: "signed_out", 4403: "forbidden", 4404: "missing" };

/** The world as it is: this page's own host. */
export function browserWorld(session: string): World {
  return {
    connect: (since) => new WebSocket(`${location.origin.replace(/^http/, "ws")}/ws/sessions/${session}/?since=${since}`),
    random: Math.random,
    now: Date.now,
  };
}
