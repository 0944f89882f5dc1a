"""The port of a workflow: what a host calls again and again in place of the bare step."""

from __future__ import annotations

from typing import Protocol

from agents.agent import Agent
from agents.budget import Budget
from agents.history import History
from agents.loop import Outcome
from agents.ports import Recorder
from agents.tools.tool import Tool


class Workflow(Protocol):
    """A way to work. It keeps nothing itself: where it stands follows from the history, so any worker goes on from any phase."""

    name: str
    title: str
    about: str
    """A line for people who choose one."""
    phases: tuple[str, ...]
    """The phases of one cycle, in order; none where there is nothing but the step."""
    tools: tuple[type[Tool], ...]
    """What an agent is given besides its toolset's."""
    budget: Budget
    """What holds where the agent's own budget says nothing."""

    async def step(self, agent: Agent, history: History, recorder: Recorder) -> Outcome:
        """One step of the run. Contract: that of `agents.loop.step`; a phase is entered by keeping a PhaseEntered."""
