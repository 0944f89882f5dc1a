"""The tool `calculate`."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from pydantic import Field

from agents.tools.agent_loop.arithmetic import worked_out
from agents.tools.agent_loop.small import LookingTool
from agents.tools.tool import ToolContext, ToolResult


class Calculate(LookingTool):
    """Sums, products, quotients and powers of plain numbers; whole numbers stay exact."""

    name: ClassVar[str] = "calculate"
    description: ClassVar[str] = (
        "Work out an arithmetic expression such as (2+3)*4. Takes numbers, + - * / // % **, signs and parentheses; no names, functions "
        "or comparisons. Whole numbers are exact."
    )
    keywords: ClassVar[tuple[str, ...]] = ("arithmetic", "numbers", "sum", "math")

    expression: str = Field(description="The expression to work out.")

    async def work(self, context: ToolContext) -> ToolResult:
        value = await asyncio.to_thread(worked_out, self.expression)
        return ToolResult(f"Calculate: {self.expression[:200]}", str(value), {"expression": self.expression})
