"""The tool `find`."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

from pydantic import Field

from agents.errors import ToolError
from agents.pieces import in_line
from agents.search.globbing import Listing, Terms, glob
from agents.tools.agent_loop.places import CWD, FINDER, from_cwd, placed
from agents.tools.agent_loop.small import LookingTool
from agents.tools.places import errors_told, is_barred, subject_path
from agents.tools.tool import ToolContext, ToolResult

MOST = 1000
NOTHING = "No files found matching pattern"


class Find(LookingTool):
    """Files by glob, in the order of their paths; 1000 of them."""

    name: ClassVar[str] = "find"
    description: ClassVar[str] = (
        "Find files by glob, sorted by path: *.py in all folders below path, src/*.py in one, src/**/*.py below it, {a,b} either. "
        "Hidden files are found, .git never; what .gitignore excludes only when nothing else fits."
    )
    keywords: ClassVar[tuple[str, ...]] = ("files", "names", "glob", "list", "pattern")

    pattern: str = Field(min_length=1, description="The pattern.")
    path: str = Field(min_length=1, description="The folder to look in; . is everything.")
    cwd: str = Field("", description=CWD)

    def subject(self, context: ToolContext) -> str:
        return subject_path(context, placed(context, self.path, self.cwd))

    async def work(self, context: ToolContext) -> ToolResult:
        path = placed(context, self.path, self.cwd)
        with errors_told(path, FINDER):
            base = context.sandbox.files.relative(path)
            if context.sandbox.files.stat(path).kind != "folder":
                raise ToolError(f"{path} is not a folder; give the folder to look in.")
        barred = None if context.barred is None else partial(is_barred, context, self.name)
        pattern = self.pattern if "/" in self.pattern else f"**/{self.pattern}"
        found = await glob(context.sandbox, pattern, base, Terms(MOST, by_path=True, barred=barred))
        metadata: dict[str, Any] = {
            "pattern": self.pattern, "base_path": base, "total_matches": found.total, "shown_matches": len(found.paths),
            "truncated": found.total > len(found.paths),
        }  # fmt: skip
        return ToolResult(f"Find: {self.pattern}", self._said(found, context), metadata)

    def _said(self, found: Listing, context: ToolContext) -> str:
        if not found.total:
            return NOTHING
        lines = ["\n".join(in_line(from_cwd(context, path, self.cwd)) for path in found.paths)]
        if found.total > len(found.paths):
            lines.append(f"[{len(found.paths)} of {found.total} files. Refine pattern or path to see the others]")
        if found.ignored:
            lines.append("[.gitignore excludes all of these]")
        return "\n\n".join(lines)
