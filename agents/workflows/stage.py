"""What one step of a workflow with phases works on, and what a phase may forbid."""

from __future__ import annotations

from dataclasses import dataclass, replace

from agents import events as e
from agents import loop
from agents.agent import Agent, Forbids
from agents.history import History
from agents.ports import Recorder
from agents.progress import Progress
from agents.tools.tool import Tool, ToolContext
from agents.workflows.endings import COMPLETES, step


@dataclass(frozen=True)
class Stage:
    """The run as one workflow finds it at the beginning of a step."""

    workflow: str
    agent: Agent
    history: History
    recorder: Recorder

    @property
    def progress(self) -> Progress:
        return self.history.progress

    @property
    def phase(self) -> str:
        """The phase that stands; "" where none of this workflow's does."""
        standing = self.progress.phase
        return standing.phase if standing is not None and standing.workflow == self.workflow else ""

    @property
    def cycle(self) -> int:
        return self.progress.phase.cycle if self.phase and self.progress.phase is not None else 0

    @property
    def idle(self) -> int:
        """Replies in a row in this phase that called nothing."""
        return min(self.progress.idle, self.progress.phase_replies)

    def has_gone_on(self, replies: int) -> bool:
        """Whether the phase had so many replies and nothing of the last is open."""
        return self.progress.phase_replies >= replies and not self.history.open_calls

    async def enter(self, phase: str, cycle: int, told: str = "", detail: str = "") -> loop.Continue:
        """Begin a phase, or say something more in the one that stands."""
        await self.recorder.keep(e.PhaseEntered(workflow=self.workflow, phase=phase, cycle=cycle, detail=detail, told=told))
        return loop.Continue()

    async def step(self) -> loop.Outcome:
        return await step(self.agent, self.history, self.recorder)

    async def begin(self) -> loop.Outcome | None:
        """What is to be done before the first phase, such as calls that another workflow left open. None where nothing is."""
        if self.history.open_calls:
            return await loop.act(self.agent, self.history, self.recorder)
        return loop.limit(self.agent, self.history) if self.history.wants_reply else loop.Done()

    def only_reading(self) -> Stage:
        """The same where nothing may be changed and no command run."""
        return replace(self, agent=replace(self.agent, forbids=_unless_it_reads(self.phase)))

    def only_checking(self) -> Stage:
        """The same where commands may be run and nothing else that changes anything."""
        return replace(self, agent=replace(self.agent, forbids=_unless_it_checks(self.phase)))


def _unless_it_reads(phase: str) -> Forbids:
    def forbids(tool: Tool, context: ToolContext) -> str:
        if tool.name == COMPLETES:
            return _no_completion(phase)
        if tool.mutates and not tool.read_only and not tool.plan_file(context):
            return f"In the phase {phase} nothing may be changed and no command run, so {tool.name} was refused. Read what you need."
        return ""

    return forbids


def _unless_it_checks(phase: str) -> Forbids:
    def forbids(tool: Tool, context: ToolContext) -> str:
        if tool.name == COMPLETES:
            return _no_completion(phase)
        if tool.mutates and not tool.read_only and not tool.subject_is_command:
            return f"In the phase {phase} nothing may be changed, so {tool.name} was refused. Read, and run what shows whether it works."
        return ""

    return forbids


def _no_completion(phase: str) -> str:
    return f"The phase {phase} ends with a reply without any call, so {COMPLETES} was refused."
