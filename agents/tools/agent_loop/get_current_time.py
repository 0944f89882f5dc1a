"""The tool `get_current_time`."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import ClassVar

from agents.tools.agent_loop.small import LookingTool
from agents.tools.tool import ToolContext, ToolResult


class GetCurrentTime(LookingTool):
    """Now, in UTC, to the microsecond."""

    name: ClassVar[str] = "get_current_time"
    description: ClassVar[str] = "Tell the date and time, in UTC and ISO 8601: 2026-02-10T12:34:56.123456+00:00. Takes no arguments."
    keywords: ClassVar[tuple[str, ...]] = ("time", "date", "now", "clock", "utc")

    async def work(self, context: ToolContext) -> ToolResult:
        return ToolResult("Current time", datetime.now(UTC).isoformat(timespec="microseconds"), {"timezone": "UTC"})
