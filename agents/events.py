"""Every fact and note, one frozen class each, in two closed unions: the vocabulary of the whole house.

A *fact* is kept in the log for ever and is said in the past tense (`noun.verbed`). A *note* is shown to whoever watches
and is then forgotten; it carries an id and a position so that applying it twice, or missing it, does no harm.
An `Entry` is a fact with its place in one session's log. Notes, and the pieces that facts are made of, have files of
their own; their names stand here too.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from agents.errors import UnknownFact
from agents.notes import AnyNote as AnyNote
from agents.notes import CallGrew as CallGrew
from agents.notes import JobGrew as JobGrew
from agents.notes import Note as Note
from agents.notes import OutputGrew as OutputGrew
from agents.notes import ReasoningGrew as ReasoningGrew
from agents.notes import TextGrew as TextGrew
from agents.pieces import AgentOrigin as AgentOrigin
from agents.pieces import AgentType as AgentType
from agents.pieces import Answer as Answer
from agents.pieces import Attachment as Attachment
from agents.pieces import Call as Call
from agents.pieces import FileChange as FileChange
from agents.pieces import MemoryScope as MemoryScope
from agents.pieces import MemoryType as MemoryType
from agents.pieces import Option as Option
from agents.pieces import Part as Part
from agents.pieces import Piece as Piece
from agents.pieces import QuestionItem as QuestionItem
from agents.pieces import Reasoning as Reasoning
from agents.pieces import RecalledMemory as RecalledMemory
from agents.pieces import Text as Text
from agents.pieces import Todo as Todo
from agents.pieces import Usage as Usage

SCHEMA_VERSION = 1


class Fact(Piece):
    """Base of all facts; only this module defines subclasses."""


# --- facts: the session ------------------------------------------------------------------------------------------------


class SessionOpened(Fact):
    type: Literal["session.opened"] = "session.opened"
    title: str
    toolset: str
    provider: str
    model: str
    workflow: str = "react"
    protocol: str = "native"
    origin: AgentOrigin | None = None


class SessionRenamed(Fact):
    type: Literal["session.renamed"] = "session.renamed"
    title: str


class SessionConfigured(Fact):
    """Provider, model, toolset, workflow or protocol changed; it holds for the next step on. "" leaves the last two as they were."""

    type: Literal["session.configured"] = "session.configured"
    toolset: str
    provider: str
    model: str
    workflow: str = ""
    protocol: str = ""


class SessionArchived(Fact):
    type: Literal["session.archived"] = "session.archived"
    archived: bool


class UserSpoke(Fact):
    """A person's message to the agent. Sent while the agent works, it is read after the calls then open have ended."""

    type: Literal["user.spoke"] = "user.spoke"
    message_id: str
    text: str


class CommentAdded(Fact):
    """A remark among people; the agent does not read it. `about` is a fact's seq, or None for the session."""

    type: Literal["comment.added"] = "comment.added"
    comment_id: str
    text: str
    about: int | None = None


# --- facts: runs -------------------------------------------------------------------------------------------------------


class RunQueued(Fact):
    type: Literal["run.queued"] = "run.queued"
    run_id: str
    acting_for: str = ""


class RunStarted(Fact):
    type: Literal["run.started"] = "run.started"
    run_id: str
    sandbox: str = ""


class RunWaiting(Fact):
    """The run ended its task and waits for people; `calls` are the call ids it waits on."""

    type: Literal["run.waiting"] = "run.waiting"
    run_id: str
    calls: tuple[str, ...]


class RunResumed(Fact):
    """What the run waited for was decided; it is queued again."""

    type: Literal["run.resumed"] = "run.resumed"
    run_id: str


class RunLost(Fact):
    """The worker that held the run went silent; the run is queued again."""

    type: Literal["run.lost"] = "run.lost"
    run_id: str


class StopAsked(Fact):
    type: Literal["stop.asked"] = "stop.asked"
    run_id: str


class RunFinished(Fact):
    type: Literal["run.finished"] = "run.finished"
    run_id: str
    outcome: Literal["done", "stopped", "failed", "limit"]
    detail: str = ""


# --- facts: the model --------------------------------------------------------------------------------------------------


class AgentSpoke(Fact):
    """One whole reply of the model. `finish` "stopped" and "cut" mean that it did not end by itself.

    `read_to` is the last entry it was made from, None where it was made from all before it. `stop_reason` is what the reply says of
    the task, in protocols that have a word for it. With an empty `provider` no model spoke: a workflow made these calls.
    """

    type: Literal["agent.spoke"] = "agent.spoke"
    reply_id: str
    parts: tuple[Part, ...]
    finish: Literal["stop", "calls", "length", "refused", "stopped", "cut"]
    provider: str = ""
    model: str = ""
    usage: Usage = Usage()
    seconds: float = 0.0
    read_to: int | None = None
    stop_reason: Literal["", "continue", "done", "fail"] = ""


class ReplyRefused(Fact):
    """The reply before could not be read in the session's protocol, for this `reason`. The model reads `told` and replies once more."""

    type: Literal["reply.refused"] = "reply.refused"
    reply_id: str
    reason: str
    told: str


class ProviderFailed(Fact):
    """A model request failed. `retry_in` seconds until it is tried again by itself, None when it is given up."""

    type: Literal["provider.failed"] = "provider.failed"
    reply_id: str
    kind: Literal["auth", "rate_limit", "overloaded", "bad_request", "context", "timeout", "network", "malformed", "script", "other"]
    message: str
    status: int | None = None
    attempt: int = 1
    retry_in: float | None = None


class HistoryCompacted(Fact):
    """The model reads `summary` in place of every message up to and including the entry `upto`. Nothing is deleted."""

    type: Literal["history.compacted"] = "history.compacted"
    summary: str
    upto: int
    tokens_before: int = 0
    usage: Usage = Usage()


class NoticeGiven(Fact):
    """Something the engine wants people to know: a limit reached, a weaker sandbox, a repeated call."""

    type: Literal["notice.given"] = "notice.given"
    level: Literal["info", "warning"]
    text: str


# --- facts: workflows --------------------------------------------------------------------------------------------------


class PhaseEntered(Fact):
    """The workflow's next phase began. `cycle` counts from 1; `detail` is a line for people, `told` what the model reads, if anything."""

    type: Literal["phase.entered"] = "phase.entered"
    workflow: str
    phase: str
    cycle: int = 1
    detail: str = ""
    told: str = ""


class CompletionAttempted(Fact):
    """The agent says that the task is done: `result` is its summary, `command` one that shows it."""

    type: Literal["completion.attempted"] = "completion.attempted"
    call_id: str
    result: str
    command: str = ""


class VerdictGiven(Fact):
    """What came of checking the work: by the model, or by the project's own test command. The model reads `told`, unless it is empty."""

    type: Literal["verdict.given"] = "verdict.given"
    verified: bool
    text: str
    cycle: int = 1
    by: Literal["model", "command"] = "model"
    told: str = ""


# --- facts: tools ------------------------------------------------------------------------------------------------------


class ApprovalAsked(Fact):
    """The agent wants to do exactly this. `hash` names tool and normalized arguments; `preview` is a unified diff or ""."""

    type: Literal["approval.asked"] = "approval.asked"
    approval_id: str
    call_id: str
    tool: str
    args: dict[str, Any]
    prompt: str
    subject: str
    hash: str
    preview: str = ""
    risk: Literal["low", "medium", "high"] = "medium"


class ApprovalDecided(Fact):
    """A person's word on one approval. `scope` "session" also allows later calls of this tool with the same subject."""

    type: Literal["approval.decided"] = "approval.decided"
    approval_id: str
    call_id: str
    verdict: Literal["allow", "deny"]
    scope: Literal["once", "session", "project"] = "once"
    reason: str = ""
    hash: str


class ToolStarted(Fact):
    type: Literal["tool.started"] = "tool.started"
    call_id: str
    tool: str
    args: dict[str, Any]


class ToolFinished(Fact):
    """How a call ended. `error` None means success; `output` is what the model reads (secrets already redacted)."""

    type: Literal["tool.finished"] = "tool.finished"
    call_id: str
    tool: str
    title: str
    output: str
    error: str | None = None
    metadata: dict[str, Any] = {}
    changes: tuple[FileChange, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    seconds: float = 0.0
    redactions: int = 0


class ToolsLoaded(Fact):
    """Tools that were looked up; they are offered to the model from its next request on."""

    type: Literal["tools.loaded"] = "tools.loaded"
    tools: tuple[str, ...]


class JobStarted(Fact):
    """A command goes on in the background after its call has ended. `timeout` in seconds; `terminal`: it has one of its own."""

    type: Literal["job.started"] = "job.started"
    job_id: str
    call_id: str
    command: str
    timeout: int
    terminal: bool = False


class JobFinished(Fact):
    """How a background job ended. `artifact` is the number of the artifact with its whole output, if it said anything.

    `state` "failed" with the error "aborted" was canceled; "lost" means that its worker went away.
    """

    type: Literal["job.finished"] = "job.finished"
    job_id: str
    state: Literal["completed", "failed", "lost"]
    error: str = ""
    exit_code: int | None = None
    seconds: float = 0.0
    artifact: int | None = None


class AskCanceled(Fact):
    """An open approval, question or plan proposal that nobody needs to decide any more (the run was stopped)."""

    type: Literal["ask.canceled"] = "ask.canceled"
    call_id: str
    ask: Literal["approval", "question", "plan"]
    reason: str = ""


# --- facts: todos, plans, questions, memories --------------------------------------------------------------------------


class TodosWritten(Fact):
    type: Literal["todos.written"] = "todos.written"
    todos: tuple[Todo, ...]


class PlanEntered(Fact):
    type: Literal["plan.entered"] = "plan.entered"
    reason: str
    plan_file: str


class PlanProposed(Fact):
    """A plan revision (numbered from 1 in its session) put up for review; said by the agent, or by a person who edited it."""

    type: Literal["plan.proposed"] = "plan.proposed"
    revision: int
    text: str
    summary: str = ""
    hash: str
    plan_file: str
    call_id: str = ""


class PlanCommented(Fact):
    """A comment on a revision, anchored by the quoted words and their offset in characters (quote "" = the whole plan)."""

    type: Literal["plan.commented"] = "plan.commented"
    comment_id: str
    revision: int
    text: str
    quote: str = ""
    start: int = 0


class PlanReviewed(Fact):
    """A reviewer's verdict on the revision with this hash. "changes" hands `message` and `comments` to the agent."""

    type: Literal["plan.reviewed"] = "plan.reviewed"
    revision: int
    hash: str
    verdict: Literal["approved", "changes"]
    message: str = ""
    comments: tuple[PlanCommented, ...] = ()
    call_id: str = ""


class PlanLeft(Fact):
    """A person entitled to approve plans ended plan mode without one."""

    type: Literal["plan.left"] = "plan.left"
    reason: str = ""


class QuestionAsked(Fact):
    type: Literal["question.asked"] = "question.asked"
    question_id: str
    call_id: str
    questions: tuple[QuestionItem, ...]
    default: str = ""


class QuestionAnswered(Fact):
    type: Literal["question.answered"] = "question.answered"
    question_id: str
    call_id: str
    answers: tuple[Answer, ...]


class MemoryWritten(Fact):
    type: Literal["memory.written"] = "memory.written"
    memory_id: str
    title: str
    scope: MemoryScope
    memory_type: MemoryType


class MemoryDeleted(Fact):
    type: Literal["memory.deleted"] = "memory.deleted"
    memory_id: str
    title: str


class MemoryRecalled(Fact):
    """Memories the agent read: by a tool, or, with `memories`, told to it at the start of the session."""

    type: Literal["memory.recalled"] = "memory.recalled"
    memory_ids: tuple[str, ...]
    titles: tuple[str, ...]
    memories: tuple[RecalledMemory, ...] = ()


class MemoryLeftOut(Fact):
    """A person took a recalled memory out again: the agent does not read it any more."""

    type: Literal["memory.left_out"] = "memory.left_out"
    memory_id: str
    title: str


# --- facts: sub-agents -------------------------------------------------------------------------------------------------


class AgentStarted(Fact):
    """A sub-agent began to work in a session of its own. Unless it is in the background, the call waits for it."""

    type: Literal["agent.started"] = "agent.started"
    agent_id: str
    session_id: str
    call_id: str
    agent_type: AgentType
    title: str
    background: bool = False


class AgentFinished(Fact):
    """How a sub-agent's work ended, as its parent is told: `output` is the last it said, `detail` why it did not end by itself."""

    type: Literal["agent.finished"] = "agent.finished"
    agent_id: str
    session_id: str
    call_id: str
    agent_type: AgentType
    outcome: Literal["done", "stopped", "failed", "limit"]
    output: str
    detail: str = ""
    tool_calls: int = 0
    background: bool = False
    branch: str = ""
    changes: tuple[FileChange, ...] = ()


class WorktreeMade(Fact):
    """The sub-agent works in a git worktree of its own; `base` is the commit it began with."""

    type: Literal["worktree.made"] = "worktree.made"
    branch: str
    base: str


class WorktreeLanded(Fact):
    """A person took what the sub-agent changed in its worktree over into the project."""

    type: Literal["worktree.landed"] = "worktree.landed"
    changes: tuple[FileChange, ...]


class WorktreeDropped(Fact):
    """The worktree was thrown away: by a person, or because nothing in it had changed."""

    type: Literal["worktree.dropped"] = "worktree.dropped"
    reason: str = ""


class AgentAsk(Piece):
    """Something in a sub-agent's session that waits for a person, as its root shows it."""

    ask: Literal["approval", "question", "plan"]
    call_id: str
    seq: int
    at: datetime
    approval: ApprovalAsked | None = None
    question: QuestionAsked | None = None
    plan: PlanProposed | None = None


class AgentReported(Fact):
    """Where a sub-agent somewhere below this session stands now. The root keeps these: its people see and decide there."""

    type: Literal["agent.reported"] = "agent.reported"
    session_id: str
    title: str
    origin: AgentOrigin
    state: Literal["idle", "queued", "running", "waiting", "done", "stopped", "failed", "limit"]
    detail: str = ""
    worktree: Literal["", "open", "landed", "dropped"] = ""
    asks: tuple[AgentAsk, ...] = ()
    replies: int = 0
    cost: float = 0.0


AnyFact = Annotated[
    SessionOpened | SessionRenamed | SessionConfigured | SessionArchived | UserSpoke | CommentAdded
    | RunQueued | RunStarted | RunWaiting | RunResumed | RunLost | StopAsked | RunFinished
    | AgentSpoke | ReplyRefused | ProviderFailed | HistoryCompacted | NoticeGiven
    | PhaseEntered | CompletionAttempted | VerdictGiven
    | ApprovalAsked | ApprovalDecided | ToolStarted | ToolFinished | ToolsLoaded | JobStarted | JobFinished | AskCanceled
    | TodosWritten | PlanEntered | PlanProposed | PlanCommented | PlanReviewed | PlanLeft
    | QuestionAsked | QuestionAnswered | MemoryWritten | MemoryDeleted | MemoryRecalled | MemoryLeftOut
    | AgentStarted | AgentFinished | WorktreeMade | WorktreeLanded | WorktreeDropped | AgentReported,
    Field(discriminator="type"),
]  # fmt: skip


# --- the log's unit ----------------------------------------------------------------------------------------------------


class Entry(Piece):
    """A fact in its place: `seq` counts from 1 without gaps in each session; `by` is a person's id, None for the engine."""

    seq: int
    at: datetime
    fact: AnyFact
    by: str | None = None
    run_id: str | None = None


facts: TypeAdapter[AnyFact] = TypeAdapter(AnyFact)
notes: TypeAdapter[AnyNote] = TypeAdapter(AnyNote)

Upcast = Callable[[dict[str, Any]], dict[str, Any]]
UPCASTS: dict[tuple[str, int], Upcast] = {}
"""(type, version) → the function that turns that version's data into the next version's. Empty until version 2 exists."""


def open_fact(kind: str, version: int, data: dict[str, Any]) -> AnyFact:
    """Read a stored fact of any version this code has known. Raises UnknownFact."""
    for step in range(version, SCHEMA_VERSION):
        data = UPCASTS[kind, step](data) if (kind, step) in UPCASTS else data
    try:
        return facts.validate_python({**data, "type": kind})
    except ValidationError as wrong:
        raise UnknownFact(f"cannot read a stored {kind!r} of version {version}: {wrong.errors()[0]['msg']}") from wrong
