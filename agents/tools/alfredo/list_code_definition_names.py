"""The tool `list_code_definition_names`."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from pydantic import Field

from agents.errors import PathRefused
from agents.pieces import in_line
from agents.reading.definitions import SUFFIXES, Definition, definitions
from agents.sandboxes.sandbox import Files, FileStat
from agents.search.collecting import Deadline
from agents.search.globbing import compiled
from agents.search.walking import Manner, Wanted, below
from agents.tools.alfredo.folders import Left, existing_folder
from agents.tools.alfredo.worded import Worded
from agents.tools.places import subject_path
from agents.tools.tool import ToolContext, ToolResult
from agents.words import counted

SOURCES = f"**/*.{{{','.join(SUFFIXES)}}}"
MOST_NAMES = 2000
LARGEST = 2**20
"""Bytes of a file that is looked into; larger ones are seldom written by people."""


@dataclass
class Found:
    """What was found: each file that defines something, and of those left out how many and why."""

    files: list[tuple[str, list[Definition]]]
    names: int = 0
    unreadable: int = 0
    full: bool = False
    late: bool = False


class ListCodeDefinitionNames(Worded):
    """The names that source files define, by their grammars; 2000 names at most."""

    name: ClassVar[str] = "list_code_definition_names"
    description: ClassVar[str] = (
        "Show what the source files of a folder and below define, each name with its line: classes, functions and methods of Python, "
        "JavaScript and TypeScript, and in the latter two variables, interfaces, types and enums as well. A quick way to learn how code is "
        "laid out before reading it."
    )
    keywords: ClassVar[tuple[str, ...]] = ("outline", "symbols", "classes", "functions", "structure", "code")
    read_only: ClassVar[bool] = True
    mutates: ClassVar[bool] = False
    asks: ClassVar[Literal["allow", "ask"]] = "allow"

    path: str = Field(min_length=1, description="The folder, relative to the workspace; . for all of it.")

    def subject(self, context: ToolContext) -> str:
        return subject_path(context, self.path)

    async def run(self, context: ToolContext) -> ToolResult:
        base = existing_folder(context, self.path)
        left, deadline = Left(context, self.name), Deadline()
        sources = below(context.sandbox.files, [Wanted(base, compiled(SOURCES), Manner())], deadline.going)
        try:
            found = await asyncio.to_thread(_found, context.sandbox.files, left.over(sources), deadline)
        finally:
            deadline.end()  # a thread cannot be cancelled, but it asks
        metadata: dict[str, Any] = {
            "path": base, "total_files": len(found.files), "definitions": found.names, "truncated": found.full or found.late,
        }  # fmt: skip
        return ToolResult(f"Definitions: {base}", "\n\n".join([_said(found, base), *_notices(found), *left.notices()]), metadata)


def _found(files: Files, sources: Iterator[FileStat], deadline: Deadline) -> Found:
    found = Found([])
    for source in sources:
        names = _names(files, source)
        if names is None:
            found.unreadable += 1
        elif names:
            found.full = found.names + len(names) > MOST_NAMES
            kept = names[: MOST_NAMES - found.names]
            found.files.append((source.path, kept))
            found.names += len(kept)
        if found.full or not deadline.going():
            break
    found.late = not deadline.going()
    return found


def _names(files: Files, source: FileStat) -> list[Definition] | None:
    if source.kind != "file":
        return []
    try:
        return definitions(source.path, files.read(source.path)) if source.size <= LARGEST else None
    except (OSError, PathRefused):
        return None


def _said(found: Found, base: str) -> str:
    where = base if base == "." else f"{in_line(base)}/"
    if not found.files:
        return f"No definitions found in source files. Looked in {where}"
    sections = ["\n".join([f"{in_line(path)}:", *(f"  - {one.name} (line {one.line})" for one in names)]) for path, names in found.files]
    return "\n\n".join([f"Code definitions in {where}:", *sections])


def _notices(found: Found) -> Iterator[str]:
    if found.unreadable:
        yield f"[{counted(found.unreadable, 'file')} left out: too large, or not to be read]"
    if found.full:
        yield f"[Stopped after {MOST_NAMES} names: name a folder further in to see others]"
    if found.late:
        yield "[Time ran out before the end: name a folder further in]"
