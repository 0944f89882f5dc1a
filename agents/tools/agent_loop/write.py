"""The tool `write`."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from pydantic import Field

from agents.edits.diff import file_change
from agents.edits.source import encoded
from agents.errors import ToolError
from agents.events import FileChange
from agents.tools.agent_loop.places import CWD, failures_told, placed
from agents.tools.agent_loop.small import SmallTool
from agents.tools.checks import complaints, with_complaints
from agents.tools.places import existing, full_path, is_plan_file, subject_path
from agents.tools.tool import ToolContext, ToolResult


class Write(SmallTool):
    """Puts a file as a whole, byte for byte as given (UTF-8)."""

    name: ClassVar[str] = "write"
    description: ClassVar[str] = (
        "Write a whole file exactly as given, in place of one that is there too; missing folders are made. To change a part, use edit."
    )
    keywords: ClassVar[tuple[str, ...]] = ("file", "create", "save", "overwrite", "new")

    path: str = Field(min_length=1, description="The file.")
    content: str = Field(description="The whole text.")
    cwd: str = Field("", description=CWD)

    def subject(self, context: ToolContext) -> str:
        return subject_path(context, self._place(context))

    def prompt(self, context: ToolContext) -> str:
        return f"Write file: {self.subject(context)}"

    def preview(self, context: ToolContext) -> str:
        try:
            return self._change(context, existing(context.sandbox.files, self._place(context))).diff
        except (ToolError, OSError):
            return ""

    def plan_file(self, context: ToolContext) -> bool:
        return is_plan_file(context, self._place(context))

    async def work(self, context: ToolContext) -> ToolResult:
        known = await complaints(context, self.subject(context))
        with failures_told(self._place(context)):
            path = full_path(context, self._place(context))
            before = await asyncio.to_thread(self._write, context)
        data = encoded(self.content)
        changes = () if before == data else (await asyncio.to_thread(self._change, context, before),)
        status = "created" if before is None else "unchanged" if before == data else "overwritten"
        metadata = {"path": path, "bytes": len(data), "status": status}
        said = f"Successfully wrote {len(data)} bytes to {path} ({status})"
        return await with_complaints(ToolResult(f"Write: {self.subject(context)}", said, metadata, changes=changes), known, context)

    def _place(self, context: ToolContext) -> str:
        return placed(context, self.path, self.cwd)

    def _write(self, context: ToolContext) -> bytes | None:
        files, data, place = context.sandbox.files, encoded(self.content), self._place(context)
        with files.locked(place):
            before = existing(files, place)
            files.write(place, data)
        return before

    def _change(self, context: ToolContext, before: bytes | None) -> FileChange:
        return file_change(self.subject(context), before, encoded(self.content))
