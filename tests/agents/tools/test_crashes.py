"""What a faulty tool can do to a session: nothing but fail its own call."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any, ClassVar, Literal

import pytest
from pydantic import model_validator

from agents.calls import finished
from agents.events import Call, facts
from agents.loop import Continue, Done, Outcome, step
from agents.tools.crashes import sound
from agents.tools.tool import Tool, ToolContext, ToolResult
from tests.agents.tools.hands import Hands
from tests.agents.toys import asked, results, toy_agent

ENDS: dict[str, BaseException] = {"exit": SystemExit(3), "cancel": asyncio.CancelledError()}
PARTS: dict[str, Any] = {
    "bytes": {"output": b"y"}, "numbers": {"metadata": {1: 2}}, "rows": {"metadata": ["a"]}, "huge": {"metadata": {"n": 10**5000}},
    "changes": {"changes": ("a.txt",)}, "facts": {"facts": ("done",)}, "waits": {"waits": "bob"}, "redactions": {"redactions": "some"},
}  # fmt: skip
"""Results as a tool without types might give them."""


class Faulty(Tool):
    """Breaks where it is told to."""

    name: ClassVar[str] = "faulty"
    description: ClassVar[str] = "Breaks."
    asks: ClassVar[Literal["allow", "ask"]] = "allow"

    where: str

    @model_validator(mode="after")
    def breaks_when_read(self) -> Faulty:
        self._break("parse")
        return self

    def _break(self, where: str) -> None:
        if self.where == where:
            raise KeyError("spanner")
        if self.where == f"{where} as next does":
            raise StopIteration

    def subject(self, context: ToolContext) -> str:
        self._break("subject")
        return ""

    def requires_permission(self, context: ToolContext) -> str | None:
        self._break("permission")
        return "ask" if self.where.startswith("preview") else None

    def preview(self, context: ToolContext) -> str:
        self._break("preview")
        return ""

    async def run(self, context: ToolContext) -> ToolResult:
        self._break("run")
        if self.where == "disk":
            raise PermissionError(13, "Permission denied", "a.txt")
        if self.where in ENDS:
            raise ENDS[self.where]
        gives: dict[str, Any] = {
            "nothing": None, "words": "done", "metadata": ToolResult("x", metadata={"x": object()}),
            **{name: ToolResult("x", **part) for name, part in PARTS.items()},
        }  # fmt: skip
        result: ToolResult = gives.get(self.where, ToolResult("Fine", "worked"))
        return result


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("parse", "failed unexpectedly: KeyError: 'spanner'"),
        ("subject", "failed unexpectedly: KeyError: 'spanner'"),
        ("permission", "failed unexpectedly: KeyError: 'spanner'"),
        ("preview", "failed unexpectedly: KeyError: 'spanner'"),
        ("run", "failed unexpectedly: KeyError: 'spanner'"),
        ("disk", "Permission denied: 'a.txt'"),
        ("nothing", "gave NoneType where a ToolResult is due"),
        ("words", "gave str where a ToolResult is due"),
        ("metadata", "metadata that cannot be kept"),
        ("bytes", "no text"),
        ("subject as next does", "failed unexpectedly: RuntimeError: StopIteration"),
        ("preview as next does", "failed unexpectedly: "),
        ("exit", "failed unexpectedly: SystemExit: 3"),
        ("cancel", "failed unexpectedly: CancelledError"),
        ("numbers", "metadata that is no dict with names"),
        ("rows", "metadata that is no dict with names"),
        ("huge", "metadata that cannot be kept"),
        ("changes", "changes that are not all of the class FileChange"),
        ("facts", "facts that are not all of the class Fact"),
        ("waits", "something to wait for that nobody can answer"),
        ("redactions", "redactions that are no number"),
    ],
)
async def test_a_faulty_tool_fails_its_call_and_the_agent_goes_on(tmp_path: Path, where: str, said: str) -> None:
    recorder = asked()
    calls = "".join(f"  - call: {{tool: faulty, args: {{where: {place}}}}}\n" for place in (where, "nowhere"))
    agent = toy_agent(str(tmp_path), f"- parts:\n{calls}- text: done\n")
    agent.tools = {"faulty": Faulty}
    outcome: Outcome = Continue()
    while isinstance(outcome, Continue):
        outcome = await step(agent, recorder.history, recorder)
    assert outcome == Done()
    broken, fine = results(recorder)
    assert said in (broken.error or "")
    assert (fine.error, fine.output) == (None, "worked")


async def test_names_that_are_no_text_fail_no_call(hands: Hands) -> None:
    odd = os.fsdecode(b"\xff.txt")
    hands.put({odd: "one\n"})
    (hands.root / "link.txt").symlink_to(odd)
    result = sound(await hands.call("write", file_path="link.txt", content="two\n"))
    assert (result.error, [change.path for change in result.changes]) == (None, ["\ufffd.txt"])
    assert hands.files() == {odd: b"two\n"}
    fact = finished(Call(call_id="c", tool="write", arguments="{}"), result, 0.0)
    assert facts.validate_json(fact.model_dump_json()) == fact
