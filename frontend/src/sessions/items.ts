/* What a transcript is made of: one item for everything a reader sees as one thing, however many facts it took. */

import type {
  AgentFinished,
  AgentSpoke,
  AgentStarted,
  ApprovalAsked,
  ApprovalDecided,
  AskCanceled,
  CommentAdded,
  CompletionAttempted,
  Fact,
  HistoryCompacted,
  JobFinished,
  MemoryDeleted,
  MemoryLeftOut,
  MemoryRecalled,
  MemoryWritten,
  NoticeGiven,
  PhaseEntered,
  PlanCommented,
  PlanEntered,
  PlanLeft,
  PlanProposed,
  PlanReviewed,
  ProviderFailed,
  QuestionAnswered,
  QuestionAsked,
  Reasoning,
  ReplyRefused,
  RunFinished,
  RunLost,
  SessionArchived,
  SessionConfigured,
  SessionOpened,
  SessionRenamed,
  StopAsked,
  Text,
  ToolFinished,
  ToolsLoaded,
  ToolStarted,
  UserSpoke,
  VerdictGiven,
  WorktreeDropped,
  WorktreeLanded,
  WorktreeMade,
} from "../protocol";
import { objectSoFar } from "./growing";

export interface Placed {
  key: string;
  seq: number;
  at: string;
  by: string | null;
  /** The fact's fields that came shortened; all of it is at `events/<seq>/`. */
  cut: readonly string[];
}

/** One fact that a reader sees as one thing. */
interface Single<K extends string, F extends Fact> extends Placed {
  kind: K;
  fact: F;
}

/** A fact together with its place, for the parts of a call that come from different entries. */
export type Dated<F> = { fact: F; seq: number; at: string; by: string | null; cut: readonly string[] };

export interface UserItem extends Placed {
  kind: "user";
  fact: UserSpoke;
  /** Whether it was said while a run was open, and so waits for the agent's next step. */
  during: boolean;
}

/** Neighbouring text and reasoning parts of one reply; its calls are items of their own. `reply` is null while it grows. */
export interface AgentItem extends Placed {
  kind: "agent";
  reply_id: string;
  parts: readonly (Text | Reasoning)[];
  reply: AgentSpoke | null;
}

/** A tool call from the model's words to its end, with what people said about it in between. */
export interface CallItem extends Placed {
  kind: "call";
  call_id: string;
  tool: string;
  /** The raw JSON the model wrote; "" where only the later facts are known. */
  written: string;
  /** Whether the workflow made it, and no model asked for it. */
  automatic: boolean;
  started: Dated<ToolStarted> | null;
  finished: Dated<ToolFinished> | null;
  approval: Dated<ApprovalAsked> | null;
  decided: Dated<ApprovalDecided> | null;
  question: Dated<QuestionAsked> | null;
  answered: Dated<QuestionAnswered> | null;
  canceled: Dated<AskCanceled> | null;
  /** The sub-agent it started, and how that one's work ended. */
  agent: Dated<AgentStarted> | null;
  ended: Dated<AgentFinished> | null;
}

export interface FailureItem extends Placed {
  kind: "failure";
  fact: ProviderFailed;
  /** Whether something came after it, so that nobody waits for this retry any more. */
  over: boolean;
}

export type PlanItem = Single<"plan", PlanEntered | PlanProposed | PlanReviewed | PlanLeft | PlanCommented>;
export type CommentItem = Single<"comment", CommentAdded>;
export type NoticeItem = Single<"notice", NoticeGiven>;
export type CompactedItem = Single<"compacted", HistoryCompacted>;
/** Memories the agent was told of at the start. */
export type RecalledItem = Single<"recalled", MemoryRecalled>;
export type VerdictItem = Single<"verdict", VerdictGiven>;
export type CompletionItem = Single<"completion", CompletionAttempted>;

/** `again`: the phase stood already, and something more is said in it. */
export interface PhaseItem extends Single<"phase", PhaseEntered> {
  again: boolean;
}

/** A reply that could not be read as its protocol wants it, in place of the reply. `text` is what was said. */
export interface RefusedItem extends Single<"refused", ReplyRefused> {
  text: string;
}

export interface MarkerItem extends Placed {
  kind: "marker";
  fact: RunFinished | RunLost | StopAsked | SessionFact | MemoryFact | WorktreeFact | ToolsLoaded | AgentFinished | JobFinished;
}

type SessionFact = SessionOpened | SessionRenamed | SessionConfigured | SessionArchived;
type MemoryFact = MemoryWritten | MemoryDeleted | MemoryRecalled | MemoryLeftOut;
export type WorktreeFact = WorktreeMade | WorktreeLanded | WorktreeDropped;

export type Item =
  | UserItem
  | AgentItem
  | CallItem
  | FailureItem
  | PlanItem
  | CommentItem
  | MarkerItem
  | RecalledItem
  | NoticeItem
  | CompactedItem
  | PhaseItem
  | VerdictItem
  | CompletionItem
  | RefusedItem;

export function blankCall({ seq, at, by, cut }: Omit<Dated<Fact>, "fact">, call_id: string): CallItem {
  const nothing = {
    started: null,
    finished: null,
    approval: null,
    decided: null,
    question: null,
    answered: null,
    canceled: null,
    agent: null,
    ended: null,
  };
  return { kind: "call", key: `call:${call_id}`, seq, at, by, cut, call_id, tool: "", written: "", automatic: false, ...nothing };
}

/** Where a call stands, in the order in which it can. */
export type CallStage = "written" | "asked" | "denied" | "running" | "question" | "canceled" | "failed" | "done";

export function callStage(call: CallItem): CallStage {
  if (call.finished) return call.finished.fact.error === null ? "done" : call.decided?.fact.verdict === "deny" ? "denied" : "failed";
  if (call.canceled) return "canceled";
  if (call.question && !call.answered) return "question";
  if (call.decided?.fact.verdict === "deny") return "denied";
  if (call.approval && !call.decided) return "asked";
  return call.started ? "running" : "written";
}

/** The call's arguments from the best source there is: of one that is being written as far as they go; {} where JSON does not parse. */
export function callArgs(call: CallItem): Record<string, unknown> {
  return call.started?.fact.args ?? call.approval?.fact.args ?? (call.finished ? parsed(call.written) : objectSoFar(call.written));
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
