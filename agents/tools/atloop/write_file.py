"""The tool `write_file`."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import Field

from agents.edits.source import encoded, lines_of
from agents.events import FileChange
from agents.tools.atloop.content import ended, refuse_placeholder
from agents.tools.onefile import OneFile
from agents.words import counted


class WriteFile(OneFile):
    """Puts a file as a whole, in UTF-8, with a line end at its end."""

    name: ClassVar[str] = "write_file"
    description: ClassVar[str] = (
        "Create a file or replace it as a whole with content, taken literally; only a missing newline at its end is added. Missing folders "
        "are made. To change part of a file use edit_file; to go on with a long one, append_file."
    )
    keywords: ClassVar[tuple[str, ...]] = ("file", "create", "save", "overwrite", "new")
    doing: ClassVar[str] = "Write file"

    content: str = Field(description="The whole text of the file.")

    def after(self, before: bytes | None) -> bytes:
        refuse_placeholder(self.content)
        return ended(encoded(self.content))

    def said(self, before: bytes | None, change: FileChange) -> str:
        did = "Created" if before is None else "Wrote"
        return f"{did} {change.path} ({counted(self._lines, 'line')})"

    def told_of(self, change: FileChange) -> dict[str, Any]:
        return {"line_count": self._lines}

    @property
    def _lines(self) -> int:
        return len(lines_of(self.after(None)))
