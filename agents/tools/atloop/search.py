"""The tool `search`."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar, Literal

from pydantic import Field

from agents.search.grep import Found, Query, grep
from agents.search.grep import Mode as Kind
from agents.tools.places import begin_in, errors_told, in_words, is_barred, subject_path
from agents.tools.tool import Tool, ToolContext, ToolResult
from agents.words import counted

USUAL, MOST = 50, 1000
MOST_AROUND = 50
Mode = Literal["content", "files_with_matches", "count"]
KINDS: dict[Mode, Kind] = {"content": "content", "files_with_matches": "files", "count": "count"}


class Search(Tool):
    """Regular expressions in Rust's syntax (ripgrep) over the workspace's files."""

    name: ClassVar[str] = "search"
    description: ClassVar[str] = (
        "Search the text of files by regular expression (ripgrep). output_mode content (default) gives path:line:text, files_with_matches "
        "the paths, count path:count. -A, -B and -C show lines after, before or around a match (at most 50), as path-line-text. Hidden "
        "files are searched; what .gitignore excludes, binary files and .git are not."
    )
    keywords: ClassVar[tuple[str, ...]] = ("find", "text", "regex", "pattern", "content", "grep")
    always_load: ClassVar[bool] = True
    read_only: ClassVar[bool] = True
    mutates: ClassVar[bool] = False
    asks: ClassVar[Literal["allow", "ask"]] = "allow"

    query: str = Field(min_length=1, description="The regular expression.")
    glob: str = Field("", description="Only files whose path fits this: *.py anywhere, src/**/*.ts below src.")
    output_mode: Mode = Field("content", description="What to give.")
    after: int = Field(0, alias="-A", ge=0, description="Lines to show after each match.")
    before: int = Field(0, alias="-B", ge=0, description="Lines to show before each match.")
    around: int = Field(0, alias="-C", ge=0, description="Lines to show on both sides of each match.")
    ignore_case: bool = Field(False, alias="-i", description="Take small and capital letters for the same.")
    numbers: bool = Field(True, alias="-n", description="Show line numbers.")
    max_results: int = Field(USUAL, ge=1, description=f"Most lines of the answer: {USUAL} by default, at most {MOST}.")

    def subject(self, context: ToolContext) -> str:
        return subject_path(context, begin_in(context, ""))

    async def run(self, context: ToolContext) -> ToolResult:
        base = begin_in(context, "")
        with errors_told(base):
            base = context.sandbox.files.relative(base)
        found = await grep(context.sandbox, self._query(context, base))
        metadata: dict[str, Any] = {
            "query": self.query, "glob": self.glob, "output_mode": self.output_mode, "max_results": self.max_results,
            "shown": len(found.lines), "truncated": found.more,
        }  # fmt: skip
        return ToolResult(f"Search: {self.query[:200]}", self._said(found, base), metadata)

    def _query(self, context: ToolContext, base: str) -> Query:
        barred = None if context.barred is None else partial(is_barred, context, self.name)
        before, after = (min(max(lines, self.around), MOST_AROUND) for lines in (self.before, self.after))
        return Query(
            self.query, base, self.glob.removeprefix("./"), ignore_case=self.ignore_case, mode=KINDS[self.output_mode], barred=barred,
            before=before, after=after, most=min(self.max_results, MOST), numbers=self.numbers,
        )  # fmt: skip

    def _said(self, found: Found, base: str) -> str:
        where = in_words(base) + (f" in files like {self.glob}" if self.glob else "")
        lines = ["\n".join(found.lines) if found.lines else f"No matches for {self.query!r} in {where}."]
        if found.more:
            lines.append(f"[Showing the first {len(found.lines)} lines, there are more; narrow the search by glob, or raise max_results]")
        if found.passed:
            lines.append(f"[{counted(len(found.passed), 'file')} with matches passed over: a rule of this project denies reading there]")
        if found.complaint:
            lines.append(f"[{found.complaint}]")
        return "\n\n".join(lines)
