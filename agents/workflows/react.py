"""React: the model speaks, its calls run, until it has nothing more to say or says that it is done."""

from __future__ import annotations

from agents.agent import Agent
from agents.budget import Budget
from agents.history import History
from agents.loop import Continue, Done, Outcome
from agents.ports import Recorder
from agents.tools.tool import Tool
from agents.workflows.endings import is_done, step


class React:
    """Nothing but the step."""

    name = "react"
    title = "React"
    about = "The agent speaks and uses tools until it is done."
    phases: tuple[str, ...] = ()
    tools: tuple[type[Tool], ...] = ()
    budget = Budget()

    async def step(self, agent: Agent, history: History, recorder: Recorder) -> Outcome:
        if is_done(history):
            return Done()
        outcome = await step(agent, history, recorder)
        return Done() if isinstance(outcome, Continue) and is_done(history) else outcome
