"""One page of what a search found, as the model reads it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from agents.pieces import in_line
from agents.search.collecting import Collection
from agents.search.matching import Hits
from agents.search.rows import Around
from agents.tools.atomic.hits import Block, of_file, of_text
from agents.tools.tool import ToolContext

FILES_A_PAGE = 20
PER_FILE, PER_SINGLE_FILE = 20, 200
"""Matches shown of each file, and of a file that is searched by itself."""
MOST_OUTPUT = 50 * 2**10
FOR_NOTICES = 3 * 2**10


@dataclass
class Page:
    """`lines` in at most 47 KiB; `passed` files of the collection are on it or could not be shown."""

    skip: int
    room: int = MOST_OUTPUT - FOR_NOTICES
    passed: int = 0
    lines: list[str] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    more_in: list[str] = field(default_factory=list)
    matches: list[int] = field(default_factory=list)
    cut: bool = False
    _folder: str = ""

    def add(self, block: Block, hits: Hits) -> bool:
        """As much of the block as there is room for; False when that is not all of it."""
        heading = self._heading(block)
        lines = [*heading, *block.lines]
        fitting = self._fitting(lines)
        self.cut = fitting < len(lines)
        if fitting <= len(heading) + (not block.virtual):
            return False
        block.keep(fitting - len(heading) - (not block.virtual))
        self.lines += lines[:fitting]
        self.blocks.append(block)
        self.matches.append(sum(match.first <= block.rows[-1].number for match in hits.matches))
        self.passed += 1
        if hits.more:
            self.more_in.append(in_line(hits.path))
        return not self.cut

    def _heading(self, block: Block) -> list[str]:
        folder = "" if block.virtual else block.label.rpartition("/")[0]
        changed, self._folder = folder != self._folder, folder
        return [f"# {in_line(folder)}/"] if folder and changed else []

    def _fitting(self, lines: list[str]) -> int:
        for count, line in enumerate(lines):
            size = len(line.encode("utf-8", "replace")) + 1
            if size > self.room:
                return count
            self.room -= size
        return len(lines)

    def text(self) -> str:
        if self.lines:
            return "\n".join(self.lines)
        return f"No more results (skip={self.skip})" if self.skip else "No matches found"

    def notices(self, collection: Collection) -> Iterator[str]:
        if self.more_in:
            named = ", ".join(self.more_in[:5])
            yield f"There are more matches in {named}. Search one file by itself for {PER_SINGLE_FILE} of them, or a range of its lines"
        if self.cut:
            yield "50.0KB output limit reached"
        if len(collection.hits) > self.skip + self.passed:
            yield f"{len(self.blocks)} matching files shown. Use skip={self.skip + self.passed} to view more."
        elif collection.full:
            yield f"Stopped collecting at {collection.matches} matches. Refine the pattern or the paths to see what lies behind them"

    def details(self, collection: Collection) -> dict[str, Any]:
        files = [block.label for block in self.blocks]
        return {
            "files": files, "fileCount": len(files), "matchCount": sum(self.matches), "totalFiles": len(collection.hits),
            "fileMatches": [{"path": path, "count": count} for path, count in zip(files, self.matches, strict=True)],
            "displayContent": [block.as_data() for block in self.blocks], "linesTruncated": any(block.cut for block in self.blocks),
            "fileLimitReached": len(collection.hits) > self.skip + self.passed or collection.full,
            "collectionLimitReached": collection.full,
            "truncated": self.cut, "meta": {"limits": {"fileLimit": FILES_A_PAGE}},
        }  # fmt: skip


async def page(context: ToolContext, collection: Collection, skip: int, around: Around) -> Page:
    """The files from number `skip` on, read anew and noted as seen by this session."""
    shown = Page(skip)
    for hits in collection.hits[skip : skip + FILES_A_PAGE]:
        block = of_text(hits.text, hits, around) if hits.text else await asyncio.to_thread(of_file, context, hits, around)
        if block is None or not block.rows:
            shown.passed += 1
        elif not shown.add(block, hits):
            break
    return shown
