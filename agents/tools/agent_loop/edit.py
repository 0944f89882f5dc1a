"""The tool `edit`."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from pydantic import Field

from agents.edits.diff import file_change
from agents.edits.replacement import occurrences
from agents.edits.source import Source, plain
from agents.errors import ToolError
from agents.tools.agent_loop.places import CWD, failures_told, placed
from agents.tools.agent_loop.small import SmallTool
from agents.tools.checks import complaints, with_complaints
from agents.tools.places import full_path, is_plan_file, subject_path
from agents.tools.tool import ToolContext, ToolResult


class Edit(SmallTool):
    """One exact replacement of a text that stands once in the file; line ends stay as the file has them."""

    name: ClassVar[str] = "edit"
    description: ClassVar[str] = (
        "Replace one piece of a file. old_text must stand there exactly, blanks and line breaks included, and only once: quote as many "
        "lines around the place as it takes."
    )
    keywords: ClassVar[tuple[str, ...]] = ("file", "change", "replace", "modify", "fix")

    path: str = Field(min_length=1, description="The file.")
    old_text: str = Field(description="The text to replace, as it stands in the file.")
    new_text: str = Field(description="What to put in its place.")
    cwd: str = Field("", description=CWD)

    def subject(self, context: ToolContext) -> str:
        return subject_path(context, self._place(context))

    def prompt(self, context: ToolContext) -> str:
        return f"Edit file: {self.subject(context)}"

    def preview(self, context: ToolContext) -> str:
        try:
            before = context.sandbox.files.read(self._place(context))
            return file_change(self.subject(context), before, self._replaced(before)).diff
        except (ToolError, OSError):
            return ""

    def plan_file(self, context: ToolContext) -> bool:
        return is_plan_file(context, self._place(context))

    async def work(self, context: ToolContext) -> ToolResult:
        known = await complaints(context, self.subject(context))
        with failures_told(self._place(context)):
            path = full_path(context, self._place(context))
            before, after = await asyncio.to_thread(context.sandbox.files.change, self._place(context), self._replaced)
        change = await asyncio.to_thread(file_change, self.subject(context), before, after)
        metadata = {"path": path, "replacements": 1, "status": "edited"}
        said = f"Successfully replaced text in {path} (1 replacement)"
        return await with_complaints(ToolResult(f"Edit: {self.subject(context)}", said, metadata, changes=(change,)), known, context)

    def _place(self, context: ToolContext) -> str:
        return placed(context, self.path, self.cwd)

    def _replaced(self, data: bytes) -> bytes:
        source, old = Source(data), plain(self.old_text)
        if not old:
            raise ToolError("old_text is empty. Quote the text to replace; to write a whole file use write.")
        if old == plain(self.new_text):
            raise ToolError("old_text and new_text are the same, so there is nothing to change.")
        spans = occurrences(source.text, old)
        if not spans:
            raise ToolError(
                f"Could not find the exact text in {self.path}. It must match to the last blank and line break; read the file and quote it."
            )
        if len(spans) > 1:
            lines = ", ".join(str(source.line_of(start)) for start, _ in spans[:10])
            raise ToolError(
                f"Found {len(spans)} occurrences of the text in {self.path} (lines {lines}). Give more context so that it is one."
            )
        return source.spliced(spans, self.new_text)
