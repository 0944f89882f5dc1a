/* What the page lists: items, with neighbouring read-only calls folded into one group, and what is live at the end. */

import type { SessionState } from "../protocol";
import type { CallItem, Item, UserItem } from "./items";
import { blankCall, callStage } from "./items";
import type { Growth, Live, LivePart } from "./live";
import type { Sending } from "./messages.svelte";
import { stretches } from "./stretches";
import { isTold } from "./told";
import type { Transcript } from "./transcript";

export interface GroupRow {
  kind: "group";
  key: string;
  calls: CallItem[];
}

export interface SendingRow {
  kind: "sending";
  key: string;
  message: Sending;
}

/** The agent is at work and has nothing to show for it yet. */
export interface WorkingRow {
  kind: "working";
  key: "working";
}

export type Row = Item | GroupRow | SendingRow | WorkingRow;

/** Tools that only look. Neighbouring calls of them read as one line: "Read 3 files, searched twice". */
export const LOOKING = new Set([
  "read",
  "read_file",
  "glob",
  "grep",
  "find",
  "ls",
  "search",
  "list_files",
  "search_files",
  "list_code_definition_names",
  "skill",
  "read_skill_file",
  "todoread",
  "todo_read",
  "read_todo_list",
  "memory_read",
  "plan_status",
  "agent_status",
  "lsp",
]);

const isQuiet = (item: Item): item is CallItem =>
  item.kind === "call" && LOOKING.has(item.tool) && callStage(item) === "done" && !item.approval;

/** A phase of which there is nothing to tell, as the next began at once. */
const isEmpty = (row: Row | undefined): boolean => row?.kind === "phase" && !row.again && !row.fact.detail && !row.fact.told;

/** Items with runs of two or more quiet calls put together; a row's key stays while its group grows. */
export function grouped(items: readonly Item[]): Row[] {
  const rows: Row[] = [];
  for (const item of items) {
    if (isTold(item)) continue;
    if (item.kind === "phase" && isEmpty(rows.at(-1))) rows.pop();
    const before = rows.at(-1);
    if (!isQuiet(item)) rows.push(item);
    else if (before?.kind === "group") before.calls.push(item);
    else if (before?.kind === "call" && isQuiet(before))
      rows[rows.length - 1] = { kind: "group", key: `group:${before.key}`, calls: [before, item] };
    else rows.push(item);
  }
  return rows;
}

/** The replies that are growing, as the items they will become. */
export function liveItems(live: Live): Item[] {
  return Object.entries(live.replies).flatMap(([reply_id, parts]) => replyItems(reply_id, parts));
}

const NOWHERE = { seq: 0, at: "", by: null, cut: [] };

function replyItems(reply_id: string, live: readonly LivePart[]): Item[] {
  const parts = live.map((part) =>
    part.kind === "call"
      ? { type: "call" as const, call_id: part.call_id, tool: part.tool, arguments: shown(part), extras: {} }
      : { type: part.kind, text: shown(part), signature: "", extras: {} },
  );
  return stretches(parts).map((piece) =>
    piece.call
      ? { ...blankCall(NOWHERE, piece.call.call_id), tool: piece.call.tool, written: piece.call.arguments }
      : { ...NOWHERE, kind: "agent", key: `reply:${reply_id}:${live[piece.at]?.part ?? 0}`, reply_id, parts: piece.words, reply: null },
  );
}

/** Growing text for the eye: an ellipsis stands for a beginning that was missed. */
export const shown = (growth: Growth): string => (growth.start > 0 ? `… ${growth.text}` : growth.text);

/** Messages the agent has not read yet: said while it worked, with no reply after them. */
export function queued(transcript: Transcript): UserItem[] {
  if (!transcript.open) return [];
  const spoken = transcript.items.findLastIndex((item) => item.kind === "agent" || (item.kind === "call" && item.written !== ""));
  return transcript.items.slice(spoken + 1).filter((item): item is UserItem => item.kind === "user" && item.during);
}

export const sendingRows = (messages: readonly Sending[]): SendingRow[] =>
  messages.map((message) => ({ kind: "sending", key: `message:${message.message_id}`, message }));

/** Everything a page lists, in order: what has happened, what is being said, and messages on their way. */
export function pageRows(session: {
  state: SessionState;
  transcript: Transcript;
  live: Live;
  messages: { sending: readonly Sending[] };
}): Row[] {
  const { state, transcript, live, messages } = session;
  const working: Row[] = isAtWork(state, transcript, live) ? [{ kind: "working", key: "working" }] : [];
  return [...grouped(transcript.items), ...liveItems(live), ...working, ...sendingRows(messages.sending)];
}

/** Whether the agent works without anything on the page that moves: no growing words, no running tool. */
export function isAtWork(state: SessionState, transcript: Transcript, live: Live): boolean {
  if (state.run.state !== "running" && state.run.state !== "queued") return false;
  if (Object.keys(live.replies).length) return false;
  const last = transcript.items.findLast((item) => item.kind === "call");
  return !last || callStage(last) !== "running";
}
