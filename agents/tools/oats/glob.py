"""The tool `glob`."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field

from agents.errors import ToolError
from agents.search.globbing import MOST_FILES, Listing, glob
from agents.tools.places import begin_in, errors_told, in_words, subject_path
from agents.tools.tool import Tool, ToolContext, ToolResult


class Glob(Tool):
    """Files by name, the last changed first; 500 of them."""

    name: ClassVar[str] = "glob"
    description: ClassVar[str] = (
        "Find files by name, the last changed first, at most 500. * and ? stay within a name, ** is any number of folders, {a,b} either: "
        "*.py looks in one folder, **/*.py in all below it. Hidden files are found, .git never; what .gitignore excludes only "
        "when nothing else fits."
    )
    aliases: ClassVar[tuple[str, ...]] = ("find_files", "list_files")
    keywords: ClassVar[tuple[str, ...]] = ("find", "files", "names", "list", "folder")
    always_load: ClassVar[bool] = True
    strict: ClassVar[bool] = True
    read_only: ClassVar[bool] = True
    mutates: ClassVar[bool] = False
    asks: ClassVar[Literal["allow", "ask"]] = "allow"

    pattern: str = Field(min_length=1, description="The pattern, such as **/*.py or src/*.{ts,svelte}.")
    path: str = Field("", description="The folder to look in; by default the workspace.")

    def subject(self, context: ToolContext) -> str:
        return subject_path(context, begin_in(context, self.path))

    async def run(self, context: ToolContext) -> ToolResult:
        path = begin_in(context, self.path)
        with errors_told(path):
            base = context.sandbox.files.relative(path)
            if context.sandbox.files.stat(path).kind != "folder":
                raise ToolError(f"{path} is not a folder; give the folder to look in.")
        listing = await glob(context.sandbox, self.pattern, base)
        metadata: dict[str, Any] = {
            "pattern": self.pattern, "base_path": base, "total_matches": listing.total, "shown_matches": len(listing.paths),
            "truncated": listing.total > len(listing.paths),
        }  # fmt: skip
        return ToolResult(f"Glob: {self.pattern}", self._said(listing, base), metadata)

    def _said(self, listing: Listing, base: str) -> str:
        if not listing.total:
            return f"No files match {self.pattern!r} in {in_words(base)}."
        lines = ["\n".join(listing.paths)]
        if listing.total > MOST_FILES:
            lines.append(f"[Showing {MOST_FILES} of {listing.total} matches; narrow the pattern to see the others]")
        if listing.ignored:
            lines.append("[.gitignore excludes all of these]")
        return "\n\n".join(lines)
