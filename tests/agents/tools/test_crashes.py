"""What a faulty tool can do to a session: nothing but fail its own call."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, Literal

import pytest
from pydantic import model_validator

from agents.loop import Continue, Done, Outcome, step
from agents.tools.tool import Tool, ToolContext, ToolResult
from tests.agents.toys import asked, results, toy_agent


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

    def subject(self, context: ToolContext) -> str:
        self._break("subject")
        return ""

    def requires_permission(self, context: ToolContext) -> str | None:
        self._break("permission")
        return "ask" if self.where == "preview" else None

    def preview(self, context: ToolContext) -> str:
        self._break("preview")
        return ""

    async def run(self, context: ToolContext) -> ToolResult:
        self._break("run")
        if self.where == "disk":
            raise PermissionError(13, "Permission denied", "a.txt")
        gives: dict[str, Any] = {
            "nothing": None, "words": "done", "metadata": ToolResult("x", metadata={"x": object()}),
            "bytes": ToolResult("x", b"y"),  # type: ignore[arg-type]  # as a tool without types might
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
