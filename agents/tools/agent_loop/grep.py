"""The tool `grep`."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

from pydantic import Field

from agents.pieces import in_line
from agents.search.hits import Hits, Search, first_hits
from agents.tools.agent_loop.places import CWD, FINDER, from_cwd, placed
from agents.tools.agent_loop.small import LookingTool
from agents.tools.places import errors_told, in_words, is_barred, searchable, subject_path
from agents.tools.tool import ToolContext, ToolResult
from agents.words import counted

LIMIT, MOST_LIMIT, MOST_CONTEXT = 20, 1000, 50


class Grep(LookingTool):
    """Regular expressions in Rust's syntax (ripgrep), line by line."""

    name: ClassVar[str] = "grep"
    description: ClassVar[str] = (
        "Search files by regular expression (ripgrep). Answers `path:line: text` for lines that match, `path-line- text` for those around "
        "them, and how many matches there are in all. Hidden files are searched; .git and what .gitignore excludes are not."
    )
    keywords: ClassVar[tuple[str, ...]] = ("search", "text", "regex", "pattern", "content")

    pattern: str = Field(min_length=1, description="The regular expression.")
    path: str = Field(min_length=1, description="The file or folder to search; . is everything.")
    cwd: str = Field("", description=CWD)
    limit: int = Field(LIMIT, ge=1, le=MOST_LIMIT, description="Most matches to show.")
    context: int = Field(0, ge=0, le=MOST_CONTEXT, description="Lines to show before and after each match.")

    def subject(self, context: ToolContext) -> str:
        return subject_path(context, placed(context, self.path, self.cwd))

    async def work(self, context: ToolContext) -> ToolResult:
        path = placed(context, self.path, self.cwd)
        with errors_told(path, FINDER):
            base = searchable(context, path)
        barred = None if context.barred is None else partial(is_barred, context, self.name)
        found = await first_hits(context.sandbox, Search(self.pattern, base, self.limit, self.context, barred))
        metadata: dict[str, Any] = {
            "pattern": self.pattern, "base_path": base, "total_matches": found.total, "files": len(found.files),
            "shown_matches": found.shown, "truncated": found.total > found.shown,
        }  # fmt: skip
        return ToolResult(f"Grep: {self.pattern}", self._said(found, base, context), metadata)

    def _said(self, found: Hits, base: str, context: ToolContext) -> str:
        if not found.total:
            said = f"No matches found for {self.pattern!r} in {in_words(base)} (0 matches in 0 files)."
            return "\n\n".join([said, *_notices(found)])
        lines = [self._row(path, rest, context) for path, rest in found.rows]
        least = "at least " if found.stopped else ""
        notices = [f"[{least}{counted_matches(found.total)} in {counted(len(found.files), 'file')}]"]
        if found.total > found.shown:
            more = f"Use limit={self.limit + 1} for more, or refine pattern"
            notices.insert(0, f"[{self.limit} matches limit reached. {more}]")
        return "\n\n".join(["\n".join(lines), *notices, *_notices(found)])

    def _row(self, path: str, rest: str, context: ToolContext) -> str:
        return f"{in_line(from_cwd(context, path, self.cwd))}{rest}" if path else rest


def counted_matches(number: int) -> str:
    return f"{number} match{'es' * (number != 1)}"


def _notices(found: Hits) -> list[str]:
    notices = []
    if found.passed:
        notices.append(f"[{counted(len(found.passed), 'file')} with matches passed over: a rule of this project denies reading there]")
    if found.complaint:
        notices.append(f"[{found.complaint}]")
    return notices
