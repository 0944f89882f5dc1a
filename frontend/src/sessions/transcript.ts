/* The transcript as a fold of entries. `transcriptAfter` is pure: items that did not change keep their identity, so the page repaints only what did. */

import type { AgentFinished, AgentSpoke, Fact, WireEntry } from "../protocol";
import { unknownFact } from "./apply";
import { blankCall, type CallItem, type Dated, type Item } from "./items";
import { stretches, type Words } from "./stretches";
import { isFirstTitle, saidByCall } from "./told";
import { followWorkflow } from "./workflowItems";

export interface Transcript {
  items: readonly Item[];
  /** call_id → where its item stands in `items`. */
  calls: ReadonlyMap<string, number>;
  /** Replies that have landed, so that a late note about one is not shown. */
  replies: ReadonlySet<string>;
  /** Whether a run is open at the end of what is loaded. */
  open: boolean;
}

export const EMPTY_TRANSCRIPT: Transcript = { items: [], calls: new Map(), replies: new Set(), open: false };

interface Draft extends Transcript {
  items: Item[];
  calls: Map<string, number>;
  replies: Set<string>;
}

/** The transcript once these entries have happened, in order. */
export function transcriptAfter(before: Transcript, entries: readonly WireEntry[]): Transcript {
  const draft: Draft = { items: [...before.items], calls: new Map(before.calls), replies: new Set(before.replies), open: before.open };
  for (const entry of entries) add(draft, entry);
  return draft;
}

function add(draft: Draft, entry: WireEntry): void {
  const { fact } = entry;
  const placed = { key: String(entry.seq), ...dated(entry, fact) };
  switch (fact.type) {
    case "user.spoke":
      draft.items.push({ ...placed, kind: "user", key: `message:${fact.message_id}`, fact, during: draft.open });
      break;
    case "agent.spoke":
      reply(draft, entry, fact);
      break;
    case "tool.started":
      amend(draft, entry, fact, { tool: fact.tool, started: dated(entry, fact) });
      break;
    case "tool.finished":
      amend(draft, entry, fact, { tool: fact.tool, finished: dated(entry, fact) });
      break;
    case "approval.asked":
      amend(draft, entry, fact, { tool: fact.tool, approval: dated(entry, fact), decided: null, canceled: null });
      break;
    case "approval.decided":
      amend(draft, entry, fact, { decided: dated(entry, fact) });
      break;
    case "question.asked":
      amend(draft, entry, fact, { question: dated(entry, fact) });
      break;
    case "question.answered":
      amend(draft, entry, fact, { answered: dated(entry, fact) });
      break;
    case "ask.canceled":
      amend(draft, entry, fact, { canceled: dated(entry, fact) });
      break;
    case "provider.failed":
      settleFailures(draft);
      draft.items.push({ ...placed, kind: "failure", fact, over: false });
      break;
    case "comment.added":
      draft.items.push({ ...placed, kind: "comment", fact });
      break;
    case "notice.given":
      draft.items.push({ ...placed, kind: "notice", fact });
      break;
    case "history.compacted":
      draft.items.push({ ...placed, kind: "compacted", fact });
      break;
    case "phase.entered":
    case "verdict.given":
    case "completion.attempted":
    case "reply.refused":
      followWorkflow(draft, placed, fact);
      break;
    case "plan.entered":
    case "plan.proposed":
    case "plan.commented":
    case "plan.reviewed":
    case "plan.left":
      draft.items.push({ ...placed, kind: "plan", fact });
      break;
    case "run.finished":
      draft.open = false;
      settleFailures(draft);
      draft.items.push({ ...placed, kind: "marker", fact });
      break;
    case "run.lost":
    case "stop.asked":
    case "session.opened":
    case "session.configured":
    case "session.archived":
    case "job.finished":
    case "tools.loaded":
    case "memory.left_out":
    case "worktree.made":
    case "worktree.landed":
    case "worktree.dropped":
      draft.items.push({ ...placed, kind: "marker", fact });
      break;
    case "session.renamed":
      if (!isFirstTitle(draft.items, entry.seq)) draft.items.push({ ...placed, kind: "marker", fact });
      break;
    case "agent.started":
      amend(draft, entry, fact, { tool: "agent", agent: dated(entry, fact) });
      break;
    case "agent.finished":
      ended(draft, entry, fact);
      break;
    case "memory.recalled":
      if (fact.memories.length) draft.items.push({ ...placed, kind: "recalled", fact });
      else if (!saidByCall(draft.items, entry.seq)) draft.items.push({ ...placed, kind: "marker", fact });
      break;
    case "memory.written":
    case "memory.deleted":
      if (!saidByCall(draft.items, entry.seq)) draft.items.push({ ...placed, kind: "marker", fact });
      break;
    case "run.queued":
    case "run.started":
    case "run.waiting":
    case "run.resumed":
      draft.open = true;
      break;
    case "todos.written":
    case "agent.reported":
    case "job.started":
      break;
    default:
      unknownFact(fact);
  }
}

function dated<F extends Fact>({ seq, at, by, cut }: WireEntry, fact: F): Dated<F> {
  return { fact, seq, at, by, cut };
}

/** A reply becomes one item for each stretch of words and one for each call, in the order in which they were said. */
function reply(draft: Draft, entry: WireEntry, fact: AgentSpoke): void {
  settleFailures(draft);
  draft.replies.add(fact.reply_id);
  const pieces = stretches(fact.parts);
  for (const piece of pieces) {
    if (piece.call) amend(draft, entry, piece.call, { tool: piece.call.tool, written: piece.call.arguments, automatic: !fact.provider });
    else say(draft, entry, fact, `${piece.at}`, piece.words);
  }
  const last = draft.items.at(-1);
  const unusual = fact.finish !== "stop" && fact.finish !== "calls";
  if (unusual && !(last?.kind === "agent" && last.reply_id === fact.reply_id)) say(draft, entry, fact, "end", []);
}

function say(draft: Draft, entry: WireEntry, fact: AgentSpoke, place: string, parts: Words[]): void {
  const key = `reply:${fact.reply_id}:${place}`;
  draft.items.push({ ...dated(entry, fact), key, kind: "agent", reply_id: fact.reply_id, parts, reply: fact });
}

/** The call that waited shows how it ended; of an agent in the background nobody would see it there, so it is also said where it happened. */
function ended(draft: Draft, entry: WireEntry, fact: AgentFinished): void {
  if (!fact.background || draft.calls.has(fact.call_id)) amend(draft, entry, fact, { tool: "agent", ended: dated(entry, fact) });
  if (fact.background) draft.items.push({ key: String(entry.seq), ...dated(entry, fact), kind: "marker" });
}

/** Change the call's item; the first fact that names a call makes it (older ones may not be loaded). */
function amend(draft: Draft, entry: WireEntry, { call_id }: { call_id: string }, change: Partial<CallItem>): void {
  const index = draft.calls.get(call_id);
  const before = index === undefined ? undefined : draft.items[index];
  if (index !== undefined && before?.kind === "call") {
    draft.items[index] = { ...before, ...change };
    return;
  }
  draft.calls.set(call_id, draft.items.length);
  draft.items.push({ ...blankCall(dated(entry, entry.fact), call_id), ...change });
}

function settleFailures(draft: Draft): void {
  const index = draft.items.findLastIndex((item) => item.kind === "failure");
  const item = draft.items[index];
  if (item?.kind === "failure" && !item.over) draft.items[index] = { ...item, over: true };
}
