// Generated from workspace/sessions/protocol.py by scripts/protocol.mjs. Do not edit.

export interface AddComment {
  command: "add_comment";
  text: string;
  about: number | null;
}

/** Something in a sub-agent's session that waits for a person, as its root shows it. */
export interface AgentAsk {
  ask: "approval" | "question" | "plan";
  call_id: string;
  seq: number;
  at: string;
  approval: ApprovalAsked | null;
  question: QuestionAsked | null;
  plan: PlanProposed | null;
}

/** How a sub-agent's work ended, as its parent is told: `output` is the last it said, `detail` why it did not end by itself. */
export interface AgentFinished {
  type: "agent.finished";
  agent_id: string;
  session_id: string;
  call_id: string;
  agent_type: "general" | "explore" | "plan" | "verify";
  outcome: "done" | "stopped" | "failed" | "limit";
  output: string;
  detail: string;
  tool_calls: number;
  background: boolean;
  branch: string;
  changes: readonly FileChange[];
}

/** Whose sub-agent a session is: the sessions above it by public id, and the call that started it. `depth` counts from 1. */
export interface AgentOrigin {
  parent: string;
  root: string;
  call_id: string;
  agent_id: string;
  agent_type: "general" | "explore" | "plan" | "verify";
  depth: number;
  background: boolean;
  working_dir: string;
}

/** Where a sub-agent somewhere below this session stands now. The root keeps these: its people see and decide there. */
export interface AgentReported {
  type: "agent.reported";
  session_id: string;
  title: string;
  origin: AgentOrigin;
  state: "idle" | "queued" | "running" | "waiting" | "done" | "stopped" | "failed" | "limit";
  detail: string;
  worktree: "" | "open" | "landed" | "dropped";
  asks: readonly AgentAsk[];
  replies: number;
  cost: number;
}

/** One whole reply of the model. `finish` "stopped" and "cut" mean that it did not end by itself.
 * 
 * `read_to` is the last entry it was made from, None where it was made from all before it. `stop_reason` is what the reply says of
 * the task, in protocols that have a word for it. With an empty `provider` no model spoke: a workflow made these calls. */
export interface AgentSpoke {
  type: "agent.spoke";
  reply_id: string;
  parts: readonly Part[];
  finish: "stop" | "calls" | "length" | "refused" | "stopped" | "cut";
  provider: string;
  model: string;
  usage: Usage;
  seconds: number;
  read_to: number | null;
  stop_reason: "" | "continue" | "done" | "fail";
}

/** A sub-agent began to work in a session of its own. Unless it is in the background, the call waits for it. */
export interface AgentStarted {
  type: "agent.started";
  agent_id: string;
  session_id: string;
  call_id: string;
  agent_type: "general" | "explore" | "plan" | "verify";
  title: string;
  background: boolean;
}

/** The answer to one question: chosen labels, free text, or both. */
export interface Answer {
  labels: readonly string[];
  text: string;
}

/** One answer a question, in their order. */
export interface AnswerQuestion {
  command: "answer_question";
  question_id: string;
  answers: readonly Answer[];
}

/** The agent wants to do exactly this. `hash` names tool and normalized arguments; `preview` is a unified diff or "". */
export interface ApprovalAsked {
  type: "approval.asked";
  approval_id: string;
  call_id: string;
  tool: string;
  args: Record<string, unknown>;
  prompt: string;
  subject: string;
  hash: string;
  preview: string;
  risk: "low" | "medium" | "high";
}

/** A person's word on one approval. `scope` "session" also allows later calls of this tool with the same subject. */
export interface ApprovalDecided {
  type: "approval.decided";
  approval_id: string;
  call_id: string;
  verdict: "allow" | "deny";
  scope: "once" | "session" | "project";
  reason: string;
  hash: string;
}

export interface ArchiveSession {
  command: "archive_session";
  archived: boolean;
}

/** An open approval, question or plan proposal that nobody needs to decide any more (the run was stopped). */
export interface AskCanceled {
  type: "ask.canceled";
  call_id: string;
  ask: "approval" | "question" | "plan";
  reason: string;
}

/** A file a tool gives beside its text. `data` is base64; `media_type` as in "image/png". */
export interface Attachment {
  name: string;
  media_type: string;
  data: string;
}

/** A tool call as the model wrote it. `arguments` is its raw JSON text, kept even when it does not parse. */
export interface Call {
  type: "call";
  call_id: string;
  tool: string;
  arguments: string;
  extras: Record<string, unknown>;
}

/** The raw argument text of a call that the model is still writing. */
export interface CallGrew {
  type: "call.grew";
  reply_id: string;
  part: number;
  call_id: string;
  tool: string;
  at: number;
  text: string;
}

/** Last frame before the server closes: the session is gone for this person, or signed out. */
export interface Closed {
  type: "closed";
  reason: "forbidden" | "signed_out" | "restart";
}

/** A remark among people; the agent does not read it. `about` is a fact's seq, or None for the session. */
export interface CommentAdded {
  type: "comment.added";
  comment_id: string;
  text: string;
  about: number | null;
}

export interface CommentPlan {
  command: "comment_plan";
  revision: number;
  text: string;
  quote: string;
  start: number;
}

/** The agent says that the task is done: `result` is its summary, `command` one that shows it. */
export interface CompletionAttempted {
  type: "completion.attempted";
  call_id: string;
  result: string;
  command: string;
}

/** `workflow` and `protocol` stay as they are where they are empty. */
export interface ConfigureSession {
  command: "configure_session";
  provider: string;
  model: string;
  toolset: string;
  workflow: string;
  protocol: string;
}

export interface DecideApproval {
  command: "decide_approval";
  approval_id: string;
  hash: string;
  verdict: "allow" | "deny";
  scope: "once" | "session" | "project";
  reason: string;
}

export interface Done {
  type: "done";
  id: string;
  head: number;
}

/** Throw a sub-agent's worktree away, with all that changed in it. */
export interface DropWorktree {
  command: "drop_worktree";
  reason: string;
}

/** The next entries in order; their first seq is always the one after the last sent. */
export interface Entries {
  type: "entries";
  entries: readonly WireEntry[];
}

/** What a tab sends: a command and the tab's own number for it, which comes back in `done` or `refused`. */
export interface Envelope {
  id: string;
  command: Command;
}

/** One file a tool changed. `path` is relative to the workspace, `diff` a unified diff (cut when very long). */
export interface FileChange {
  path: string;
  change: "created" | "modified" | "deleted" | "renamed";
  added: number;
  removed: number;
  diff: string;
}

/** The model reads `summary` in place of every message up to and including the entry `upto`. Nothing is deleted. */
export interface HistoryCompacted {
  type: "history.compacted";
  summary: string;
  upto: number;
  tokens_before: number;
  usage: Usage;
}

/** How a background job ended. `artifact` is the number of the artifact with its whole output, if it said anything.
 * 
 * `state` "failed" with the error "aborted" was canceled; "lost" means that its worker went away. */
export interface JobFinished {
  type: "job.finished";
  job_id: string;
  state: "completed" | "failed" | "lost";
  error: string;
  exit_code: number | null;
  seconds: number;
  artifact: number | null;
}

/** Live output of a background job, already redacted; `at` counts characters since it began. */
export interface JobGrew {
  type: "job.grew";
  job_id: string;
  at: number;
  text: string;
}

/** A command goes on in the background after its call has ended. `timeout` in seconds; `terminal`: it has one of its own. */
export interface JobStarted {
  type: "job.started";
  job_id: string;
  call_id: string;
  command: string;
  timeout: number;
  terminal: boolean;
}

/** A background job. `seconds` is how long it took, `artifact` the number of its whole output; both once it has ended. */
export interface JobView {
  job_id: string;
  call_id: string;
  command: string;
  state: "running" | "completed" | "failed" | "lost";
  terminal: boolean;
  began: string;
  exit_code: number | null;
  error: string;
  seconds: number;
  artifact: number | null;
}

/** Merge what a sub-agent changed in its own worktree into the project's files. Nothing is committed.
 * 
 * `hash` is what the diff named: where the worktree is another by now, nothing is landed. */
export interface LandWorktree {
  command: "land_worktree";
  hash: string;
}

/** Take a recalled memory out again: from its next step on the agent does not read it. */
export interface LeaveOutMemory {
  command: "leave_out_memory";
  memory_id: string;
}

export interface LeavePlan {
  command: "leave_plan";
  reason: string;
}

/** Everything up to `head` has been sent; from here on frames come as things happen. */
export interface Live {
  type: "live";
  head: number;
}

export interface MemoryDeleted {
  type: "memory.deleted";
  memory_id: string;
  title: string;
}

/** A person took a recalled memory out again: the agent does not read it any more. */
export interface MemoryLeftOut {
  type: "memory.left_out";
  memory_id: string;
  title: string;
}

/** Memories the agent read: by a tool, or, with `memories`, told to it at the start of the session. */
export interface MemoryRecalled {
  type: "memory.recalled";
  memory_ids: readonly string[];
  titles: readonly string[];
  memories: readonly RecalledMemory[];
}

export interface MemoryWritten {
  type: "memory.written";
  memory_id: string;
  title: string;
  scope: "user" | "project" | "team";
  memory_type: "user" | "feedback" | "project" | "reference";
}

export interface Notes {
  type: "notes";
  notes: readonly Note[];
}

/** Something the engine wants people to know: a limit reached, a weaker sandbox, a repeated call. */
export interface NoticeGiven {
  type: "notice.given";
  level: "info" | "warning";
  text: string;
}

/** Something that waits for a person: an approval, a question or a proposed plan (whose text is in `PlanView`). */
export interface OpenAsk {
  ask: "approval" | "question" | "plan";
  call_id: string;
  seq: number;
  at: string;
  approval: ApprovalAsked | null;
  question: QuestionAsked | null;
}

/** One answer a question offers. */
export interface Option {
  label: string;
  description: string;
}

/** Live output of a running tool, already redacted; `at` counts characters since the tool started. */
export interface OutputGrew {
  type: "output.grew";
  call_id: string;
  at: number;
  text: string;
}

/** A person as others see them. `id` is the user's public id. */
export interface Person {
  id: string;
  name: string;
}

/** The workflow's next phase began. `cycle` counts from 1; `detail` is a line for people, `told` what the model reads, if anything. */
export interface PhaseEntered {
  type: "phase.entered";
  workflow: string;
  phase: string;
  cycle: number;
  detail: string;
  told: string;
}

/** Where the run's workflow stands; `phase` is "" outside of it. `verified` is what the run's last check found, None before one. */
export interface PhaseView {
  phase: string;
  cycle: number;
  detail: string;
  since: string | null;
  verified: boolean | null;
}

/** A comment on a revision, anchored by the quoted words and their offset in characters (quote "" = the whole plan). */
export interface PlanCommented {
  type: "plan.commented";
  comment_id: string;
  revision: number;
  text: string;
  quote: string;
  start: number;
}

export interface PlanEntered {
  type: "plan.entered";
  reason: string;
  plan_file: string;
}

/** A person entitled to approve plans ended plan mode without one. */
export interface PlanLeft {
  type: "plan.left";
  reason: string;
}

/** A plan revision (numbered from 1 in its session) put up for review; said by the agent, or by a person who edited it. */
export interface PlanProposed {
  type: "plan.proposed";
  revision: number;
  text: string;
  summary: string;
  hash: string;
  plan_file: string;
  call_id: string;
}

/** A reviewer's verdict on the revision with this hash. "changes" hands `message` and `comments` to the agent. */
export interface PlanReviewed {
  type: "plan.reviewed";
  revision: number;
  hash: string;
  verdict: "approved" | "changes";
  message: string;
  comments: readonly PlanCommented[];
  call_id: string;
}

/** The plan as it stands, with every comment made on any of its revisions. */
export interface PlanView {
  stage: "none" | "planning" | "proposed" | "approved" | "left";
  reason: string;
  plan_file: string;
  revision: number;
  summary: string;
  text: string;
  hash: string;
  call_id: string;
  comments: readonly PlanCommented[];
  reviewed_by: string | null;
}

/** Who has the session open now. */
export interface Present {
  type: "present";
  people: readonly Person[];
}

/** Why something was refused: the same shape as the HTTP API's errors. `by` is who decided first, on a conflict. */
export interface Problem {
  kind: "invalid" | "forbidden" | "missing" | "conflict" | "busy" | "unavailable" | "error";
  title: string;
  detail: string;
  by: Person | null;
}

/** A model request failed. `retry_in` seconds until it is tried again by itself, None when it is given up. */
export interface ProviderFailed {
  type: "provider.failed";
  reply_id: string;
  kind: "auth" | "rate_limit" | "overloaded" | "bad_request" | "context" | "timeout" | "network" | "malformed" | "script" | "other";
  message: string;
  status: number | null;
  attempt: number;
  retry_in: number | null;
}

export interface QuestionAnswered {
  type: "question.answered";
  question_id: string;
  call_id: string;
  answers: readonly Answer[];
}

export interface QuestionAsked {
  type: "question.asked";
  question_id: string;
  call_id: string;
  questions: readonly QuestionItem[];
  default: string;
}

/** One question of a set. With no options the answer is free text. */
export interface QuestionItem {
  question: string;
  header: string;
  options: readonly Option[];
  multi_select: boolean;
}

/** The model's thinking. `signature` and `extras` are the provider's own and are sent back to it unchanged. */
export interface Reasoning {
  type: "reasoning";
  text: string;
  signature: string;
  extras: Record<string, unknown>;
}

export interface ReasoningGrew {
  type: "reasoning.grew";
  reply_id: string;
  part: number;
  at: number;
  text: string;
}

/** A memory the agent was told of at the start. `left_out`: a person took it out again. */
export interface Recalled {
  memory_id: string;
  title: string;
  why: string;
  left_out: boolean;
}

/** A memory told to the agent at the start, and why: what it shares with the first message. */
export interface RecalledMemory {
  memory_id: string;
  title: string;
  content: string;
  why: string;
  scope: "user" | "project" | "team";
}

export interface Refused {
  type: "refused";
  id: string;
  problem: Problem;
}

export interface RenameSession {
  command: "rename_session";
  title: string;
}

/** The reply before could not be read in the session's protocol, for this `reason`. The model reads `told` and replies once more. */
export interface ReplyRefused {
  type: "reply.refused";
  reply_id: string;
  reason: string;
  told: string;
}

/** "changes" sends the message and every comment on this revision back to the agent; it is never an approval. */
export interface ReviewPlan {
  command: "review_plan";
  revision: number;
  hash: string;
  verdict: "approved" | "changes";
  message: string;
}

/** A person's own revision of the proposed plan; it needs a review like any other. */
export interface RevisePlan {
  command: "revise_plan";
  base: number;
  text: string;
}

export interface RunFinished {
  type: "run.finished";
  run_id: string;
  outcome: "done" | "stopped" | "failed" | "limit";
  detail: string;
}

/** The worker that held the run went silent; the run is queued again. */
export interface RunLost {
  type: "run.lost";
  run_id: string;
}

export interface RunQueued {
  type: "run.queued";
  run_id: string;
  acting_for: string;
}

/** What the run waited for was decided; it is queued again. */
export interface RunResumed {
  type: "run.resumed";
  run_id: string;
}

export interface RunStarted {
  type: "run.started";
  run_id: string;
  sandbox: string;
}

/** The session's latest run. `since` is when it entered this state. */
export interface RunView {
  run_id: string;
  state: "idle" | "queued" | "running" | "waiting" | "done" | "stopped" | "failed" | "limit";
  detail: string;
  acting_for: string;
  sandbox: string;
  stop_asked: boolean;
  since: string | null;
}

/** The run ended its task and waits for people; `calls` are the call ids it waits on. */
export interface RunWaiting {
  type: "run.waiting";
  run_id: string;
  calls: readonly string[];
}

/** `message_id` is made by the sender; sending the same one twice does nothing the second time. */
export interface SendMessage {
  command: "send_message";
  message_id: string;
  text: string;
}

export interface SessionArchived {
  type: "session.archived";
  archived: boolean;
}

/** Provider, model, toolset, workflow or protocol changed; it holds for the next step on. "" leaves the last two as they were. */
export interface SessionConfigured {
  type: "session.configured";
  toolset: string;
  provider: string;
  model: string;
  workflow: string;
  protocol: string;
}

export interface SessionOpened {
  type: "session.opened";
  title: string;
  toolset: string;
  provider: string;
  model: string;
  workflow: string;
  protocol: string;
  origin: AgentOrigin | null;
}

export interface SessionRenamed {
  type: "session.renamed";
  title: string;
}

/** Snapshot of one session at `head`; every entry behind it is applied with `state_after`. */
export interface SessionState {
  head: number;
  title: string;
  toolset: string;
  provider: string;
  model: string;
  workflow: string;
  protocol: string;
  phase: PhaseView;
  archived: boolean;
  run: RunView;
  plan: PlanView;
  todos: readonly Todo[];
  asks: readonly OpenAsk[];
  usage: UsageView;
  origin: AgentOrigin | null;
  worktree: WorktreeView | null;
  agents: readonly AgentReported[];
  pending: readonly string[];
  recalled: readonly Recalled[];
  jobs: readonly JobView[];
}

/** What a page loads first: the state, the newest entries (oldest first) and the people named in them. */
export interface Snapshot {
  session_id: string;
  project_id: string;
  project_name: string;
  team_id: string;
  created_by: string | null;
  rights: readonly ("view" | "comment" | "prompt" | "stop" | "approve_tools" | "approve_plans" | "manage_memories" | "manage_members" | "manage_projects")[];
  state: SessionState;
  entries: readonly WireEntry[];
  people: readonly Person[];
  first: number;
  sandbox: string;
  provider_note: string;
  context_window: number;
}

export interface StopAsked {
  type: "stop.asked";
  run_id: string;
}

export interface StopRun {
  command: "stop_run";
}

/** Words the model said. */
export interface Text {
  type: "text";
  text: string;
}

/** `text` belongs at character `at` of part `part` of the reply that is being streamed. */
export interface TextGrew {
  type: "text.grew";
  reply_id: string;
  part: number;
  at: number;
  text: string;
}

/** One line of the todo list. `active` is how it reads while being worked on. */
export interface Todo {
  content: string;
  status: "pending" | "in_progress" | "completed";
  active: string;
}

export interface TodosWritten {
  type: "todos.written";
  todos: readonly Todo[];
}

/** How a call ended. `error` None means success; `output` is what the model reads (secrets already redacted). */
export interface ToolFinished {
  type: "tool.finished";
  call_id: string;
  tool: string;
  title: string;
  output: string;
  error: string | null;
  metadata: Record<string, unknown>;
  changes: readonly FileChange[];
  attachments: readonly Attachment[];
  seconds: number;
  redactions: number;
}

export interface ToolStarted {
  type: "tool.started";
  call_id: string;
  tool: string;
  args: Record<string, unknown>;
}

/** Tools that were looked up; they are offered to the model from its next request on. */
export interface ToolsLoaded {
  type: "tools.loaded";
  tools: readonly string[];
}

/** Tokens of one model request; `cost` in US dollars, None where the price is not known. */
export interface Usage {
  input: number;
  output: number;
  cache_read: number;
  cache_write: number;
  reasoning: number;
  cost: number | null;
}

/** Tokens and dollars of the whole session. `context` is how much the last request and its reply held. */
export interface UsageView {
  requests: number;
  input: number;
  output: number;
  cache_read: number;
  cost: number;
  unpriced: number;
  context: number;
}

/** A person's message to the agent. Sent while the agent works, it is read after the calls then open have ended. */
export interface UserSpoke {
  type: "user.spoke";
  message_id: string;
  text: string;
}

/** What came of checking the work: by the model, or by the project's own test command. The model reads `told`, unless it is empty. */
export interface VerdictGiven {
  type: "verdict.given";
  verified: boolean;
  text: string;
  cycle: number;
  by: "model" | "command";
  told: string;
}

/** First frame: what this person may do here, and the log's end as the server sees it now. */
export interface Welcome {
  type: "welcome";
  me: Person;
  rights: readonly ("view" | "comment" | "prompt" | "stop" | "approve_tools" | "approve_plans" | "manage_memories" | "manage_members" | "manage_projects")[];
  head: number;
}

/** An entry as it is pushed. `cut` names the fact's fields whose text was shortened: fetch `…/events/<seq>/` for all of it. */
export interface WireEntry {
  seq: number;
  at: string;
  by: string | null;
  run_id: string | null;
  fact: Fact;
  cut: readonly string[];
}

/** The worktree was thrown away: by a person, or because nothing in it had changed. */
export interface WorktreeDropped {
  type: "worktree.dropped";
  reason: string;
}

/** A person took what the sub-agent changed in its worktree over into the project. */
export interface WorktreeLanded {
  type: "worktree.landed";
  changes: readonly FileChange[];
}

/** The sub-agent works in a git worktree of its own; `base` is the commit it began with. */
export interface WorktreeMade {
  type: "worktree.made";
  branch: string;
  base: string;
}

/** Where a sub-agent's own git worktree stands. `base` is the commit it began with, `changes` what was landed. */
export interface WorktreeView {
  branch: string;
  base: string;
  state: "open" | "landed" | "dropped";
  changes: readonly FileChange[];
}

export interface WriteTodos {
  command: "write_todos";
  todos: readonly Todo[];
}

export type Part =
  | Text
  | Reasoning
  | Call;

export type Fact =
  | SessionOpened
  | SessionRenamed
  | SessionConfigured
  | SessionArchived
  | UserSpoke
  | CommentAdded
  | RunQueued
  | RunStarted
  | RunWaiting
  | RunResumed
  | RunLost
  | StopAsked
  | RunFinished
  | AgentSpoke
  | ReplyRefused
  | ProviderFailed
  | HistoryCompacted
  | NoticeGiven
  | PhaseEntered
  | CompletionAttempted
  | VerdictGiven
  | ApprovalAsked
  | ApprovalDecided
  | ToolStarted
  | ToolFinished
  | ToolsLoaded
  | JobStarted
  | JobFinished
  | AskCanceled
  | TodosWritten
  | PlanEntered
  | PlanProposed
  | PlanCommented
  | PlanReviewed
  | PlanLeft
  | QuestionAsked
  | QuestionAnswered
  | MemoryWritten
  | MemoryDeleted
  | MemoryRecalled
  | MemoryLeftOut
  | AgentStarted
  | AgentFinished
  | WorktreeMade
  | WorktreeLanded
  | WorktreeDropped
  | AgentReported;

export type Note =
  | TextGrew
  | ReasoningGrew
  | CallGrew
  | OutputGrew
  | JobGrew;

export type Command =
  | SendMessage
  | StopRun
  | DecideApproval
  | ReviewPlan
  | CommentPlan
  | RevisePlan
  | LeavePlan
  | AnswerQuestion
  | WriteTodos
  | LeaveOutMemory
  | AddComment
  | RenameSession
  | ConfigureSession
  | ArchiveSession
  | LandWorktree
  | DropWorktree;

export type Frame =
  | Closed
  | Done
  | Entries
  | Live
  | Notes
  | Present
  | Refused
  | Welcome;
