"""The tool `attempt_completion`."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from agents.events import CompletionAttempted
from agents.pieces import well_formed
from agents.shell.secrets import redact
from agents.tools.alfredo.families import ModelFamily
from agents.tools.alfredo.specs import ToolSpec
from agents.tools.alfredo.worded import Worded
from agents.tools.tool import ToolContext, ToolResult

LONGEST = 100_000
"""Characters of what is said of the work that are kept as its result."""


class AttemptCompletion(Worded):
    """The agent says that its work is done; what follows from that is the workflow's business."""

    name: ClassVar[str] = "attempt_completion"
    description: ClassVar[str] = (
        "Say that the task is complete. This is the only way to end the work: a reply without it does not. Call it by itself, once every "
        "step is done and you have seen for yourself that what was asked for holds."
    )
    keywords: ClassVar[tuple[str, ...]] = ("done", "finish", "complete", "end", "result")
    read_only: ClassVar[bool] = False
    mutates: ClassVar[bool] = False
    asks: ClassVar[Literal["allow", "ask"]] = "allow"
    variants: ClassVar[tuple[ToolSpec, ...]] = (
        ToolSpec(
            "attempt_completion", "attempt_completion", "End the work: the task is done, and you have checked that it is.",
            ModelFamily.NEXT_GEN,
        ),
    )  # fmt: skip

    result: str = Field(
        min_length=1,
        description="What you did, which files you created or changed, which commands you ran and what came of them, and that the task is "
        "done. No question and no offer at its end.",
    )
    command: str = Field("", description="A command that shows the result, if there is one; it is shown, not run.")

    async def run(self, context: ToolContext) -> ToolResult:
        shown = f"\n\nFinal command executed: {self.command}" if self.command.strip() else ""
        result, command = (redact(well_formed(text[:LONGEST]))[0] for text in (self.result, self.command))
        fact = CompletionAttempted(call_id=context.call_id, result=result, command=command)
        return ToolResult("Completion", f"[TASK_COMPLETE]\n{self.result}{shown}", {"command": self.command}, facts=(fact,))
