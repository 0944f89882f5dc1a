"""The tool `search`."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, Literal

from pydantic import Field

from agents.errors import ToolError
from agents.pieces import in_line
from agents.reading.texts import Text
from agents.search.collecting import Collection, Deadline, collect
from agents.search.matching import LARGEST, LONGEST_PATTERN, MOST_MATCHES, Hits, Regex, in_texts
from agents.search.rows import Around, cut
from agents.tools.atomic.glimpses import Glimpses
from agents.tools.atomic.hits import in_notebook
from agents.tools.atomic.pages import PER_FILE, PER_SINGLE_FILE, Page, page
from agents.tools.atomic.places import subjects, targets
from agents.tools.atomic.resources import asks_first
from agents.tools.atomic.seen import display
from agents.tools.atomic.sources import Sources, sources
from agents.tools.tool import Tool, ToolContext, ToolResult

BEFORE, AFTER = "search.contextBefore", "search.contextAfter"
"""Settings, among the context's flags: lines shown around a match."""
MOST_AROUND = 50
MOST_IN_RANGE = 100_000


class Search(Tool):
    """Regular expressions in Rust's syntax (ripgrep) over files, archives, databases and internal URLs; pages of 20 files."""

    name: ClassVar[str] = "search"
    description: ClassVar[str] = (
        "Search the text of files by regular expression (ripgrep; (?i) (?m) (?x) work, and \\n in the pattern lets a match span lines). "
        "paths takes files, folders, globs (*.py looks everywhere), file.py:10-50 for some lines, archive.zip:member, data.db:table and "
        "internal URLs; without it the whole workspace is searched. Each file begins with [path#TAG], for edit; *12: marks a matching "
        "line, ' 13:' one beside it. 20 files a page (skip for the next), 20 matches a file, 200 when a single file is searched."
    )
    aliases: ClassVar[tuple[str, ...]] = ("grep", "search_code", "ripgrep")
    keywords: ClassVar[tuple[str, ...]] = ("text", "regex", "pattern", "content", "code")
    always_load: ClassVar[bool] = True
    read_only: ClassVar[bool] = True
    mutates: ClassVar[bool] = False
    asks: ClassVar[Literal["allow", "ask"]] = "allow"

    pattern: str = Field(description="The regular expression.")
    paths: str | list[str] = Field("", description="What to search: a file, folder, glob, selector or internal URL, or a list of them.")
    i: bool = Field(False, description="Take small and capital letters for the same.")
    case: bool = Field(True, description="false is the same as i.")
    gitignore: bool = Field(True, description="Leave out what .gitignore files exclude, and node_modules.")
    skip: float = Field(0, description="Files to pass over: where the page before ended.")

    def subject(self, context: ToolContext) -> str:
        return ", ".join(subjects(context, self._paths, lines=True))

    def parts(self, context: ToolContext) -> Sequence[tuple[str, str]]:
        """What is searched is shown, as `read` would."""
        return [(name, subject) for subject in subjects(context, self._paths, lines=True) for name in (self.name, "read")]

    def requires_permission(self, context: ToolContext) -> str | None:
        return self.prompt(context) if any(asks_first(subject) for _, subject in self.parts(context)) else None

    async def run(self, context: ToolContext) -> ToolResult:
        self._check()
        opened = await sources(await asyncio.to_thread(targets, context, self._paths, lines=True), context)
        regex = Regex(self.pattern, self.i or not self.case, _most(opened))
        collection = await self._collected(opened, regex, context)
        around = Around(_lines(context, BEFORE, 1), _lines(context, AFTER, 3))
        shown = await page(context, collection, 0 if opened.alone else int(self.skip), around)
        return self._told(opened, collection, shown)

    @property
    def _paths(self) -> list[str]:
        given = [self.paths] if isinstance(self.paths, str) else self.paths
        return [text for text in given if text.strip()] or ["."]

    def _check(self) -> None:
        if not self.pattern.strip():
            raise ToolError("Pattern must not be empty: give a regular expression, such as def \\w+ or TODO.")
        if "\0" in self.pattern or len(self.pattern) > LONGEST_PATTERN:
            raise ToolError(
                f"The pattern holds a NUL character, or more than {LONGEST_PATTERN} characters. Give a shorter one; \\x00 is NUL."
            )
        if not math.isfinite(self.skip) or self.skip < 0:
            raise ToolError(f"Skip must be a non-negative number of files, not {self.skip:g}.")

    async def _collected(self, opened: Sources, regex: Regex, context: ToolContext) -> Collection:
        deadline, glimpses = Deadline(), Glimpses(context.show)
        files = opened.files(context, self.gitignore, deadline.going)
        collection = Collection(MOST_IN_RANGE if opened.ranged else MOST_MATCHES)
        try:
            await collect(context.sandbox, regex, files, collection, deadline, lambda hits: _glimpse(glimpses, hits))
        finally:
            deadline.end()
        if not (collection.searched or opened.texts):
            await in_texts(context.sandbox, regex, [Text("", "x\n")])  # so that a wrong pattern is told also where nothing is searched
        return await _refined(collection, opened, regex, context)

    def _told(self, opened: Sources, collection: Collection, shown: Page) -> ToolResult:
        notices = [f"Skipped missing paths: {', '.join(map(in_line, opened.missing[:10]))}"] if opened.missing else []
        if collection.oversized:
            named = ", ".join(map(in_line, collection.oversized[:5]))
            notices.append(f"Not searched because they are larger than {LARGEST // 2**20} MiB: {len(collection.oversized)} files, {named}")
        if opened.alone and self.skip:
            notices.append("skip is ignored for single-file search")
        if opened.held_back:
            notices.append(f"Left out because rules of this project deny them: {opened.held_back} files")
        if collection.late:
            notices.append("Timed out: these are partial results. Narrow the paths")
        output = "\n\n".join([shown.text(), *(f"[{notice}]" for notice in [*shown.notices(collection), *notices])])
        metadata: dict[str, Any] = {
            "pattern": self.pattern, "scopePath": opened.targets[0].path if len(opened.targets) == 1 and not opened.texts else ".",
            "missingPaths": opened.missing, "timedOut": collection.late, **shown.details(collection),
        }  # fmt: skip
        return ToolResult(f"Search: {self.pattern[:200]}", output, metadata, facts=tuple(opened.facts))


def _most(opened: Sources) -> int:
    """Matches wanted of each file; a range of lines is cut out of all of them first."""
    if opened.ranged:
        return MOST_IN_RANGE
    return PER_SINGLE_FILE if opened.alone else PER_FILE


def _lines(context: ToolContext, setting: str, usual: int) -> int:
    given = context.flags.get(setting, usual)
    return min(max(int(given), 0), MOST_AROUND) if isinstance(given, int | float) and math.isfinite(given) else usual


def _glimpse(glimpses: Glimpses, found: Sequence[Hits]) -> None:
    for hits in found:
        for match in hits.matches:
            glimpses.add(f"{in_line(hits.path)}:{match.first}: {cut(match.line.rstrip())}")
    glimpses.look()


async def _refined(collection: Collection, opened: Sources, regex: Regex, context: ToolContext) -> Collection:
    """With the cells of notebooks in place of their JSON, with the texts that are no files, and within the asked range of lines."""
    refined = replace(collection, hits=[], matches=0)
    for hits in await asyncio.to_thread(_each_once, collection.hits, context):
        refined.add(_within(await in_notebook(context, regex, hits) if hits.path.endswith(".ipynb") else hits, opened))
    found = await in_texts(context.sandbox, regex, opened.texts)
    for hits in found:
        refined.add(_within(hits, opened))
    refined.late |= len(found) < len(opened.texts) and not refined.full
    return refined


def _each_once(found: Sequence[Hits], context: ToolContext) -> list[Hits]:
    """A file and the links to it are one."""
    return list({display(context, hits.path): hits for hits in reversed(found)}.values())[::-1]


def _within(hits: Hits, opened: Sources) -> Hits:
    if not opened.ranged:
        return hits
    matches = [match for match in hits.matches if opened.asks_for(hits.path, match.first, match.last)]
    most = PER_SINGLE_FILE if opened.alone else PER_FILE
    return replace(hits, matches=matches[:most], more=len(matches) > most)
