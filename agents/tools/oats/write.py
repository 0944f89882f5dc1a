"""The tool `write`."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from pydantic import Field

from agents.edits.diff import file_change
from agents.edits.source import encoded
from agents.errors import ToolError
from agents.events import FileChange
from agents.tools.checks import complaints, with_complaints
from agents.tools.places import errors_told, existing, full_path, is_plan_file, subject_path
from agents.tools.tool import Tool, ToolContext, ToolResult


class Write(Tool):
    """Puts a file as a whole, byte for byte as given (UTF-8)."""

    name: ClassVar[str] = "write"
    description: ClassVar[str] = (
        "Create a file or replace it as a whole, exactly as given (no newline is added). Missing folders are made. "
        "To change part of a file use edit instead."
    )
    aliases: ClassVar[tuple[str, ...]] = ("file_write", "create_file", "overwrite_file")
    keywords: ClassVar[tuple[str, ...]] = ("file", "create", "save", "overwrite", "new")
    always_load: ClassVar[bool] = True
    strict: ClassVar[bool] = True

    file_path: str = Field(min_length=1, description="The file, relative to the workspace or absolute within it.")
    content: str = Field(description="The whole text of the file.")

    def subject(self, context: ToolContext) -> str:
        return subject_path(context, self.file_path)

    def prompt(self, context: ToolContext) -> str:
        return f"Write file: {self.subject(context)}"

    def preview(self, context: ToolContext) -> str:
        try:
            return self._change(context, existing(context.sandbox.files, self.file_path)).diff
        except (ToolError, OSError):
            return ""

    def plan_file(self, context: ToolContext) -> bool:
        return is_plan_file(context, self.file_path)

    async def run(self, context: ToolContext) -> ToolResult:
        known = await complaints(context, self.subject(context))
        with errors_told(self.file_path):
            path = full_path(context, self.file_path)
            before = await asyncio.to_thread(self._write, context)
        data, lines = encoded(self.content), self.content.count("\n") + bool(self.content and not self.content.endswith("\n"))
        metadata = {"file_path": path, "is_new": before is None, "line_count": lines, "byte_count": len(data)}
        changes = () if before == data else (await asyncio.to_thread(self._change, context, before),)
        did = "Created" if before is None else "Wrote"
        result = ToolResult(f"Write: {self.subject(context)}", f"{did} {path} ({lines} lines)", metadata, changes=changes)
        return await with_complaints(result, known, context)

    def _write(self, context: ToolContext) -> bytes | None:
        files, data = context.sandbox.files, encoded(self.content)
        with files.locked(self.file_path):
            before = existing(files, self.file_path)
            files.write(self.file_path, data)
        return before

    def _change(self, context: ToolContext, before: bytes | None) -> FileChange:
        return file_change(self.subject(context), before, encoded(self.content))
