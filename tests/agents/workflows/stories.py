"""Driving a workflow in memory: the agent, the way through, and what a worker finds that takes over anywhere on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import ClassVar, Literal

from agents import events as e
from agents.agent import Agent
from agents.budget import Budget
from agents.history import History
from agents.host import InMemoryMemories, InMemoryRecorder
from agents.loop import Continue, Outcome
from agents.permissions import Rule
from agents.providers.catalog import open_provider
from agents.sandboxes.choose import open_sandbox
from agents.sandboxes.sandbox import SandboxWish
from agents.tools.oats.bash import Bash
from agents.tools.oats.read import Read
from agents.tools.oats.write import Write
from agents.tools.tool import Tool, ToolContext, ToolResult
from agents.workflows import workflow
from tests.agents.toys import Look, Paint, Wonder

TOOLS: tuple[type[Tool], ...] = (Look, Paint, Wonder, Read, Write, Bash)
EVERYTHING = (Rule("*", "*", "allow"),)
UNBOUNDED = Budget()


class Claim(Tool):
    """Says that the task is done."""

    name: ClassVar[str] = "attempt_completion"
    description: ClassVar[str] = "Say that it is done."
    read_only: ClassVar[bool] = True
    mutates: ClassVar[bool] = False
    asks: ClassVar[Literal["allow", "ask"]] = "allow"

    result: str
    command: str = ""

    async def run(self, context: ToolContext) -> ToolResult:
        done = e.CompletionAttempted(call_id=context.call_id, result=self.result, command=self.command)
        return ToolResult("Completion", self.result, facts=(done,))


def worker(
    root: Path,
    script: str,
    *,
    tools: Sequence[type[Tool]] = (*TOOLS, Claim),
    rules: tuple[Rule, ...] = EVERYTHING,
    budget: Budget = UNBOUNDED,
) -> Agent:
    return Agent(
        session_id="s1",
        provider=open_provider("scripted", script=script),
        model="scripted",
        system="You paint.",
        tools={tool.name: tool for tool in tools},
        sandbox=open_sandbox(SandboxWish(root=str(root), level="local")),
        memories=InMemoryMemories(),
        rules=rules,
        budget=budget,
    )


def queued(name: str, text: str = "Paint the wall of painter.py") -> InMemoryRecorder:
    recorder = InMemoryRecorder()
    opened = e.SessionOpened(title="t", toolset="oats", provider="scripted", model="scripted", workflow=name)
    for fact in (opened, e.UserSpoke(message_id="m1", text=text), e.RunQueued(run_id="r1"), e.RunStarted(run_id="r1")):
        recorder.add(fact, by="alice" if isinstance(fact, e.UserSpoke) else None)
    return recorder


async def play(agent: Agent, recorder: InMemoryRecorder, most: int = 300, until: Callable[[], bool] = lambda: False) -> Outcome:
    """Step after step as a host makes them, until the run ends or waits."""
    outcome: Outcome = Continue()
    for _ in range(most):
        if not isinstance(outcome, Continue) or until():
            return outcome
        outcome = await workflow(recorder.history.workflow).step(agent, recorder.history, recorder)
    raise AssertionError(f"no end within {most} steps")


def facts(recorder: InMemoryRecorder) -> list[e.AnyFact]:
    return [entry.fact for entry in recorder.entries]


def phases(recorder: InMemoryRecorder) -> list[str]:
    """The phases and verdicts of the last run, in order; a phase that only says something more is told once."""
    way: list[str] = []
    for fact in facts(recorder):
        if isinstance(fact, e.RunQueued):
            way = []
        if isinstance(fact, e.PhaseEntered) and f"{fact.phase} {fact.cycle}" not in way[-1:]:
            way.append(f"{fact.phase} {fact.cycle}")
        if isinstance(fact, e.VerdictGiven):
            way.append("verified" if fact.verified else "not verified")
    return way


def results(recorder: InMemoryRecorder) -> list[e.ToolFinished]:
    return [fact for fact in facts(recorder) if isinstance(fact, e.ToolFinished)]


def told(recorder: InMemoryRecorder) -> list[str]:
    """What the workflow said to the model."""
    return [fact.told for fact in facts(recorder) if isinstance(fact, e.PhaseEntered | e.VerdictGiven) and fact.told]


def taken_over(recorder: InMemoryRecorder, upto: int) -> InMemoryRecorder:
    """A worker that finds the log as far as its entry `upto` and knows nothing else."""
    other = InMemoryRecorder(History())
    for entry in recorder.entries[:upto]:
        other.entries.append(entry)
        other.history.apply(entry)
    for fact in (e.RunLost(run_id="r1"), e.RunStarted(run_id="r1")):
        other.add(fact)
    return other


def began_at(recorder: InMemoryRecorder, at: datetime) -> InMemoryRecorder:
    """The same log with all entries so far made at this moment."""
    other = InMemoryRecorder(History())
    for entry in recorder.entries:
        other.entries.append(entry.model_copy(update={"at": at}))
        other.history.apply(other.entries[-1])
    return other


def now() -> datetime:
    return datetime.now(UTC)
