"""What tools that change one file have in common: where they may, what people see before, and how the change is told."""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

from pydantic import Field

from agents.edits.diff import file_change
from agents.errors import ToolError
from agents.events import FileChange
from agents.tools.checks import complaints, with_complaints
from agents.tools.places import errors_told, existing, is_plan_file, subject_path
from agents.tools.tool import Tool, ToolContext, ToolResult


class OneFile(Tool):
    """Base of those tools. A subclass says in `after` what the file will be, and in `said` what came of it."""

    always_load: ClassVar[bool] = True
    doing: ClassVar[str]
    """What it does, before a path: "Write file"."""

    path: str = Field(min_length=1, description="The file, relative to the workspace or absolute within it.")

    def after(self, before: bytes | None) -> bytes:
        """The file's new bytes, given those it has (None = there is none). Raises ToolError."""
        raise NotImplementedError

    def said(self, before: bytes | None, change: FileChange) -> str:
        """What the model is told when it is done."""
        raise NotImplementedError

    def told_of(self, change: FileChange) -> dict[str, Any]:
        """What is kept of it beside the path."""
        return {}

    def place(self, context: ToolContext) -> str:
        """The path as the workspace's files take it."""
        return self.path

    def subject(self, context: ToolContext) -> str:
        return subject_path(context, self.place(context))

    def prompt(self, context: ToolContext) -> str:
        return f"{self.doing}: {self.subject(context)}"

    def preview(self, context: ToolContext) -> str:
        try:
            before = existing(context.sandbox.files, self.place(context))
            return file_change(self.subject(context), before, self.after(before)).diff
        except (ToolError, OSError):
            return ""

    def plan_file(self, context: ToolContext) -> bool:
        return is_plan_file(context, self.place(context))

    async def run(self, context: ToolContext) -> ToolResult:
        known = await complaints(context, self.subject(context))
        with errors_told(self.place(context)):
            before, after = await asyncio.to_thread(self._put, context)
        change = await asyncio.to_thread(file_change, self.subject(context), before, after)
        said, more = await asyncio.to_thread(lambda: (self.said(before, change), self.told_of(change)))
        metadata = {"path": change.path, "is_new": before is None, "byte_count": len(after), **more}
        changes = () if before == after else (change,)
        result = ToolResult(f"{self.doing}: {change.path}", said, metadata, changes=changes)
        return await with_complaints(result, known, context)

    def _put(self, context: ToolContext) -> tuple[bytes | None, bytes]:
        files, place = context.sandbox.files, self.place(context)
        with files.locked(place):
            before = existing(files, place)
            after = self.after(before)
            if before != after:
                files.write(place, after)
        return before, after
