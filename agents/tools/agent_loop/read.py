"""The tool `read`."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from pydantic import Field

from agents.reading.window import LARGEST
from agents.tools.agent_loop.pages import BYTES, LINES, Wish, page
from agents.tools.agent_loop.places import CWD, FINDER, placed
from agents.tools.agent_loop.small import LookingTool
from agents.tools.places import errors_told, full_path, subject_path
from agents.tools.tool import ToolContext, ToolResult

MOST_LINES, MOST_BYTES = 10_000, 2**20


class Read(LookingTool):
    """Lines of a text file as they stand, without numbers; of files beyond 64 MB only what lies before that."""

    name: ClassVar[str] = "read"
    description: ClassVar[str] = (
        f"Show a text file as it stands. A page ends after {LINES} lines or {BYTES // 1024} KB, whichever comes first, and says which "
        "offset continues it."
    )
    keywords: ClassVar[tuple[str, ...]] = ("file", "open", "view", "show", "cat")

    path: str = Field(min_length=1, description="The file.")
    cwd: str = Field("", description=CWD)
    offset: int = Field(1, ge=1, description="Number of the first line to show, from 1.")
    limit: int | None = Field(None, ge=1, description="How many lines to show; by default all that fit.")
    max_lines: int = Field(LINES, ge=1, le=MOST_LINES, description="Most lines of the page.")
    max_bytes: int = Field(BYTES, ge=1, le=MOST_BYTES, description="Most bytes of the page.")

    def subject(self, context: ToolContext) -> str:
        return subject_path(context, placed(context, self.path, self.cwd))

    async def work(self, context: ToolContext) -> ToolResult:
        path = placed(context, self.path, self.cwd)
        with errors_told(path, FINDER):
            full = full_path(context, path)
            data = await asyncio.to_thread(context.sandbox.files.read, path, LARGEST)
        shown = await asyncio.to_thread(page, data, Wish(self.offset, self.limit, self.max_lines, self.max_bytes))
        metadata = {"path": full, "start_line": shown.first, "end_line": shown.last, "total_lines": shown.total}
        return ToolResult(f"Read: {self.subject(context)}", shown.text, metadata)
