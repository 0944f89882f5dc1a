"""The tool `glob`."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar, Literal

from pydantic import Field

from agents.errors import ToolError
from agents.pieces import in_line
from agents.search.globbing import Listing, Terms, glob
from agents.tools.places import begin_in, errors_told, is_barred, subject_path
from agents.tools.tool import Tool, ToolContext, ToolResult
from agents.words import counted

USUAL, MOST = 100, 2000


class Glob(Tool):
    """Files by name, in the order of their paths."""

    name: ClassVar[str] = "glob"
    description: ClassVar[str] = (
        "Find files by name, in the order of their paths. * and ? stay within a name, ** is any number of folders, {a,b} either: *.py "
        "looks in the workspace's root, **/*.py everywhere, src/**/*.py below src, **/deep/*.py in every such folder. Hidden files are "
        "found, .git never; what .gitignore excludes only when nothing else fits."
    )
    keywords: ClassVar[tuple[str, ...]] = ("find", "files", "names", "list", "folder")
    always_load: ClassVar[bool] = True
    read_only: ClassVar[bool] = True
    mutates: ClassVar[bool] = False
    asks: ClassVar[Literal["allow", "ask"]] = "allow"

    pattern: str = Field(min_length=1, description="The pattern, such as **/*.py or src/*.{ts,svelte}.")
    max_results: int = Field(USUAL, ge=1, description=f"How many files to name: {USUAL} by default, at most {MOST}.")

    def subject(self, context: ToolContext) -> str:
        return subject_path(context, begin_in(context, ""))

    async def run(self, context: ToolContext) -> ToolResult:
        base = begin_in(context, "")
        with errors_told(base):
            base = context.sandbox.files.relative(base)
        barred = None if context.barred is None else partial(is_barred, context, self.name)
        listing = await glob(context.sandbox, self._inside(context), base, Terms(min(self.max_results, MOST), by_path=True, barred=barred))
        metadata: dict[str, Any] = {
            "pattern": self.pattern, "max_results": self.max_results, "matched_count": len(listing.paths),
            "total_matches": listing.total, "matched_files": listing.paths,
        }  # fmt: skip
        return ToolResult(f"Glob: {self.pattern}", self._said(listing), metadata)

    def _inside(self, context: ToolContext) -> str:
        """The pattern from the workspace's root."""
        for root in (context.sandbox.mount, context.sandbox.root):
            if self.pattern.startswith(f"{root.rstrip('/')}/"):
                return self.pattern.removeprefix(f"{root.rstrip('/')}/")
        if self.pattern.startswith("/") or ".." in self.pattern.split("/"):
            raise ToolError(f"The pattern {self.pattern!r} leaves the workspace. Patterns begin at its root, such as src/**/*.py.")
        return self.pattern

    def _said(self, listing: Listing) -> str:
        if not listing.total:
            lines = [f"No files match {self.pattern!r}."]
            if self.pattern.endswith("/"):
                lines.append(f"[A pattern is about files: {self.pattern}** finds those in a folder]")
        else:
            named = "".join(f"  - {in_line(path)}\n" for path in listing.paths)
            lines = [f"Found {listing.total} file(s) matching pattern {self.pattern!r}:\n{named}"]
        if listing.total > len(listing.paths):
            lines.append(f"[Showing the first {len(listing.paths)}; narrow the pattern, or raise max_results (at most {MOST})]")
        if listing.ignored:
            lines.append("[.gitignore excludes all of these]")
        if listing.passed:
            lines.append(f"[{counted(listing.passed, 'file')} left out: a rule of this project denies them]")
        return "\n".join(lines)
