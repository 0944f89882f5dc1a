/* A session as the page holds it: loads the snapshot, listens to the socket, folds what it hears, and carries commands out. */

import { get, signInAddress } from "../api";
import { Outbox } from "../outbox";
import type { Command, Done, Entries, Frame, Note, Snapshot, Welcome, WireEntry } from "../protocol";
import { browserWorld, SessionSocket, type Listener, type Stream, type World } from "../socket";
import { EMPTY_STATE, stateAfter } from "./apply";
import { Crowd } from "./crowd.svelte";
import { liveAfter, liveWithout, NOTHING_LIVE } from "./live";
import { Messages } from "./messages.svelte";
import { readAfter, readBefore } from "./log";
import { EMPTY_TRANSCRIPT, transcriptAfter } from "./transcript";

export type Right = Welcome["rights"][number];

export class Conversation implements Listener {
  snapshot = $state.raw<Snapshot | null>(null);
  state = $state.raw(EMPTY_STATE);
  transcript = $state.raw(EMPTY_TRANSCRIPT);
  live = $state.raw(NOTHING_LIVE);
  stream = $state.raw<Stream>({ state: "connecting" });
  rights = $state.raw<ReadonlySet<Right>>(new Set());
  /** Seq before which more can be read; 0 when everything is here. */
  first = $state.raw(0);

  #entries: WireEntry[] = [];
  #notes: Note[] = [];
  #painting = 0;
  #filling: Promise<void> | null = null;
  #reading: Promise<void> | null = null;
  readonly crowd: Crowd;
  readonly messages = new Messages((command) => this.do(command));
  readonly #socket: SessionSocket;
  readonly #outbox: Outbox;

  constructor(
    readonly id: string,
    world: World = browserWorld(id),
  ) {
    this.crowd = new Crowd(id);
    this.#socket = new SessionSocket(this, world);
    this.#outbox = new Outbox((envelope) => this.#socket.send(envelope));
  }

  /** Load and go live. Rejects with an `ApiProblem` when the session cannot be read. */
  async open(): Promise<void> {
    await this.#load();
    this.#socket.open();
  }

  close(): void {
    this.#socket.close();
    cancelAnimationFrame(this.#painting);
  }

  async #load(): Promise<void> {
    const snapshot = await get<Snapshot>(`sessions/${this.id}/snapshot/`, { limit: 150 });
    this.snapshot = snapshot;
    this.state = snapshot.state;
    this.first = snapshot.first;
    this.rights = new Set(snapshot.rights);
    this.crowd.meet(snapshot.people);
    this.#entries = [...snapshot.entries];
    this.transcript = transcriptAfter(EMPTY_TRANSCRIPT, this.#entries);
    this.live = NOTHING_LIVE;
  }

  // --- what the socket asks and tells ---

  head(): number {
    return this.state.head;
  }

  busy(): boolean {
    return this.#outbox.waiting || this.state.run.state === "running" || this.state.run.state === "queued";
  }

  async verify(): Promise<number> {
    return (await readAfter(this.id, this.head(), 1)).head;
  }

  reload(): void {
    void this.#load().then(
      () => this.#socket.reconnect(),
      () => setTimeout(() => this.reload(), 2_000),
    );
  }

  changed(stream: Stream): void {
    this.stream = stream;
    if (stream.state !== "gone") return;
    this.#outbox.abandon();
    if (stream.reason === "signed_out") location.assign(signInAddress());
  }

  heard(frame: Frame): void {
    switch (frame.type) {
      case "welcome":
        return this.#welcomed(frame);
      case "entries":
        return this.#arrived(frame);
      case "notes":
        this.#notes.push(...frame.notes);
        this.#painting ||= requestAnimationFrame(() => this.#paint());
        return;
      case "present":
        this.crowd.present = frame.people;
        return this.crowd.meet(frame.people);
      case "done":
      case "refused":
        return this.#outbox.answered(frame, this.crowd.me);
      case "live":
      case "closed":
        return;
      default:
        frame satisfies never;
    }
  }

  connected(): void {
    this.#outbox.reconnected();
  }

  #welcomed({ me, rights }: Welcome): void {
    this.crowd.me = me;
    this.rights = new Set(rights);
    this.crowd.meet([me]);
  }

  /** Entries follow on what is held, or repeat some of it; where some are missing they are read from the log. */
  #arrived({ entries }: Pick<Entries, "entries">): void {
    const fresh = entries.filter((entry) => entry.seq > this.head());
    if (fresh[0] && fresh[0].seq > this.head() + 1) {
      this.#filling ??= this.#fill().finally(() => (this.#filling = null));
      return;
    }
    this.#keep(fresh);
  }

  async #fill(): Promise<void> {
    for (let more = true; more;) {
      const { results, head } = await readAfter(this.id, this.head()).catch(() => ({ results: [], head: 0 }));
      this.#arrived({ entries: results });
      more = results.length > 0 && this.head() < head;
    }
  }

  #keep(fresh: readonly WireEntry[]): void {
    if (!fresh.length) return;
    this.#paint();
    this.#entries.push(...fresh);
    this.state = fresh.reduce(stateAfter, this.state);
    this.transcript = transcriptAfter(this.transcript, fresh);
    this.live = liveWithout(this.live, fresh);
    this.messages.landed(fresh);
    if (fresh.some(({ fact }) => fact.type === "session.configured")) void this.#lookAgain();
    void this.crowd.meetNamed(fresh.map(({ by }) => by)).catch(() => undefined);
  }

  /** Another model: what the snapshot says about it holds no more. */
  async #lookAgain(): Promise<void> {
    this.snapshot = await get<Snapshot>(`sessions/${this.id}/snapshot/`, { limit: 1 }).catch(() => this.snapshot);
  }

  #paint(): void {
    cancelAnimationFrame(this.#painting);
    this.#painting = 0;
    const notes = this.#notes;
    this.#notes = [];
    if (notes.length) this.live = liveAfter(this.live, notes, this.transcript);
  }

  // --- what the page asks ---

  may(right: Right): boolean {
    return this.rights.has(right) && this.stream.state !== "gone";
  }

  /** Read the entries before the oldest one held. The transcript is folded anew, since their ends may be here already. */
  readOlder(): Promise<void> {
    if (!this.first) return Promise.resolve();
    this.#reading ??= this.#older().finally(() => (this.#reading = null));
    return this.#reading;
  }

  async #older(): Promise<void> {
    const older = await readBefore(this.id, this.first);
    const oldest = older[0]?.seq ?? 1;
    this.first = oldest > 1 ? oldest : 0;
    this.#entries = [...older, ...this.#entries];
    this.transcript = transcriptAfter(EMPTY_TRANSCRIPT, this.#entries);
  }

  do(command: Command): Promise<Done> {
    return this.#outbox.send(command);
  }
}
