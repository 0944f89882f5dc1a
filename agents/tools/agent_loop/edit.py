"""The tool `edit`."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import Field

from agents.edits.replacement import occurrences
from agents.edits.source import Source, plain
from agents.errors import ToolError
from agents.events import FileChange
from agents.tools.agent_loop.onefile import SmallFile


class Edit(SmallFile):
    """One exact replacement of a text that stands once in the file; line ends stay as the file has them."""

    name: ClassVar[str] = "edit"
    description: ClassVar[str] = (
        "Replace one piece of a file. old_text must stand there exactly, blanks and line breaks included, and only once: quote as many "
        "lines around the place as it takes."
    )
    keywords: ClassVar[tuple[str, ...]] = ("file", "change", "replace", "modify", "fix")
    doing: ClassVar[str] = "Edit file"

    old_text: str = Field(description="The text to replace, as it stands in the file.")
    new_text: str = Field(description="What to put in its place.")

    def after(self, before: bytes | None) -> bytes:
        if before is None:
            raise ToolError(f"File not found: {self.path}. Look for it with find; write creates files.")
        old, new = plain(self.old_text), plain(self.new_text)
        if not old:
            raise ToolError("old_text is empty. Quote the text to replace; to write a whole file use write.")
        if old == new:
            raise ToolError("old_text and new_text are the same, so there is nothing to change.")
        return self._replaced(Source(before), old)

    def _replaced(self, source: Source, old: str) -> bytes:
        spans = occurrences(source.text, old)
        if not spans:
            raise ToolError(
                f"Could not find the exact text in {self.path}. It must match to the last blank and line break; read the file and quote it."
            )
        if len(spans) > 1:
            lines = ", ".join(str(source.line_of(start)) for start, _ in spans[:10]) + (", …" if len(spans) > 10 else "")
            raise ToolError(
                f"Found {len(spans)} occurrences of the text in {self.path} (lines {lines}). Give more context: it must be one."
            )
        return source.spliced(spans, self.new_text)

    def said(self, before: bytes | None, change: FileChange) -> str:
        return f"Successfully replaced text in {self.full} (1 replacement)"

    def told_of(self, change: FileChange) -> dict[str, Any]:
        return {"status": "edited", "replacements": 1}
