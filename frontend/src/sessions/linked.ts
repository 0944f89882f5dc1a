/* A link to one entry of a session's log, such as a memory gives of where it came from: `/sessions/<id>#seq-<n>`. */

import { tick } from "svelte";
import type { Row } from "./rows";

/** The entry that an address names, 0 where it names none. */
export function linkedSeq(hash: string): number {
  return Number(/^#seq-(\d{1,9})$/.exec(hash)?.[1] ?? 0);
}

/** Load the log back to that entry. */
export async function readBackTo(seq: number, session: { first: number; readOlder(): Promise<void> }): Promise<void> {
  while (session.first > seq) await session.readOlder();
  await tick();
}

/** Where that entry is told: the last row that begins at or before it. */
export function rowAt(rows: readonly Row[], seq: number): number {
  return rows.findLastIndex((row) => "seq" in row && row.seq <= seq);
}
