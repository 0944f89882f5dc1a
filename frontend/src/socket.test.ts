import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Outbox } from "./outbox";
import type { Frame, Person, WireEntry } from "./protocol";
import { LONGEST_WAIT, SessionSocket, SILENCE, wait, type Listener, type Stream, type World } from "./socket";

/** A socket whose other end is the test. */
class FakeSocket {
  readyState = 0;
  sent: string[] = [];
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  constructor(readonly since: number) {}
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.readyState = 3;
  }
  says(...frames: Frame[]): void {
    this.readyState = 1;
    for (const frame of frames) this.onmessage?.({ data: JSON.stringify(frame) });
  }
  drops(code = 1006): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }
}

const me: Person = { id: "alice", name: "Alice" };
const welcome = (head: number): Frame => ({ type: "welcome", me, rights: ["view"], head });
const live = (head: number): Frame => ({ type: "live", head });
const entries = (...seqs: number[]): Frame => ({
  type: "entries",
  entries: seqs.map((seq): WireEntry => {
    const fact = { type: "notice.given" as const, level: "info" as const, text: "" };
    return { seq, at: "2026-03-01T12:00:00Z", by: null, run_id: null, cut: [], fact };
  }),
});

class Scene implements Listener, World {
  sockets: FakeSocket[] = [];
  streams: Stream[] = [];
  held = 0;
  end = 0;
  reloads = 0;
  working = false;
  socket = new SessionSocket(this, this);

  get last(): FakeSocket {
    return this.sockets.at(-1)!;
  }
  connect(since: number): WebSocket {
    this.sockets.push(new FakeSocket(since));
    return this.last as unknown as WebSocket;
  }
  random = (): number => 1;
  now = (): number => 0;
  head = (): number => this.held;
  busy = (): boolean => this.working;
  verify = (): Promise<number> => Promise.resolve(this.end);
  connections = 0;
  connected = (): void => void this.connections++;
  reload = (): void => void this.reloads++;
  changed = (stream: Stream): void => void this.streams.push(stream);
  heard = (frame: Frame): void => {
    if (frame.type === "entries") this.held = frame.entries.at(-1)?.seq ?? this.held;
  };
}

let scene: Scene;
beforeEach(() => {
  vi.useFakeTimers();
  scene = new Scene();
  scene.socket.open();
});
afterEach(() => {
  scene.socket.close();
  vi.useRealTimers();
});

describe("the socket", () => {
  it("says how far it has caught up, and then that it is live", () => {
    scene.last.says(welcome(3), entries(1, 2), entries(3), live(3));
    expect(scene.streams).toEqual([
      { state: "catching up", done: 0, of: 3 },
      { state: "catching up", done: 2, of: 3 },
      { state: "catching up", done: 3, of: 3 },
      { state: "live" },
    ]);
  });

  it("takes a second welcome for news about rights, not for a new start", () => {
    scene.last.says(welcome(2), entries(1, 2), live(2), welcome(7));
    expect(scene.streams.at(-1)).toEqual({ state: "live" });
    expect(scene.connections).toBe(1);
  });

  it("comes back by itself, from where the log is held", () => {
    scene.last.says(welcome(2), entries(1, 2), live(2));
    scene.last.drops();
    expect(scene.streams.at(-1)).toEqual({ state: "offline", since: 0 });
    vi.advanceTimersByTime(wait(0, 1));
    expect(scene.sockets).toHaveLength(2);
    expect(scene.last.since).toBe(2);
    scene.last.says(welcome(2), live(2));
    expect(scene.streams.at(-1)).toEqual({ state: "live" });
  });

  it("waits longer after each failure, but not for ever, and never in step with others", () => {
    expect([0, 1, 2, 20].map((failures) => wait(failures, 1))).toEqual([400, 800, 1600, LONGEST_WAIT]);
    expect(wait(3, 0)).toBe(wait(3, 1) / 2);
  });

  it("does not wait when the network comes back", () => {
    for (let times = 0; times < 8; times++) {
      scene.last.drops();
      if (times < 7) vi.advanceTimersByTime(LONGEST_WAIT);
    }
    const before = scene.sockets.length;
    dispatchEvent(new Event("online"));
    expect(scene.sockets).toHaveLength(before + 1);
  });

  it("gives up on a connection that never says welcome", () => {
    vi.advanceTimersByTime(10_000);
    expect(scene.streams.at(-1)?.state).toBe("offline");
  });

  it("stays away where it is not wanted", () => {
    scene.last.drops(4403);
    vi.advanceTimersByTime(120_000);
    dispatchEvent(new Event("online"));
    expect(scene.streams).toEqual([{ state: "gone", reason: "forbidden" }]);
    expect(scene.sockets).toHaveLength(1);
  });

  it("asks for the session anew when the server's log is shorter than its own", () => {
    scene.last.drops(4409);
    expect([scene.reloads, scene.sockets.length]).toEqual([1, 1]);
  });

  it("mistrusts a long silence only while something is due, and only if the log went on", async () => {
    scene.last.says(welcome(0), live(0));
    scene.end = 5;
    await vi.advanceTimersByTimeAsync(SILENCE);
    expect(scene.sockets).toHaveLength(1);
    scene.working = true;
    await vi.advanceTimersByTimeAsync(SILENCE);
    expect(scene.sockets).toHaveLength(2);
  });
});

describe("the outbox", () => {
  const stop = { command: "stop_run" } as const;
  const problem = { kind: "conflict" as const, title: "Decided already", detail: "", by: me };

  it("keeps what cannot be sent and sends it when it can", async () => {
    let up = false;
    const sent: string[] = [];
    const outbox = new Outbox(({ id }) => up && sent.push(id) > 0);
    const done = outbox.send(stop);
    expect(outbox.waiting).toBe(true);
    up = true;
    outbox.reconnected();
    outbox.answered({ type: "done", id: sent[0]!, head: 4 }, me);
    await expect(done).resolves.toMatchObject({ head: 4 });
    expect(outbox.waiting).toBe(false);
  });

  it("takes a conflict with itself after a resend for done, and any other for what it is", async () => {
    const sent: string[] = [];
    const outbox = new Outbox(({ id }) => sent.push(id) > 0);
    const [mine, theirs] = [outbox.send(stop), outbox.send(stop)];
    outbox.reconnected();
    outbox.answered({ type: "refused", id: sent[0]!, problem }, me);
    outbox.answered({ type: "refused", id: sent[1]!, problem: { ...problem, by: { id: "bob", name: "Bob" } } }, me);
    await expect(mine).resolves.toMatchObject({ type: "done" });
    await expect(theirs).rejects.toMatchObject({ kind: "conflict", by: { name: "Bob" } });
  });

  it("does not say a remark twice", async () => {
    const sent: string[] = [];
    const outbox = new Outbox(({ id }) => sent.push(id) > 0);
    const remark = outbox.send({ command: "add_comment", text: "Hm", about: null });
    outbox.reconnected();
    expect(sent).toHaveLength(1);
    await expect(remark).rejects.toMatchObject({ kind: "unavailable" });
  });
});
