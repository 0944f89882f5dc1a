"""The tool `write`."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import Field

from agents.edits.source import encoded
from agents.events import FileChange
from agents.tools.agent_loop.onefile import SmallFile


class Write(SmallFile):
    """Puts a file as a whole, byte for byte as given (UTF-8)."""

    name: ClassVar[str] = "write"
    description: ClassVar[str] = (
        "Write a whole file exactly as given, in place of one that is there too; missing folders are made. To change a part, use edit."
    )
    keywords: ClassVar[tuple[str, ...]] = ("file", "create", "save", "overwrite", "new")
    doing: ClassVar[str] = "Write file"

    content: str = Field(description="The whole text.")

    def after(self, before: bytes | None) -> bytes:
        return encoded(self.content)

    def said(self, before: bytes | None, change: FileChange) -> str:
        status = "created" if before is None else "unchanged" if before == self.after(before) else "overwritten"
        return f"Successfully wrote {len(self.after(before))} bytes to {self.full} ({status})"

    def told_of(self, change: FileChange) -> dict[str, Any]:
        return {"status": "written"}
