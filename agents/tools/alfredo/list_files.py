"""The tool `list_files`."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import islice
from typing import Any, ClassVar, Literal

from pydantic import Field

from agents.pieces import in_line
from agents.sandboxes.sandbox import FileStat
from agents.search.collecting import Deadline
from agents.search.walking import Manner, walk
from agents.tools.alfredo.folders import Left, existing_folder
from agents.tools.alfredo.worded import Worded
from agents.tools.places import subject_path
from agents.tools.tool import ToolContext, ToolResult

MOST_ENTRIES = 1000


class ListFiles(Worded):
    """What a folder holds, by name, with the sizes of files; 1000 entries at most."""

    name: ClassVar[str] = "list_files"
    description: ClassVar[str] = (
        "List a folder: its folders, and its files with their sizes in bytes. With recursive all below it is listed too, without .git, "
        "node_modules and what .gitignore excludes. 1000 entries at most. Use search_files to look for text."
    )
    aliases: ClassVar[tuple[str, ...]] = ("list_directory",)
    keywords: ClassVar[tuple[str, ...]] = ("folder", "directory", "ls", "tree", "files")
    read_only: ClassVar[bool] = True
    mutates: ClassVar[bool] = False
    asks: ClassVar[Literal["allow", "ask"]] = "allow"

    path: str = Field(min_length=1, description="The folder, relative to the workspace; . for the workspace itself.")
    recursive: bool = Field(False, description="true lists all below the folder, false (as usual) only what lies in it.")

    def subject(self, context: ToolContext) -> str:
        return subject_path(context, self.path)

    async def run(self, context: ToolContext) -> ToolResult:
        base = existing_folder(context, self.path)
        deadline = Deadline()
        left = Left(context, self.name)
        try:
            listed = await asyncio.to_thread(lambda: list(islice(left.over(self._found(context, base, deadline)), MOST_ENTRIES + 1)))
            late = not deadline.going()
        finally:
            deadline.end()  # a thread cannot be cancelled, but it asks
        shown = listed[:MOST_ENTRIES]
        lines = [f"Contents of {base}:", "", *map(_line, shown)] if shown else [f"Directory is empty: {base}"]
        notices = [f"[Only the first {MOST_ENTRIES} entries; list a folder further in to see others]"] if len(listed) > len(shown) else []
        notices += [*left.notices(), *(["[Time ran out before the end: list a folder further in]"] if late else [])]
        metadata: dict[str, Any] = {
            "path": base, "recursive": self.recursive, "entries": len(shown), "truncated": len(listed) > len(shown),
        }  # fmt: skip
        return ToolResult(f"List: {base}", "\n".join([*lines, *(f"\n{notice}" for notice in notices)]), metadata)

    def _found(self, context: ToolContext, base: str, deadline: Deadline) -> Iterator[FileStat]:
        files = context.sandbox.files
        return walk(files, base, Manner(), deadline.going) if self.recursive else iter(files.entries(base))


def _line(found: FileStat) -> str:
    path = in_line(found.path)
    return f"[DIR]  {path}/" if found.kind == "folder" else f"[FILE] {path} ({found.size} bytes)"
