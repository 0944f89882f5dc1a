"""What the tools that go to the web have in common."""

from __future__ import annotations

from typing import ClassVar, Literal

from agents.errors import ToolError
from agents.ports import Web
from agents.tools.tool import Tool, ToolContext


class WebTool(Tool):
    """Reads the web and changes nothing here. People are asked where the project has no network: a question can carry something out."""

    read_only: ClassVar[bool] = True
    mutates: ClassVar[bool] = False
    asks: ClassVar[Literal["allow", "ask"]] = "ask"
    group: ClassVar[str] = "web_tools"

    def requires_permission(self, context: ToolContext) -> str | None:
        return None if context.sandbox.network else self.prompt(context)


def web_of(context: ToolContext) -> Web:
    """Raises ToolError where this session has no way to the web."""
    if context.reach.web is None:
        raise ToolError("This session has no way to the web. Whoever manages the project can switch its web tools on.")
    return context.reach.web


def query_of(query: str) -> str:
    """In one line. Raises ToolError where nothing is asked."""
    asked = " ".join(query.split())
    if not asked:
        raise ToolError("The query is empty. Say what to search for.")
    return asked
