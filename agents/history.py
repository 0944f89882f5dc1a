"""Folds of a session's facts into what a step needs: what the model reads, which calls are open, what holds back or was allowed.

A history is told of entries one by one, in order, and never looks back: applying one costs the same at step 500 as at step 1.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from agents import events as e
from agents.hearing import told_agent, told_memories, told_worktree
from agents.plan import PlanState, plan_after
from agents.progress import Progress
from agents.providers.provider import AssistantMessage, Message, ToolMessage, Transcript, UserMessage

CallState = Literal["new", "asked", "allowed", "denied", "started", "waiting", "decided", "finished"]


@dataclass
class OpenCall:
    """One call of the last reply and how far it has come. It stays here until every call of that reply has finished."""

    call: e.Call
    state: CallState = "new"
    approval: e.ApprovalAsked | None = None
    verdict: e.ApprovalDecided | None = None
    decision: e.QuestionAnswered | e.PlanReviewed | e.PlanLeft | e.AgentFinished | None = None
    waits_for: Literal["approval", "question", "plan", "agent"] | None = None
    finished: e.ToolFinished | None = None

    @property
    def interrupted(self) -> bool:
        """Started by a step that never said how it ended."""
        return self.state == "started"


@dataclass
class History:
    """Everything a step may know about what happened, up to and including entry `seq`."""

    seq: int = 0
    transcript: Transcript = field(default_factory=Transcript)
    open_calls: list[OpenCall] = field(default_factory=list)
    cut_off: bool = False
    """The last reply broke off before its end; its calls are not to be run."""
    plan: PlanState = field(default_factory=PlanState)
    todos: tuple[e.Todo, ...] = ()
    allowed: set[tuple[str, str, str]] = field(default_factory=set)
    """What a person allowed for the rest of the session; see `covered`."""
    provider: str = ""
    model: str = ""
    toolset: str = ""
    workflow: str = "react"
    protocol: str = "native"
    progress: Progress = field(default_factory=Progress)
    loaded: tuple[str, ...] = ()
    """Tools that were looked up and are offered to the model since."""
    call_ids: set[str] = field(default_factory=set)
    """Of every call there ever was in the session."""
    context_tokens: int = 0
    acting_for: str = ""
    """The person for whom the run was queued."""
    shared: bool = False
    """Whether somebody else has spoken to the agent since."""
    repeats: int = 0
    """How many replies in a row made the very same calls."""
    cuts: list[tuple[int, int]] = field(default_factory=list)
    """(seq, number of messages up to it) at every place where a compaction may cut."""
    recalled: tuple[e.RecalledMemory, ...] = ()
    """Memories the agent was told of at the start, without those that people took out."""
    worktrees: set[str] = field(default_factory=set)
    """Sub-agents, by session, whose worktrees people have neither landed nor dropped yet."""
    _told: UserMessage | None = None
    _recalled_for: str | None = None
    _held: list[UserMessage] = field(default_factory=list)
    _heard: list[tuple[int, UserMessage]] = field(default_factory=list)
    _last_calls: str = ""

    def apply(self, entry: e.Entry) -> None:
        """Take in the next entry."""
        fact = entry.fact
        self.seq = entry.seq
        self.plan = plan_after(self.plan, fact)
        self.progress.apply(entry)
        match fact:
            case e.UserSpoke():
                self.shared = self.shared or entry.by != self.acting_for
                self._close_personal(entry.by)
                self._hear(UserMessage(fact.text))
            case e.AgentSpoke():
                self._take_reply(fact)
            case e.TodosWritten():
                self._take_todos(fact, entry.by)
            case e.HistoryCompacted():
                self._compact(fact)
            case e.RunQueued() | e.SessionOpened() | e.SessionConfigured():
                self._set_out(fact)
            case e.MemoryRecalled() | e.MemoryLeftOut():
                self._recall(fact, entry.by)
            case _:
                self._follow_call(fact)
        if not self.open_calls:
            self.cuts.append((entry.seq, len(self.transcript.messages)))

    @property
    def wants_reply(self) -> bool:
        """Whether the model has something to answer."""
        messages = self.transcript.messages
        return bool(messages) and not self.open_calls and not isinstance(messages[-1], AssistantMessage)

    @property
    def waiting(self) -> list[OpenCall]:
        return [open_call for open_call in self.open_calls if open_call.state in ("asked", "waiting")]

    def find(self, call_id: str) -> OpenCall | None:
        return next((open_call for open_call in self.open_calls if open_call.call.call_id == call_id), None)

    def _hear(self, message: UserMessage) -> None:
        self._heard.append((self.seq, message))
        # A request must not stand between a call and its result, so what is said meanwhile is read after the results.
        if self.open_calls:
            self._held.append(message)
        else:
            self.transcript.append(message)

    def _take_reply(self, reply: e.AgentSpoke) -> None:
        self.context_tokens = reply.usage.input + reply.usage.output or self.context_tokens
        unread = self._unread(reply.read_to)
        if reply.parts or reply.finish != "stopped":
            self.transcript.append(AssistantMessage(reply.parts, made=not reply.provider, stop_reason=reply.stop_reason))
        self.cut_off = reply.finish in ("cut", "stopped")
        self.open_calls = [OpenCall(part) for part in reply.parts if isinstance(part, e.Call)]
        self.call_ids.update(open_call.call.call_id for open_call in self.open_calls)
        if reply.provider:
            self._count_repeats()
        for message in unread:
            self._hear(message)

    def _count_repeats(self) -> None:
        calls = json.dumps([(open_call.call.tool, open_call.call.arguments) for open_call in self.open_calls])
        self.repeats = self.repeats + 1 if calls == self._last_calls and self.open_calls else 0
        self._last_calls = calls

    def _unread(self, read_to: int | None) -> list[UserMessage]:
        """Take out what was said after the model had begun its reply: it stands behind the reply, to be answered next."""
        unread = [message for seq, message in self._heard if read_to is not None and seq > read_to]
        self._heard = []
        if unread:
            known = [message for message in self.transcript.messages if not any(message is one for one in unread)]
            self.transcript, self.cuts = Transcript(known), [cut for cut in self.cuts if cut[0] <= (read_to or 0)]
        return unread

    def _take_todos(self, fact: e.TodosWritten, by: str | None) -> None:
        self.todos = fact.todos
        if by is not None:
            lines = "\n".join(f"- [{todo.status}] {todo.content}" for todo in fact.todos) or "(empty)"
            self._hear(UserMessage(f"[A person changed the todo list. It now reads:]\n{lines}"))

    def _set_out(self, fact: e.RunQueued | e.SessionOpened | e.SessionConfigured) -> None:
        if isinstance(fact, e.RunQueued):
            self.repeats, self.progress = 0, self.progress.anew()
            self.acting_for, self.shared = fact.acting_for, False
        else:
            self.provider, self.model, self.toolset = fact.provider, fact.model, fact.toolset
            self.workflow, self.protocol = fact.workflow or self.workflow, fact.protocol or self.protocol

    def _recall(self, fact: e.MemoryRecalled | e.MemoryLeftOut, by: str | None) -> None:
        if isinstance(fact, e.MemoryLeftOut):
            self._tell_again(tuple(memory for memory in self.recalled if memory.memory_id != fact.memory_id))
        elif fact.memories:
            self.recalled, self._recalled_for = fact.memories, by
            self._told = UserMessage(told_memories(fact.memories))
            self._hear(self._told)

    def _close_personal(self, by: str | None) -> None:
        """Once somebody else speaks, the memories of the person they were recalled for are not told any more."""
        if by != self._recalled_for and any(memory.scope == "user" for memory in self.recalled):
            self._tell_again(tuple(memory for memory in self.recalled if memory.scope != "user"))

    def _tell_again(self, memories: tuple[e.RecalledMemory, ...]) -> None:
        self.recalled, before, self._told = memories, self._told, UserMessage(told_memories(memories))
        self.transcript = Transcript([self._told if message is before else message for message in self.transcript.messages])
        self._held = [self._told if message is before else message for message in self._held]

    def _compact(self, fact: e.HistoryCompacted) -> None:
        kept = next((count for seq, count in reversed(self.cuts) if seq <= fact.upto), 0)
        summary = UserMessage(f"[Summary of the conversation so far, written when it grew too long]\n\n{fact.summary}")
        guide, newest = UserMessage(self.progress.guidance, guides=True), self.transcript.messages[kept:]
        self.transcript = Transcript([summary, *([guide] if guide.text and guide not in newest else []), *newest])
        self.cuts, self.context_tokens = [], 0

    def _follow_call(self, fact: e.AnyFact) -> None:
        match fact:
            case e.PlanLeft():
                self._leave_plan(fact)
            case e.ToolsLoaded():
                self.loaded = (*self.loaded, *(name for name in fact.tools if name not in self.loaded))
            case e.PhaseEntered() | e.VerdictGiven() | e.ReplyRefused() if fact.told:
                self._hear(UserMessage(fact.told, guides=not isinstance(fact, e.ReplyRefused)))
            case e.AgentReported():
                self._follow_worktree(fact)
            case e.AgentFinished(background=True):
                self._await_worktree(fact)
                self._hear(UserMessage(told_agent(fact)))
            case _ if open_call := self.find(getattr(fact, "call_id", "")):
                self._move(open_call, fact)

    def _move(self, open_call: OpenCall, fact: e.AnyFact) -> None:
        match fact:
            case e.ApprovalAsked() | e.QuestionAsked() | e.PlanProposed() | e.AgentStarted():
                _ask(open_call, fact)
            case e.ApprovalDecided():
                self._take_verdict(open_call, fact)
            case e.ToolStarted():
                open_call.state = "started"
            case e.QuestionAnswered() | e.PlanReviewed() | e.AgentFinished():
                open_call.state, open_call.decision, open_call.waits_for = "decided", fact, None
                self._await_worktree(fact)
            case e.ToolFinished():
                self._finish(open_call, fact)

    def _await_worktree(self, fact: e.AnyFact) -> None:
        if isinstance(fact, e.AgentFinished) and fact.branch and fact.changes:
            self.worktrees.add(fact.session_id)

    def _follow_worktree(self, fact: e.AgentReported) -> None:
        if fact.worktree in ("landed", "dropped") and fact.session_id in self.worktrees:
            self.worktrees.remove(fact.session_id)
            self._hear(UserMessage(told_worktree(fact)))

    def _leave_plan(self, fact: e.PlanLeft) -> None:
        for open_call in self.open_calls:
            if open_call.waits_for == "plan":
                open_call.state, open_call.decision, open_call.waits_for = "decided", fact, None

    def _take_verdict(self, open_call: OpenCall, verdict: e.ApprovalDecided) -> None:
        approval = open_call.approval
        if approval is None or approval.hash != verdict.hash:
            return
        open_call.verdict, open_call.waits_for = verdict, None
        open_call.state = "allowed" if verdict.verdict == "allow" else "denied"
        if verdict.verdict == "allow" and verdict.scope != "once":
            self.allowed.add(covered(approval.tool, approval.subject, approval.args))

    def _finish(self, open_call: OpenCall, fact: e.ToolFinished) -> None:
        open_call.state, open_call.finished, open_call.waits_for = "finished", fact, None
        if any(other.state != "finished" for other in self.open_calls):
            return
        messages: list[Message] = [tool_message(other.finished) for other in self.open_calls if other.finished]
        for message in (*messages, *self._held):
            self.transcript.append(message)
        self.open_calls, self._held = [], []


def _ask(open_call: OpenCall, fact: e.ApprovalAsked | e.QuestionAsked | e.PlanProposed | e.AgentStarted) -> None:
    match fact:
        case e.AgentStarted():
            if not fact.background:
                open_call.state, open_call.waits_for = "waiting", "agent"
        case e.ApprovalAsked():
            open_call.state, open_call.approval, open_call.waits_for = "asked", fact, "approval"
        case e.QuestionAsked():
            open_call.state, open_call.waits_for = "waiting", "question"
        case e.PlanProposed():
            open_call.state, open_call.waits_for = "waiting", "plan"


def covered(tool: str, subject: str, args: Mapping[str, Any]) -> tuple[str, str, str]:
    """What an approval for the session covers: this tool on this subject, a command in that folder, overwriting only where it said so."""
    return tool, subject, f"{args.get('working_dir') or args.get('cwd') or ''}{' overwriting' if args.get('overwrite') else ''}"


def tool_message(fact: e.ToolFinished) -> ToolMessage:
    """How the model reads a call's end: its error first, then its output."""
    text = fact.output if fact.error is None else f"Error: {fact.error}\n{fact.output}".rstrip()
    images = tuple(file for file in fact.attachments if file.media_type.startswith("image/"))
    return ToolMessage(fact.call_id, fact.tool, text or "(no output)", failed=fact.error is not None, images=images)


def closing_facts(history: History, reason: str) -> list[e.AnyFact]:
    """The facts that end every open call without running it: asks are canceled, results say that and why."""
    closing: list[e.AnyFact] = []
    for open_call in history.open_calls:
        call = open_call.call
        if open_call.state == "finished":
            continue
        if open_call.waits_for and open_call.waits_for != "agent":
            closing.append(e.AskCanceled(call_id=call.call_id, ask=open_call.waits_for, reason=reason))
        how = "It had started and may have run in part." if open_call.interrupted else "It was not run."
        if open_call.waits_for == "agent":
            how = "What its sub-agent did until then stands."
        closing.append(e.ToolFinished(call_id=call.call_id, tool=call.tool, title=call.tool, output="", error=f"{reason} {how}"))
    return closing
