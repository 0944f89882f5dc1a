"""The tool `read_file`."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from pydantic import Field

from agents.errors import ToolError
from agents.reading.window import LARGEST
from agents.tools.alfredo.families import ModelFamily
from agents.tools.alfredo.specs import ToolSpec
from agents.tools.alfredo.worded import Worded
from agents.tools.places import errors_told, subject_path
from agents.tools.tool import ToolContext, ToolResult

MOST = 400_000
"""Characters of a file that one call gives."""


@dataclass(frozen=True)
class Piece:
    """What is shown of a text: its lines `first` to `last`, counted from 1, of `total`."""

    text: str
    first: int
    last: int
    total: int
    broken: bool = False
    """Whether it ends within a line."""

    @property
    def heading(self) -> str:
        return f"[Showing lines {self.first}-{self.last} of {self.total} total lines]"


class ReadFile(Worded):
    """A text file as it is, or some of its lines or first bytes; 64 MB of it at most, 400 000 characters a call."""

    name: ClassVar[str] = "read_file"
    description: ClassVar[str] = (
        "Give the text of a file, whole and without line numbers, so that it can be quoted as it stands. Of a large file take a part: "
        "offset and limit for lines, or limit_bytes for its beginning; a line above the text then says which part it is. Binary files "
        "and folders are errors."
    )
    aliases: ClassVar[tuple[str, ...]] = ("view_file", "open_file")
    keywords: ClassVar[tuple[str, ...]] = ("file", "open", "view", "show", "cat")
    read_only: ClassVar[bool] = True
    mutates: ClassVar[bool] = False
    asks: ClassVar[Literal["allow", "ask"]] = "allow"
    variants: ClassVar[tuple[ToolSpec, ...]] = (
        ToolSpec(
            "read_file", "read_file", "Give the text of a file, or a part of it: offset and limit in lines, or limit_bytes.",
            ModelFamily.NEXT_GEN,
        ),
    )  # fmt: skip

    path: str = Field(min_length=1, description="The file, relative to the workspace.")
    offset: int = Field(0, ge=0, description="How many lines to pass over first; 0 begins with the first line. Not with limit_bytes.")
    limit: int | None = Field(None, ge=1, description="How many lines to give at most. Not with limit_bytes.")
    limit_bytes: int | None = Field(None, ge=1, description="How many bytes of the beginning to give at most; never half a character.")

    def subject(self, context: ToolContext) -> str:
        return subject_path(context, self.path)

    async def run(self, context: ToolContext) -> ToolResult:
        if self.limit_bytes is not None and (self.limit is not None or self.offset):
            raise ToolError("limit_bytes cannot be used together with offset or limit: give bytes or lines, not both.")
        with errors_told(self.path, "list_files"):
            size = context.sandbox.files.stat(self.path).size
            data = await asyncio.to_thread(context.sandbox.files.read, self.path, LARGEST)
        output, metadata = await asyncio.to_thread(self._shown, data, size, self.subject(context))
        return ToolResult(f"Read: {self.subject(context)}", output, {"path": self.subject(context), "bytes": size, **metadata})

    def _shown(self, data: bytes, size: int, path: str) -> tuple[str, dict[str, Any]]:
        if b"\0" in data:
            raise ToolError(f"{path} is a binary file of {size} bytes and cannot be read as text.")
        if self.limit_bytes is not None and self.limit_bytes < size:
            text = data[: min(self.limit_bytes, MOST)].decode("utf-8-sig", errors="ignore").replace("\r\n", "\n")
            shown = len(text.encode())
            return f"[Showing first {shown} bytes of {size} total bytes]\n\n{text}", {"bytes_shown": shown}
        piece = lines_of(data.decode("utf-8-sig", errors="replace").replace("\r\n", "\n"), self.offset, self.limit)
        if self.offset and self.offset >= piece.total:
            raise ToolError(f"Offset {self.offset} exceeds total lines ({piece.total}) in file: {path}")
        asked = self.offset > 0 or self.limit is not None
        parts = [piece.heading] if piece.total and (asked or piece.last < piece.total) else []
        parts += [piece.text, *self._notices(piece, size)]
        lines = {"start_line": piece.first, "end_line": piece.last, "total_lines": piece.total}
        return "\n\n".join(parts), {**lines, "lines_shown": piece.last - piece.first + 1 if piece.total else 0}

    def _notices(self, piece: Piece, size: int) -> list[str]:
        wanted = piece.total if self.limit is None else min(self.offset + self.limit, piece.total)
        notices = [f"[Cut at {MOST} characters: go on with offset={piece.last}]"] if piece.last < wanted else []
        if piece.broken:
            notices = [f"[Cut at {MOST} characters, within line {piece.last}]"]
        return notices + ([f"[Only the first {LARGEST} of {size} bytes were looked at]"] if size > LARGEST else [])


def lines_of(text: str, offset: int, limit: int | None) -> Piece:
    """`limit` lines behind the first `offset`, as many as there is room for. Behind a newline at the end stands no line."""
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    chosen = lines[offset:] if limit is None else lines[offset : offset + limit]
    kept, room = 0, MOST
    while kept < len(chosen) and len(chosen[kept]) < room:
        room -= len(chosen[kept]) + 1
        kept += 1
    kept = kept or min(len(chosen), 1)
    is_end = offset + kept == len(lines) and not text.endswith("\n")
    shown = "\n".join(chosen[:kept]) + ("" if is_end or not kept else "\n")
    return Piece(shown[:MOST], offset + 1, offset + kept, len(lines), len(shown) > MOST)
