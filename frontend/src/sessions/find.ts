/* Finding words in what is loaded of a session. Only the rows in sight exist on the page, so the browser's own search would miss most. */

import type { CallItem, Item } from "./items";
import { callArgs } from "./items";
import type { Row } from "./rows";

/** A row that holds the words, and what must be unfolded for them to be seen. */
export interface Hit {
  key: string;
  unfold: readonly string[];
}

export function hitsIn(rows: readonly Row[], words: string): Hit[] {
  const wanted = words.trim().toLowerCase();
  return wanted ? rows.flatMap((row) => hitIn(row, wanted)) : [];
}

function hitIn(row: Row, wanted: string): Hit[] {
  if (row.kind === "working") return [];
  if (row.kind === "sending") return holds(row.message.text, wanted) ? [{ key: row.key, unfold: [] }] : [];
  if (row.kind === "group") {
    const calls = row.calls.filter((call) => holds(textOf(call), wanted));
    return calls.length ? [{ key: row.key, unfold: [row.key, ...calls.map(({ key }) => key)] }] : [];
  }
  return holds(textOf(row), wanted) ? [{ key: row.key, unfold: foldsOf(row, wanted) }] : [];
}

const holds = (text: string, wanted: string): boolean => text.toLowerCase().includes(wanted);

/** Kinds of item that show little of what they say until they are unfolded. */
const FOLDED: ReadonlySet<Item["kind"]> = new Set(["call", "compacted", "phase", "verdict", "refused"]);

function foldsOf(item: Item, wanted: string): string[] {
  if (FOLDED.has(item.kind)) return [item.key];
  if (item.kind !== "agent") return [];
  return item.parts.flatMap((part, at) => (part.type === "reasoning" && holds(part.text, wanted) ? [`${item.key}:${at}`] : []));
}

const known = new WeakMap<Item, string>();

/** Everything an item says, as far as it was sent. */
export function textOf(item: Item): string {
  const text = known.get(item) ?? read(item);
  known.set(item, text);
  return text;
}

function read(item: Item): string {
  switch (item.kind) {
    case "agent":
      return item.parts.map((part) => part.text).join("\n");
    case "call":
      return readCall(item);
    case "refused":
      return [item.fact.reason, item.text, item.fact.told].join("\n");
    default:
      return texts(item.fact).join("\n");
  }
}

function readCall(call: CallItem): string {
  const said = [call.approval, call.decided, call.question, call.answered, call.finished].flatMap((part) => texts(part?.fact));
  return [call.tool, ...texts(callArgs(call)), ...said].join("\n");
}

const MACHINERY = new Set([
  "type",
  "hash",
  "call_id",
  "run_id",
  "message_id",
  "comment_id",
  "approval_id",
  "question_id",
  "memory_id",
  "session_id",
  "agent_id",
]);

/** Every text inside a value, but for the names that only machines read. */
function texts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(texts);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inside]) => (MACHINERY.has(name) ? [] : texts(inside)));
}
