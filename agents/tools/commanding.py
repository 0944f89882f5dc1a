"""What tools that run a command line have in common: what people are asked before, and who runs what needs a terminal."""

from __future__ import annotations

from typing import ClassVar, Literal

from agents.shell.aws import AwsRisk, classify
from agents.shell.terminal import needs_terminal
from agents.tools.handing import refuse_unheld, taken_back
from agents.tools.places import begin_in
from agents.tools.tool import Decision, Tool, ToolContext, ToolResult

LONGEST = 100
"""Characters of a command line in the sentence that people are asked."""


class Commanding(Tool):
    """Base of those tools. A subclass says in `line` what is run."""

    subject_is_command: ClassVar[bool] = True

    @property
    def line(self) -> str:
        """The command line."""
        raise NotImplementedError

    def folder(self, context: ToolContext) -> str:
        """Where it is run, as it was named."""
        return begin_in(context, "")

    def subject(self, context: ToolContext) -> str:
        return self.line

    def prompt(self, context: ToolContext) -> str:
        folder, aws = self.folder(context), classify(self.line)
        head = self.line if len(self.line) <= LONGEST else f"{self.line[: LONGEST - 1]}…"
        where = f" (in {folder})" if folder != "." else ""
        return f"Run: {head}{where}{f' [AWS, {aws.risk}: {aws.reason}]' if aws.is_aws else ''}"

    def requires_permission(self, context: ToolContext) -> str | None:
        refuse_unheld(context)  # before people are asked for what could not run
        return None if needs_terminal(self.line) else self.prompt(context)  # who runs it by hand decides by that

    def risk(self, context: ToolContext) -> Literal["low", "medium", "high"]:
        aws = classify(self.line)
        if not aws.is_aws:
            return "medium"
        return "low" if aws.risk is AwsRisk.READ else "high"

    async def conclude(self, decision: Decision, context: ToolContext) -> ToolResult:
        return taken_back(self.line, decision)
