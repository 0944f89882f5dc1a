/* Reading a session's log over HTTP: what is before, what is after, and one entry with nothing cut. */

import { get } from "../api";
import type { WireEntry } from "../protocol";

interface Page {
  results: WireEntry[];
  head: number;
}

const bySeq = (a: WireEntry, b: WireEntry): number => a.seq - b.seq;

export async function readAfter(session: string, since: number, limit = 500): Promise<Page> {
  const page = await get<Page>(`sessions/${session}/events/`, { since, limit });
  return { head: page.head, results: page.results.sort(bySeq) };
}

export async function readBefore(session: string, before: number, limit = 200): Promise<WireEntry[]> {
  const page = await get<Page>(`sessions/${session}/events/`, { before, limit });
  return page.results.sort(bySeq);
}

const whole = new Map<string, Promise<WireEntry>>();

/** The entry with all of its text; fetched once, and again after a failure. */
export function readWhole(session: string, seq: number): Promise<WireEntry> {
  const key = `${session}/${seq}`;
  const known = whole.get(key) ?? get<WireEntry>(`sessions/${session}/events/${seq}/`);
  whole.set(key, known);
  known.catch(() => whole.delete(key));
  return known;
}
