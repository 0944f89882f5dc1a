"""The tool `edit_file`."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import Field

from agents.edits.source import plain
from agents.errors import ToolError
from agents.events import FileChange
from agents.tools.atloop.content import refuse_placeholder
from agents.tools.atloop.exact import replace
from agents.tools.atloop.quoted import old_and_new
from agents.tools.onefile import OneFile


class EditFile(OneFile):
    """One exact replacement in one file, or all of one text; never a guess."""

    name: ClassVar[str] = "edit_file"
    description: ClassVar[str] = (
        "Replace a piece of a file. content is <old>text as it stands</old><new>text to put there</new>; between the tags everything is "
        "literal. The old text must be the only such place: quote some lines around it, or set replace_all. An empty <new></new> "
        "deletes. The file ends with a newline afterwards."
    )
    keywords: ClassVar[tuple[str, ...]] = ("file", "change", "replace", "modify", "fix", "delete")
    doing: ClassVar[str] = "Edit file"

    content: str = Field(min_length=1, description="<old>…</old><new>…</new>, in either order.")
    replace_all: bool = Field(False, description="Replace every place where the old text stands instead of demanding that there is one.")

    def after(self, before: bytes | None) -> bytes:
        refuse_placeholder(self.content)
        old, new = old_and_new(self.content)
        if before is None:
            raise ToolError(f"File not found: {self.path}. Look for it with glob; write_file creates files.")
        return replace(before, old, new, self.replace_all).data

    def said(self, before: bytes | None, change: FileChange) -> str:
        if self._deletes:
            return f"Updated file: removed {change.removed} lines{self._places(before)}."
        return f"Updated file: +{change.added} lines, -{change.removed} lines{self._places(before)}."

    def told_of(self, change: FileChange) -> dict[str, Any]:
        return {"operation": "delete" if self._deletes else "update", "replace_all": self.replace_all}

    def _places(self, before: bytes | None) -> str:
        lines = replace(before or b"", *old_and_new(self.content), self.replace_all).lines
        return f" (at line {lines[0]})" if len(lines) == 1 else f" ({len(lines)} places)"

    @property
    def _deletes(self) -> bool:
        return not plain(old_and_new(self.content)[1])
