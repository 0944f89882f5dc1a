"""The tool `search_files`."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any, ClassVar, Literal

from pydantic import Field

from agents.errors import PathRefused
from agents.pieces import in_line
from agents.reading.texts import Text
from agents.sandboxes.sandbox import FileStat
from agents.search.collecting import Collection, Deadline, collect
from agents.search.globbing import compiled
from agents.search.matching import LARGEST, Hits, Regex, in_texts
from agents.search.pythonic import translated
from agents.search.rows import cut
from agents.search.walking import Manner, Wanted, below
from agents.tools.alfredo.folders import Left, existing_folder
from agents.tools.alfredo.worded import Worded
from agents.tools.places import subject_path
from agents.tools.tool import ToolContext, ToolResult
from agents.words import counted

MOST_MATCHES, MOST_IN_FILE = 500, 200


class SearchFiles(Worded):
    """Lines that fit a regular expression in Python's syntax; 500 of them, 200 a file, 60 seconds.

    The search itself is made by ripgrep in the sandbox, which counts the steps of a pattern and ends it when they are too many.
    """

    name: ClassVar[str] = "search_files"
    description: ClassVar[str] = (
        "Search the files of a folder and below for lines that fit a regular expression in Python's syntax, with their line numbers. "
        "Binary files, .git, node_modules and what .gitignore excludes are not searched; at most 500 lines are given."
    )
    aliases: ClassVar[tuple[str, ...]] = ("grep", "search_code")
    keywords: ClassVar[tuple[str, ...]] = ("find", "text", "regex", "pattern", "content", "grep")
    read_only: ClassVar[bool] = True
    mutates: ClassVar[bool] = False
    asks: ClassVar[Literal["allow", "ask"]] = "allow"

    path: str = Field(min_length=1, description="The folder to search, relative to the workspace; . for all of it.")
    regex: str = Field(min_length=1, description=r"The regular expression, such as def \w+\( or TODO|FIXME.")
    file_pattern: str = Field("*", description="Only files whose name fits this, such as *.py, or whose path does: src/**/*.{ts,tsx}.")

    def subject(self, context: ToolContext) -> str:
        return subject_path(context, self.path)

    async def run(self, context: ToolContext) -> ToolResult:
        regex = Regex(await asyncio.to_thread(translated, self.regex), most=MOST_IN_FILE, backtracking=True)
        base = existing_folder(context, self.path)
        left, collection, deadline = Left(context, self.name), Collection(MOST_MATCHES), Deadline()
        try:
            await collect(context.sandbox, regex, left.over(self._files(context, base, deadline)), collection, deadline, lambda hits: None)
        finally:
            deadline.end()
        if not collection.searched:
            await in_texts(context.sandbox, regex, [Text("", "x\n")])  # so that a pattern that cannot be searched for is told all the same
        metadata: dict[str, Any] = {
            "pattern": self.regex, "path": base, "total_matches": collection.matches, "files": len(collection.hits),
            "truncated": collection.full or collection.late or any(hits.more for hits in collection.hits),
        }  # fmt: skip
        return ToolResult(f"Search: {self.regex[:200]}", self._said(collection, left, base), metadata)

    def _files(self, context: ToolContext, base: str, deadline: Deadline) -> Iterator[FileStat]:
        pattern = self.file_pattern.strip() or "*"
        fits = compiled(pattern if "/" in pattern else f"**/{pattern}")
        return (each for each in below(context.sandbox.files, [Wanted(base, fits, Manner())], deadline.going) if _is_plain(context, each))

    def _said(self, collection: Collection, left: Left, base: str) -> str:
        found = [f"Found {collection.matches} match(es):", *map(_shown, collection.hits)] if collection.hits else []
        parts = found or [f"No matches found for pattern '{self.regex}' in {base}"]
        parts += [
            f"[Only {MOST_IN_FILE} matches of {hits.path} are shown]" for hits in collection.hits if hits.more and not collection.full
        ]
        if collection.full:
            parts.append(f"[Stopped after {counted(collection.matches, 'line')}: narrow path, file_pattern or regex to see others]")
        if collection.late:
            parts.append("[Time ran out before all files were searched: narrow the path or the file_pattern]")
        if collection.oversized:
            named = ", ".join(map(in_line, collection.oversized[:5]))
            parts.append(f"[Not searched, as they are larger than {LARGEST // 2**20} MiB: {len(collection.oversized)} files, {named}]")
        return "\n\n".join([*parts, *left.notices()])


def _is_plain(context: ToolContext, found: FileStat) -> bool:
    """Whether it is a file; what a link leads to is searched where it lies."""
    try:
        return found.kind == "file" and context.sandbox.files.relative(found.path) == found.path
    except (OSError, PathRefused):
        return False


def _shown(hits: Hits) -> str:
    lines = (f"  {match.first}: {cut(match.line.rstrip())}" for match in hits.matches)
    return "\n".join([f"{in_line(hits.path)}:", *lines])
