"""The tool `write_to_file`."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import Field

from agents.edits.source import encoded
from agents.events import FileChange
from agents.tools.alfredo.families import ModelFamily
from agents.tools.alfredo.specs import ToolParameter, ToolSpec
from agents.tools.alfredo.worded import Worded
from agents.tools.onefile import OneFile
from agents.words import counted

LITERAL = "Write it as it shall stand in the file: no &lt; for <, no \\n for a line end, no fence of ``` around it."


class WriteToFile(Worded, OneFile):
    """Puts a file as a whole, byte for byte as given (UTF-8); it may be empty."""

    name: ClassVar[str] = "write_to_file"
    description: ClassVar[str] = (
        "Create a file, or replace all of one that exists. Missing folders are made. Nothing of the old text stays, so content must be "
        "the complete new text: never a part of it, never a remark in place of lines that stay as they are. To change some lines use "
        "replace_in_file."
    )
    aliases: ClassVar[tuple[str, ...]] = ("create_file",)
    keywords: ClassVar[tuple[str, ...]] = ("file", "create", "save", "overwrite", "new", "write")
    doing: ClassVar[str] = "Write file"
    variants: ClassVar[tuple[ToolSpec, ...]] = (
        ToolSpec(
            "write_to_file", "write_to_file", "Create a file or replace it as a whole; missing folders are made.", ModelFamily.NEXT_GEN,
        ),
        ToolSpec(
            "write_to_file", "write_to_file", description, ModelFamily.GEMINI,
            (ToolParameter("content", instruction=f"The complete new text of the file. {LITERAL}"),),
        ),
    )  # fmt: skip

    content: str = Field(description="The complete new text of the file; it may be empty.")

    def after(self, before: bytes | None) -> bytes:
        return encoded(self.content)

    def said(self, before: bytes | None, change: FileChange) -> str:
        did = "Created" if before is None else "Updated"
        return f"{did} file: {change.path} ({counted(len(self.content), 'character')})"

    def told_of(self, change: FileChange) -> dict[str, Any]:
        return {"characters": len(self.content)}
