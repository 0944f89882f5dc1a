"""The tool `read_file`."""

from __future__ import annotations

import asyncio
import codecs
import mimetypes
import re
from dataclasses import dataclass
from io import BytesIO
from itertools import islice
from typing import Any, ClassVar, Literal

from pydantic import Field

from agents.edits.source import plain
from agents.errors import ToolError
from agents.reading.window import LARGEST
from agents.tools.places import errors_told, subject_path
from agents.tools.tool import Tool, ToolContext, ToolResult

MOST_AT_ONCE = 10 * 2**20
"""Bytes of a file that is shown without a range."""
MOST_SHOWN = 400_000
"""Characters of one answer."""
LOOKED_AT = 8192
"""Bytes by which a file is judged to be text or not."""
_ARTIFACT = re.compile(r"artifact://(\d{1,9})/?")


@dataclass(frozen=True)
class Part:
    """Lines `first` to `last` of a text, counted from 1; `last` is below `first` where there are none. `total` is all it has."""

    text: str
    first: int
    last: int
    total: int
    cut: bool = False
    """Whether lines that were asked for were left out because the answer had no room for them."""


class ReadFile(Tool):
    """The text of a file as it is, or some of its lines; of binary files and of very large ones as a whole, what they are."""

    name: ClassVar[str] = "read_file"
    description: ClassVar[str] = (
        "Show a text file of the workspace as it is, without line numbers. offset and limit choose lines: use them for large files, of "
        "which at most 400,000 characters are shown at once. A binary file, and one over 10 MB without a range, is only told about "
        "(type and size). Files of skills are read with read_skill_file."
    )
    keywords: ClassVar[tuple[str, ...]] = ("file", "open", "view", "show", "cat")
    always_load: ClassVar[bool] = True
    read_only: ClassVar[bool] = True
    mutates: ClassVar[bool] = False
    asks: ClassVar[Literal["allow", "ask"]] = "allow"

    path: str = Field(min_length=1, description="The file, relative to the workspace or absolute within it; or an artifact:// address.")
    offset: int = Field(1, description="Number of the first line to show, from 1.")
    limit: int | None = Field(None, ge=1, description="How many lines to show; by default all from there on.")

    def subject(self, context: ToolContext) -> str:
        return self.path if _ARTIFACT.fullmatch(self.path) else subject_path(context, self.path)

    async def run(self, context: ToolContext) -> ToolResult:
        data, size = await self._data(context)
        about = {"path": self.subject(context), "file_size": size, "file_type_info": mimetypes.guess_type(self.path)[0] or "unknown"}
        if b"\0" in data[:LOOKED_AT]:
            return self._told_of(about, "binary", "It is not shown; what it holds can be looked into with a program (run).")
        if size > MOST_AT_ONCE and not self._is_ranged:
            return self._told_of(
                about, "large", "It is too large to be shown as a whole: give offset and limit, or find the lines with search."
            )
        part = await asyncio.to_thread(_part, data, max(self.offset, 1), self.limit)
        metadata: dict[str, Any] = {
            **about, "file_type": "text", "start_line": part.first, "end_line": part.last, "total_lines": part.total,
            "lines_shown": part.last - part.first + 1,
        }  # fmt: skip
        return ToolResult(f"Read: {about['path']}", part.text + self._notices(part, size, data), metadata)

    @property
    def _is_ranged(self) -> bool:
        return self.offset > 1 or self.limit is not None

    async def _data(self, context: ToolContext) -> tuple[bytes, int]:
        """What is looked at, and how many bytes there are."""
        if found := _ARTIFACT.fullmatch(self.path):
            kept = await context.reach.artifacts.read(int(found[1])) if context.reach.artifacts else None
            if kept is None:
                raise ToolError(f"There is no {self.path}. Artifacts are the whole outputs of commands, named where one was cut.")
            return kept[1], len(kept[1])
        files = context.sandbox.files
        with errors_told(self.path):
            size = files.stat(self.path).size
            return await asyncio.to_thread(files.read, self.path, LARGEST), size

    def _told_of(self, about: dict[str, Any], kind: str, advice: str) -> ToolResult:
        known = "" if about["file_type_info"] == "unknown" else f", {about['file_type_info']}"
        output = f"[{about['path']} is a {kind} file ({about['file_size']} bytes{known}). {advice}]"
        return ToolResult(f"Read: {about['path']}", output, {**about, "file_type": kind, "start_line": 0, "end_line": 0})

    def _notices(self, part: Part, size: int, data: bytes) -> str:
        notices = []
        if part.last < part.first and (part.total or self._is_ranged):
            notices.append(f"[Line {part.first} is past the end: the file has {part.total} lines]")
        if part.cut:
            notices.append(
                f"[Showing lines {part.first}-{part.last} of {part.total}, for which there is room; go on with offset {part.last + 1}]"
            )
        if "�" in part.text and "�".encode() not in data:
            notices.append("[The file is not UTF-8 throughout; what does not fit is shown as �]")
        if size > len(data):
            notices.append(f"[Only the first {len(data)} of {size} bytes were looked at; use run for what lies behind them]")
        gap = "" if not part.text or part.text.endswith("\n") else "\n"
        return f"{gap}{chr(10) if part.text else ''}{chr(10).join(notices)}" if notices else ""


def _part(data: bytes, first: int, limit: int | None) -> Part:
    """The lines that were asked for, as far as there is room; the last of them cut if it alone has none."""
    data = data.removeprefix(codecs.BOM_UTF8)
    total = data.count(b"\n") + (not data.endswith(b"\n") and data != b"")
    start = min(first - 1, total)
    chosen = islice(BytesIO(data), start, total if limit is None else min(start + limit, total))
    lines: list[str] = []
    room = MOST_SHOWN
    for raw in chosen:
        line = plain(raw.decode(errors="replace"))
        if len(line) > room:
            if not lines:
                return Part(f"{line[:room]}…\n[This line has {len(line)} characters, and is cut]\n", first, first, total)
            return Part("".join(lines), first, first + len(lines) - 1, total, cut=True)
        room -= len(line)
        lines.append(line)
    return Part("".join(lines), first, first + len(lines) - 1, total)
