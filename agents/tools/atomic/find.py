"""The tool `find`."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field, field_validator

from agents.errors import ToolError
from agents.pieces import in_line
from agents.sandboxes.sandbox import FileStat
from agents.search.collecting import Deadline
from agents.search.globbing import compiled
from agents.search.newest import Newest, newest
from agents.search.trees import tree
from agents.search.walking import PRUNED, Manner, Wanted
from agents.tools.atomic.glimpses import Glimpses
from agents.tools.atomic.places import Target, subjects, targets
from agents.tools.tool import Tool, ToolContext, ToolResult

MOST_RESULTS = 200
SECONDS, LEAST_SECONDS, MOST_SECONDS = 5.0, 0.5, 60.0
MOST_OUTPUT = 50 * 2**10
NAMED_MISSING = 10


class Find(Tool):
    """Files and folders by glob, the last changed first, shown as a tree; 200 results, 60 seconds at most."""

    name: ClassVar[str] = "find"
    description: ClassVar[str] = (
        "Find files and folders by name; search looks for text in files. Each of paths is a file, a folder (all below it) or a glob: "
        "*.py looks everywhere, src/*.py in one folder, src/**/*.py below it, {a,b} means either. The last changed are kept when there "
        "are more than limit. Hidden files are found; .git and node_modules are left out unless a path names them, and so is what "
        ".gitignore excludes unless gitignore is false. The answer is a tree: '# src/' stands above what that folder holds."
    )
    aliases: ClassVar[tuple[str, ...]] = ("find_files", "list_files", "glob")
    keywords: ClassVar[tuple[str, ...]] = ("files", "names", "list", "folder", "pattern")
    always_load: ClassVar[bool] = True
    read_only: ClassVar[bool] = True
    mutates: ClassVar[bool] = False
    asks: ClassVar[Literal["allow", "ask"]] = "allow"

    paths: list[str] = Field(description="Files, folders and globs to look for.", json_schema_extra={"minItems": 1})
    hidden: bool = Field(True, description="Also what begins with a dot.")
    gitignore: bool = Field(True, description="Leave out what .gitignore files exclude.")
    limit: int = Field(
        MOST_RESULTS, description="Most results to give, 1 to 200.", json_schema_extra={"minimum": 1, "maximum": MOST_RESULTS}
    )
    timeout: float = Field(
        SECONDS, description="Seconds to look, 0.5 to 60; then what was found is given.",
        json_schema_extra={"minimum": LEAST_SECONDS, "maximum": MOST_SECONDS},
    )  # fmt: skip

    @field_validator("paths", mode="before")
    @classmethod
    def _several(cls, given: Any) -> Any:
        return [given] if isinstance(given, str) else given

    def subject(self, context: ToolContext) -> str:
        return ", ".join(subjects(context, self.paths))

    def parts(self, context: ToolContext) -> Sequence[tuple[str, str]]:
        return [(self.name, subject) for subject in subjects(context, self.paths)] or [(self.name, "")]

    async def run(self, context: ToolContext) -> ToolResult:
        named = await asyncio.to_thread(self._named, context)
        there = [target for target in named if target.kind in ("file", "folder")]
        missing = [target.named for target in named if target.kind not in ("file", "folder")]
        if not there:
            raise ToolError(_nothing_there(named))
        found = Newest(min(max(self.limit, 1), MOST_RESULTS))
        whole = await self._look(context, there, found)
        return self._told(found, there, missing, whole)

    def _named(self, context: ToolContext) -> list[Target]:
        if not self.paths:
            raise ToolError("paths is empty: it must include at least one path or glob, such as **/*.py.")
        if any(not text.strip() for text in self.paths):
            raise ToolError("An entry of paths is empty; every entry must be a path or a glob.")
        return targets(context, self.paths)

    async def _look(self, context: ToolContext, there: Sequence[Target], found: Newest) -> bool:
        """False when time ran out before the end."""
        files, loop = context.sandbox.files, asyncio.get_running_loop()
        for target in there:
            if target.kind == "file":
                found.take(await asyncio.to_thread(files.stat, target.path))
        glimpses = Glimpses(lambda text: _shown(loop, context, text))
        wanted = [self._wanted(target) for target in there if target.kind == "folder"]
        deadline = Deadline(time.monotonic() + self._seconds)

        def going() -> bool:
            glimpses.look()
            return deadline.going()

        try:
            return await asyncio.to_thread(newest, files, wanted, found, going, lambda each: glimpses.add(in_line(_path(each))))
        finally:
            deadline.end()  # a thread cannot be cancelled, but it asks

    @property
    def _seconds(self) -> float:
        return min(max(self.timeout, LEAST_SECONDS), MOST_SECONDS) if math.isfinite(self.timeout) else SECONDS

    def _wanted(self, target: Target) -> Wanted:
        pruned = frozenset(name for name in PRUNED if name not in f"{target.path}/{target.pattern}".split("/"))
        return Wanted(target.path, compiled(target.pattern or "**"), Manner(self.hidden, self.gitignore, pruned))

    def _told(self, found: Newest, there: Sequence[Target], missing: list[str], whole: bool) -> ToolResult:
        paths = [_path(each) for each in found.found]
        limited = found.total > len(paths)
        shown, cut = _within(tree(paths), MOST_OUTPUT)
        notices = [f"{found.most} results limit reached: these were changed last. Narrow the paths to see others"] if limited else []
        if not whole:
            notices.append(f"Timed out after {self._seconds:g}s: these are the {len(paths)} partial results. Raise timeout or narrow paths")
        if missing:
            more = f" and {len(missing) - NAMED_MISSING} more" if len(missing) > NAMED_MISSING else ""
            notices.append(f"Skipped missing paths: {', '.join(map(in_line, missing[:NAMED_MISSING]))}{more}")
        if cut:
            notices.append("50.0KB output limit reached")
        output = shown or "No files found matching pattern"
        return ToolResult(
            f"Find: {', '.join(self.paths)[:200]}", output + (f"\n\n[{'. '.join(notices)}]" if notices else ""),
            {
                "scopePath": there[0].path if len(there) == 1 else ".", "fileCount": len(paths), "files": paths,
                "resultLimitReached": found.most if limited else None, "timedOut": not whole, "truncated": limited or cut or not whole,
                "missingPaths": missing, "meta": {"limits": {"resultLimit": found.most}},
            },
        )  # fmt: skip


def _nothing_there(named: Sequence[Target]) -> str:
    first = named[0]
    if first.kind in ("inside", "resource"):
        return f"{first.named} is no file or folder of the workspace, and find looks for nothing else; list it with read."
    return f"ENOENT: path not found: {', '.join(target.named for target in named)}. Find it with a glob such as **/name*."


def _shown(loop: asyncio.AbstractEventLoop, context: ToolContext, text: str) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(context.show, text)


def _path(found: FileStat) -> str:
    return f"{found.path}/" if found.kind == "folder" else found.path


def _within(text: str, most: int) -> tuple[str, bool]:
    """Whole lines of a text, so many bytes of them; whether some were left out."""
    if len(text.encode("utf-8", "replace")) <= most:
        return text, False
    return text.encode("utf-8", "replace")[:most].decode("utf-8", "ignore").rpartition("\n")[0], True
