"""What the tools of this set have in common: a failure begins with the same words, whatever it was."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self

from agents.errors import InvalidArguments, ToolError
from agents.tools.tool import Tool, ToolContext, ToolResult

FAILED = "Tool execution error: "


class SmallTool(Tool):
    """Base of the set. Subclasses do their work in `work`, under the contract of `run`."""

    always_load: ClassVar[bool] = True
    absent: ClassVar[str] = "Tool not found: {name}."

    @classmethod
    def parse(cls, arguments: dict[str, Any]) -> Self:
        try:
            return super().parse(arguments)
        except InvalidArguments as wrong:
            raise InvalidArguments(f"{FAILED}{wrong}") from wrong

    async def run(self, context: ToolContext) -> ToolResult:
        try:
            return await self.work(context)
        except (ToolError, OSError) as wrong:
            raise ToolError(f"{FAILED}{wrong}") from wrong

    async def work(self, context: ToolContext) -> ToolResult:
        raise NotImplementedError


class LookingTool(SmallTool):
    """One that changes nothing, and that nobody need be asked for."""

    read_only: ClassVar[bool] = True
    mutates: ClassVar[bool] = False
    asks: ClassVar[Literal["allow", "ask"]] = "allow"
