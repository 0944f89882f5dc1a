"""A tool of our office in Alfredo's way: a spec for the models, a class for the work."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from agents.tools.alfredo.custom import BaseToolHandler, registry
from agents.tools.alfredo.families import ModelFamily
from agents.tools.alfredo.specs import ToolParameter, ToolSpec
from agents.tools.tool import ToolResult

PATH = ToolParameter("path", instruction="The text file, relative to the workspace.", usage="notes/monday.txt")
FIRST = ToolParameter("first", required=False, instruction="The number of the first line; 1 where nothing is said.", type="integer")


class NumberLines(BaseToolHandler):
    """Shows a text file with the numbers that our forms refer to."""

    read_only: ClassVar[bool] = True
    asks: ClassVar[Literal["allow", "ask"]] = "allow"
    group: ClassVar[str] = "office"

    @property
    def tool_id(self) -> str:
        return "number_lines"

    def execute(self, params: dict[str, Any]) -> ToolResult:
        self.validate_required_param(params, "path")
        path = self.get_relative_path(params["path"])
        try:
            lines = self.files.read(path).decode().splitlines()
        except (OSError, UnicodeDecodeError) as wrong:
            return ToolResult.err(f"{path} cannot be read as text: {wrong}. Name a text file of the workspace.")
        return ToolResult.ok("\n".join(f"{number}. {line}" for number, line in enumerate(lines, params.get("first", 1))))


registry.register_spec(ToolSpec("number_lines", "number_lines", "Show a text file with numbered lines.", parameters=(PATH, FIRST)))
registry.register_spec(ToolSpec("number_lines", "number_lines", "A text file, its lines numbered.", ModelFamily.NEXT_GEN))
registry.register_handler("number_lines", NumberLines)
