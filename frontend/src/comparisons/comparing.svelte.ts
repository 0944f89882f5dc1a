/* One comparison as its page holds it: its figures, both sessions live, and what each has changed. */

import { get, post } from "../api";
import { SessionChanges } from "../sessions/changes.svelte";
import { Conversation } from "../sessions/conversation.svelte";
import { isOver, SIDES, type Comparison, type SideName } from "./records";

/** One side as the page holds it. */
export class Held {
  readonly session: Conversation;
  readonly changes: SessionChanges;
  problem = $state<unknown>(null);

  constructor(id: string) {
    this.session = new Conversation(id);
    this.changes = new SessionChanges(id);
  }

  open(): void {
    this.problem = null;
    this.session.open().catch((error: unknown) => (this.problem = error));
  }
}

export class Comparing {
  found = $state.raw<Comparison | null>(null);
  problem = $state<unknown>(null);
  sides = $state.raw<Record<SideName, Held> | null>(null);
  #closed = false;

  constructor(private readonly id: string) {}

  get over(): boolean {
    return this.found !== null && SIDES.every((side) => isOver(this.found![side]));
  }

  /** Whether a worktree is still to be decided on. */
  get open(): boolean {
    return this.found !== null && SIDES.some((side) => this.found![side].worktree === "open");
  }

  async load(): Promise<void> {
    try {
      this.#take(await get<Comparison>(`comparisons/${this.id}/`));
      this.problem = null;
    } catch (error) {
      this.problem = error;
    }
  }

  #take(found: Comparison): void {
    this.found = found;
    if (this.sides || this.#closed) return;
    this.sides = { left: new Held(found.left.session), right: new Held(found.right.session) };
    for (const side of SIDES) this.sides[side].open();
  }

  close(): void {
    this.#closed = true;
    if (this.sides) for (const side of SIDES) this.sides[side].session.close();
  }

  /** Land what was shown of this side, and drop the other. Rejects with an `ApiProblem`. */
  async keep(side: SideName): Promise<void> {
    await this.#decide("keep/", { side, hash: this.sides?.[side].changes.found?.hash ?? "" });
  }

  async drop(reason: string): Promise<void> {
    await this.#decide("drop/", { reason });
  }

  async #decide(verb: string, body: object): Promise<void> {
    try {
      this.#take(await post<Comparison>(`comparisons/${this.id}/${verb}`, body));
    } catch (error) {
      void this.load(); // perhaps somebody else has decided, or something has changed
      throw error;
    }
  }
}
