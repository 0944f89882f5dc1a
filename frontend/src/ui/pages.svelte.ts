/* A list that arrives page by page: its rows so far, what went wrong, and whether more can be had. */

import { get, type Listing, type Query } from "../api";

export class Pages<T> {
  rows = $state<T[]>([]);
  next = $state<string | null>(null);
  state = $state<"loading" | "more" | "ready" | "failed">("loading");
  problem = $state<unknown>(null);
  #fetched = 1;
  #asking: AbortController | null = null;

  constructor(private readonly path: string) {}

  /** Starts over with this query. The old rows stay on view until the new ones are here. */
  async load(query: Query = {}): Promise<void> {
    this.state = "loading";
    this.#fetched = 1;
    await this.#ask(
      (signal) => get<Listing<T>>(this.path, query, signal),
      (rows) => rows,
    );
  }

  /** Looks again without dimming anything; once more pages have been fetched it leaves the list alone. */
  async refresh(query: Query = {}): Promise<void> {
    if (this.state === "more" || this.#fetched > 1) return;
    await this.#ask(
      (signal) => get<Listing<T>>(this.path, query, signal),
      (rows) => rows,
    );
  }

  async more(): Promise<void> {
    const { next } = this;
    if (!next || this.state !== "ready") return;
    this.state = "more";
    this.#fetched += 1;
    await this.#ask(
      (signal) => get<Listing<T>>(next, {}, signal),
      (rows) => [...this.rows, ...rows],
    );
  }

  async #ask(ask: (signal: AbortSignal) => Promise<Listing<T>>, joined: (rows: T[]) => T[]): Promise<void> {
    this.#asking?.abort();
    const mine = (this.#asking = new AbortController());
    try {
      const listing = await ask(mine.signal);
      if (mine.signal.aborted) return;
      this.rows = joined(listing.results);
      this.next = listing.next;
      this.problem = null;
      this.state = "ready";
    } catch (error) {
      if (mine.signal.aborted) return;
      this.problem = error;
      this.state = "failed";
    }
  }
}
