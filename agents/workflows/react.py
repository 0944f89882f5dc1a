"""React: the model speaks, its calls run, until it has nothing more to say or says that it is done."""

from __future__ import annotations

from agents import loop
from agents.agent import Agent
from agents.history import History
from agents.ports import Recorder


class React:
    """Nothing but the step."""

    name = "react"
    title = "React"
    about = "The agent speaks and uses tools until it is done."
    phases: tuple[str, ...] = ()

    async def step(self, agent: Agent, history: History, recorder: Recorder) -> loop.Outcome:
        return await loop.step(agent, history, recorder)
