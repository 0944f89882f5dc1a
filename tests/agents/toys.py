"""Small tools and a ready agent for the loop's tests: nothing in them touches a disk."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import ClassVar, Literal

from agents import events as e
from agents.agent import Agent
from agents.errors import ToolError
from agents.events import Answer, QuestionAnswered, QuestionAsked, QuestionItem
from agents.host import InMemoryMemories, InMemoryRecorder
from agents.loop import Continue, Outcome, step
from agents.permissions import Rule
from agents.providers.catalog import open_provider
from agents.sandboxes.choose import open_sandbox
from agents.sandboxes.sandbox import SandboxWish
from agents.tools.tool import Decision, Tool, ToolContext, ToolResult


class Look(Tool):
    """Reads something."""

    name: ClassVar[str] = "look"
    description: ClassVar[str] = "Look at a thing."
    aliases: ClassVar[tuple[str, ...]] = ("peek",)
    read_only: ClassVar[bool] = True
    mutates: ClassVar[bool] = False
    asks: ClassVar[Literal["allow", "ask"]] = "allow"
    running: ClassVar[list[int]] = [0, 0]

    at: str

    async def run(self, context: ToolContext) -> ToolResult:
        self.running[0] += 1
        self.running[1] = max(self.running)
        for _ in range(20):
            await asyncio.sleep(0)
        self.running[0] -= 1
        return ToolResult(f"Looked at {self.at}", f"{self.at} seen")


class Paint(Tool):
    """Changes something, and so asks."""

    name: ClassVar[str] = "paint"
    description: ClassVar[str] = "Paint a thing."
    done: ClassVar[list[str]] = []

    thing: str
    colour: str = "red"

    def subject(self, context: ToolContext) -> str:
        return self.thing

    def plan_file(self, context: ToolContext) -> bool:
        return self.thing == context.plan.plan_file

    async def run(self, context: ToolContext) -> ToolResult:
        context.show(f"painting {self.thing}")
        if self.thing == "wet":
            await asyncio.Event().wait()
        if self.thing == "glass":
            raise ToolError("Glass cannot be painted.")
        if self.thing == "air":
            raise ZeroDivisionError("no air")
        self.done.append(self.thing)
        return ToolResult(f"Painted {self.thing}", f"{self.thing} is {self.colour}")


class Wonder(Tool):
    """Asks people."""

    name: ClassVar[str] = "wonder"
    description: ClassVar[str] = "Ask people a question."
    mutates: ClassVar[bool] = False
    asks: ClassVar[Literal["allow", "ask"]] = "allow"

    question: str

    async def run(self, context: ToolContext) -> ToolResult:
        items = (QuestionItem(question=self.question),)
        ask = QuestionAsked(question_id=f"q-{context.call_id}", call_id=context.call_id, questions=items)
        return ToolResult("Asked", waits=ask)

    async def conclude(self, decision: Decision, context: ToolContext) -> ToolResult:
        assert isinstance(decision, QuestionAnswered)
        return ToolResult("Answered", decision.answers[0].text)


def answer(call_id: str, text: str) -> QuestionAnswered:
    return QuestionAnswered(question_id=f"q-{call_id}", call_id=call_id, answers=(Answer(text=text),))


def toy_agent(root: str, script: str, rules: tuple[Rule, ...] = (), max_steps: int = 50) -> Agent:
    return Agent(
        session_id="s1",
        provider=open_provider("scripted", script=script),
        model="scripted",
        system="You paint.",
        tools={tool.name: tool for tool in (Look, Paint, Wonder)},
        sandbox=open_sandbox(SandboxWish(root=root, level="local")),
        memories=InMemoryMemories(),
        rules=rules,
        max_steps=max_steps,
    )


def told(recorder: InMemoryRecorder) -> list[str]:
    """The types of all kept facts, in order."""
    return [entry.fact.type for entry in recorder.entries]


ALLOW = (Rule("paint", "*", "allow"),)


def asked(text: str = "go") -> InMemoryRecorder:
    recorder = InMemoryRecorder()
    recorder.add(e.UserSpoke(message_id="m1", text=text), by="alice")
    recorder.add(e.RunQueued(run_id="r1"))
    return recorder


async def run(root: Path, script: str, recorder: InMemoryRecorder, rules: tuple[Rule, ...] = (), steps: int = 9) -> Outcome:
    agent = toy_agent(str(root), script, rules)
    outcome: Outcome = Continue()
    for _ in range(steps):
        outcome = await step(agent, recorder.history, recorder)
        if not isinstance(outcome, Continue):
            break
    return outcome


def results(recorder: InMemoryRecorder) -> list[e.ToolFinished]:
    return [entry.fact for entry in recorder.entries if isinstance(entry.fact, e.ToolFinished)]
