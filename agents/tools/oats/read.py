"""The tool `read`."""

from __future__ import annotations

import asyncio
from typing import ClassVar, Literal

from pydantic import Field

from agents.reading.window import LARGEST, LINES, Window, window
from agents.tools.places import errors_told, full_path, subject_path
from agents.tools.tool import Tool, ToolContext, ToolResult


class Read(Tool):
    """Numbered lines of one text file of the workspace; files beyond 64 MB are read that far."""

    name: ClassVar[str] = "read"
    description: ClassVar[str] = (
        "Show a text file of the workspace with line numbers. Gives 2000 lines from the start unless offset and limit say otherwise; "
        "page through longer files with them. Lines over 2000 characters are cut. Binary files and folders are errors."
    )
    aliases: ClassVar[tuple[str, ...]] = ("file_read", "cat_file")
    keywords: ClassVar[tuple[str, ...]] = ("file", "open", "view", "show", "cat")
    always_load: ClassVar[bool] = True
    strict: ClassVar[bool] = True
    read_only: ClassVar[bool] = True
    mutates: ClassVar[bool] = False
    asks: ClassVar[Literal["allow", "ask"]] = "allow"

    file_path: str = Field(min_length=1, description="The file, relative to the workspace or absolute within it.")
    offset: int = Field(1, description="Number of the first line to show, from 1.")
    limit: int = Field(LINES, ge=1, description="How many lines to show.")

    def subject(self, context: ToolContext) -> str:
        return subject_path(context, self.file_path)

    async def run(self, context: ToolContext) -> ToolResult:
        files = context.sandbox.files
        with errors_told(self.file_path):
            path = full_path(context, self.file_path)
            size = files.stat(self.file_path).size
            data = await asyncio.to_thread(files.read, self.file_path, LARGEST)
        shown = await asyncio.to_thread(window, data, self.offset, self.limit)
        notices = [shown.text] if shown.shown else []
        notices += self._notices(shown, size)
        metadata = {
            "file_path": path, "total_lines": shown.total, "lines_shown": shown.shown, "offset": max(self.offset, 1), "limit": self.limit,
        }  # fmt: skip
        return ToolResult(f"Read: {self.subject(context)}", "\n\n".join(notices), metadata)

    def _notices(self, shown: Window, size: int) -> list[str]:
        notices = []
        if not shown.shown:
            notices.append(f"[Line {self.offset} is past the end: the file has {shown.total} lines]")
        elif shown.shown < shown.total:
            notices.append(f"[Showing lines {shown.first}-{shown.last} of {shown.total}]")
        if size > LARGEST:
            notices.append(f"[Only the first {LARGEST} of {size} bytes were looked at; use bash for what lies behind them]")
        return notices
