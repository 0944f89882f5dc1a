"""The database side of `read`, `write` and `search`; each gives None where the path means no database."""

from __future__ import annotations

from agents.reading.texts import Text
from agents.tools.tool import ToolContext, ToolResult


async def read_database(path: str, context: ToolContext) -> ToolResult | None:
    """What the selector behind the database's name asks for. Raises ToolError."""
    return None


async def write_database(path: str, content: str, context: ToolContext) -> ToolResult | None:
    """Write what the selector names. Raises ToolError, and then nothing was changed."""
    return None


async def searchable_database(path: str, context: ToolContext) -> list[Text] | None:
    """The texts to look through. Raises ToolError."""
    return None
