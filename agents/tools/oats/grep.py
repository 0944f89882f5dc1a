"""The tool `grep`."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar, Literal

from pydantic import Field

from agents.search.grep import MOST_CONTEXT, MOST_LINES, Found, Mode, Query, grep
from agents.tools.places import begin_in, errors_told, in_words, is_barred, searchable, subject_path
from agents.tools.tool import Tool, ToolContext, ToolResult
from agents.words import counted


class Grep(Tool):
    """Regular expressions in Rust's syntax (ripgrep); 200 lines of answer, 60 seconds."""

    name: ClassVar[str] = "grep"
    description: ClassVar[str] = (
        "Search the text of files by regular expression (ripgrep). output_mode files (default) lists paths, content gives "
        "path:line:text, count gives path:count. The first 200 lines, in the order of paths; narrow by path, glob or type for more. "
        "Hidden files are searched, what .gitignore excludes, binary files and .git are not."
    )
    aliases: ClassVar[tuple[str, ...]] = ("search", "search_code", "ripgrep")
    keywords: ClassVar[tuple[str, ...]] = ("find", "text", "regex", "pattern", "content")
    always_load: ClassVar[bool] = True
    strict: ClassVar[bool] = True
    read_only: ClassVar[bool] = True
    mutates: ClassVar[bool] = False
    asks: ClassVar[Literal["allow", "ask"]] = "allow"

    pattern: str = Field(min_length=1, description="The regular expression.")
    path: str = Field("", description="File or folder to search; by default the whole workspace.")
    glob: str = Field("", description="Only files whose path fits this, such as *.py or src/**/*.ts.")
    type: str = Field("", description="Only files of this type, such as py, js, ts, go, rust.")
    case_insensitive: bool = Field(False, description="Take small and capital letters for the same.")
    context_lines: int = Field(0, description=f"Lines to show around each match in content mode, at most {MOST_CONTEXT}.")
    output_mode: Mode = Field("files", description="What to give: files, content or count.")

    def subject(self, context: ToolContext) -> str:
        return subject_path(context, begin_in(context, self.path))

    async def run(self, context: ToolContext) -> ToolResult:
        path = begin_in(context, self.path)
        with errors_told(path):
            base = searchable(context, path)
        barred = None if context.barred is None else partial(is_barred, context, self.name)
        query = Query(self.pattern, base, self.glob, self.type, self.case_insensitive, self.context_lines, self.output_mode, barred)
        found = await grep(context.sandbox, query)
        metadata: dict[str, Any] = {
            "pattern": self.pattern, "base_path": base, "total_matches": len(found.lines), "truncated": found.more, "tool": "ripgrep",
        }  # fmt: skip
        return ToolResult(f"Grep: {self.pattern}", self._said(found, base), metadata)

    def _said(self, found: Found, base: str) -> str:
        lines = ["\n".join(found.lines) if found.lines else f"No matches for {self.pattern!r} in {in_words(base)}."]
        if found.more:
            lines.append(f"[Showing the first {MOST_LINES} lines, there are more; narrow the search by path, glob or type]")
        if found.passed:
            lines.append(f"[{counted(len(found.passed), 'file')} with matches passed over: a rule of this project denies reading there]")
        if found.complaint:
            lines.append(f"[{found.complaint}]")
        return "\n\n".join(lines)
