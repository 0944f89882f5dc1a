"""Tools worked by hand, without a model or a database: the sessions behind `manage.py tool`.

A session keeps facts as any other does, so todos and plan mode are what the product makes of them. Nobody is there to ask,
so a call that would need a permission runs; only plan mode and the tools' own refusals hold it back.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from agents.calls import judged, plan_refusal
from agents.errors import ToolError
from agents.events import AgentStarted, Answer, AnyFact, PlanReviewed, QuestionAnswered, QuestionAsked
from agents.history import History
from agents.host import InMemoryMemories, InMemoryRecorder
from agents.permissions import Verdict
from agents.pieces import well_formed
from agents.sandboxes.sandbox import Sandbox
from agents.shell.secrets import redact
from agents.tools.oversize import shortened
from agents.tools.reach import MOST_DEPTH, Nesting, Reach
from agents.tools.registry import resolve, unknown
from agents.tools.tool import Ask, Decision, Tool, ToolContext, ToolResult
from workspace.management.hand_agents import HandAgents, Opens, Shop, opened

log = logging.getLogger(__name__)


class Said(BaseModel):
    """What the person would say whom a call waits for: answers to a question, or a verdict on a plan."""

    model_config = ConfigDict(extra="forbid")

    answers: tuple[Answer, ...] = ()
    verdict: Literal["approved", "changes"] = "changes"
    message: str = ""


@dataclass
class HandSession:
    """One session's todos, plan and snapshots. `memories` is shared by the sessions of one process."""

    session_id: str
    tools: dict[str, type[Tool]]
    sandbox: Sandbox
    memories: InMemoryMemories
    recorder: InMemoryRecorder = field(default_factory=InMemoryRecorder)
    flags: dict[str, Any] = field(default_factory=dict)
    reach: Reach = field(default_factory=Reach)
    opens: Opens = opened
    calls: int = 0
    waiting: tuple[Tool, Ask] | None = None
    agents: HandAgents | None = None

    @property
    def history(self) -> History:
        return self.recorder.history

    def permission(self, name: str, args: dict[str, Any]) -> Verdict:
        """What the product would do with this call before any person was asked."""
        try:
            tool, context = self._tool(name, args), self._context()
            self._refuse_while_planning(tool, context)
            verdict = judged((), tool, context)
        except ToolError as refused:
            return Verdict("deny", str(refused))
        return Verdict(verdict.action, tool.prompt(context)) if verdict.action == "ask" else verdict

    async def call(self, name: str, args: dict[str, Any]) -> dict[str, Any]:
        """Run one call to its end and give its line."""
        self.calls += 1
        began = monotonic()
        try:
            tool, context = self._tool(name, args), self._context()
            self._refuse_while_planning(tool, context)
            result = await tool.run(context)
            result = result if tool.bounded else await shortened(result, context)
            if isinstance(result.waits, AgentStarted):
                result = await self._led_to_its_end(tool, result.waits)
            self.waiting = (tool, result.waits) if result.waits else self.waiting
        except (ToolError, OSError) as wrong:
            result = ToolResult(name, error=str(wrong) or type(wrong).__name__)
        except Exception as crash:  # as in the product: a tool never throws out of the loop
            log.exception("tool %s crashed", name)
            result = ToolResult(name, error=f"The tool failed unexpectedly: {type(crash).__name__}: {crash}")
        return self._line(result, monotonic() - began)

    async def decide(self, said: Said) -> dict[str, Any]:
        """Play the person who answers the open question or reviews the proposed plan; gives the line of the call that waited."""
        began = monotonic()
        if self.waiting is None:
            return self._line(ToolResult("decision", error="No question or plan waits for a decision."), 0.0)
        (tool, ask), self.waiting = self.waiting, None
        fact = _decision(ask, said)
        self.recorder.add(fact, by="person")
        try:
            result = await tool.conclude(fact, self._context())
        except (ToolError, OSError) as wrong:
            result = ToolResult(tool.name, error=str(wrong))
        return self._line(result, monotonic() - began)

    async def _led_to_its_end(self, tool: Tool, started: AgentStarted) -> ToolResult:
        """Wait for the sub-agent of a call in the foreground; the call's real result."""
        finished = await self._own_agents().ended(started.call_id)
        self.recorder.add(started)
        self.recorder.add(finished)
        return await tool.conclude(finished, self._context())

    def _tool(self, name: str, args: dict[str, Any]) -> Tool:
        tool = resolve(self.tools, name)
        if tool is None:
            raise ToolError(unknown(name, self.tools))
        return tool.parse(args)

    def _refuse_while_planning(self, tool: Tool, context: ToolContext) -> None:
        if self.history.plan.holds_back and tool.mutates and not tool.read_only and not tool.plan_file(context):
            raise ToolError(plan_refusal(tool, self.history))

    def _context(self) -> ToolContext:
        return ToolContext(
            session_id=self.session_id, call_id=f"call-{self.calls}", sandbox=self.sandbox, memories=self.memories,
            todos=self.history.todos, plan=self.history.plan, flags=self.flags, tools=self.tools, nesting=self._nesting(),
            reach=replace(self.reach, agents=self._own_agents()),
        )  # fmt: skip

    def _own_agents(self) -> HandAgents:
        if self.agents is None:
            shop = Shop(self.tools, self.sandbox, self.memories, self.reach, self.opens)
            self.agents = HandAgents(shop, self.session_id, self.session_id, self._nesting())
        self.agents.nesting = self._nesting()  # a later line may have said otherwise
        return self.agents

    def _nesting(self) -> Nesting:
        depth, most = (self.flags.get(name) for name in ("agent_depth", "max_agent_depth"))
        return Nesting(depth if isinstance(depth, int) else 0, most if isinstance(most, int) else MOST_DEPTH)

    def _line(self, result: ToolResult, seconds: float) -> dict[str, Any]:
        kept: tuple[AnyFact, ...] = (*result.facts, result.waits) if result.waits else result.facts
        for fact in kept:
            self.recorder.add(fact)
        return {
            "ok": result.error is None, "title": well_formed(result.title), "output": _shown(result.output),
            "error": None if result.error is None else _shown(result.error),
            "metadata": result.metadata, "seconds": round(seconds, 4),
        }  # fmt: skip


def _shown(text: str) -> str:
    """As the model reads it: text that can be kept, without secrets."""
    return redact(well_formed(text))[0]


def _decision(ask: Ask, said: Said) -> Decision:
    if isinstance(ask, QuestionAsked):
        return QuestionAnswered(question_id=ask.question_id, call_id=ask.call_id, answers=said.answers)
    if isinstance(ask, AgentStarted):
        raise ToolError("A sub-agent works for this call; nobody decides it.")
    return PlanReviewed(revision=ask.revision, hash=ask.hash, verdict=said.verdict, message=said.message, call_id=ask.call_id)
