"""The tool `append_file`."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from agents.edits.source import encoded
from agents.errors import ToolError
from agents.events import FileChange
from agents.tools.atloop.content import refuse_placeholder
from agents.tools.onefile import OneFile

LOOKED_AT = 8192
"""Bytes by which a file is judged to be text or not."""


class AppendFile(OneFile):
    """Puts text behind what a file holds, byte for byte as given (UTF-8); it makes no file."""

    name: ClassVar[str] = "append_file"
    description: ClassVar[str] = (
        "Add content to the end of a file that is there, exactly as given: no newline is added before or behind it. "
        "A file that is not there yet is an error; create it with write_file."
    )
    keywords: ClassVar[tuple[str, ...]] = ("file", "add", "end", "continue", "log")
    doing: ClassVar[str] = "Append to file"

    content: str = Field(description="The text to add.")

    def after(self, before: bytes | None) -> bytes:
        if before is None:
            raise ToolError(f"File not found: {self.path}. append_file adds to a file that is there; create it with write_file.")
        if b"\0" in before[:LOOKED_AT]:
            raise ToolError(f"{self.path} is binary (it holds NUL bytes), and text added to it would spoil it.")
        refuse_placeholder(self.content)
        return before + encoded(self.content)

    def said(self, before: bytes | None, change: FileChange) -> str:
        if not self.content:
            return f"Nothing was added to {change.path}: content is empty."
        added = f"Added {len(encoded(self.content))} bytes to the end of {change.path}."
        joined = " It did not end with a newline, so the first line of content continues its last line."
        return added + (joined if before and not before.endswith(b"\n") and not self.content.startswith("\n") else "")
