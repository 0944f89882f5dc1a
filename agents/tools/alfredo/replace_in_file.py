"""The tool `replace_in_file`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from pydantic import Field

from agents.edits.searchreplace import Edited, apply_blocks, parse_blocks
from agents.errors import ToolError
from agents.events import FileChange
from agents.tools.alfredo.families import ModelFamily
from agents.tools.alfredo.specs import ToolParameter, ToolSpec
from agents.tools.alfredo.worded import Worded
from agents.tools.alfredo.write_to_file import LITERAL
from agents.tools.onefile import OneFile

FORM = """\
------- SEARCH
lines as they stand in the file
=======
lines to put there
+++++++ REPLACE"""


class ReplaceInFile(Worded, OneFile):
    """Exact replacements in one file, each at the first place where its text stands; all of them or none."""

    name: ClassVar[str] = "replace_in_file"
    description: ClassVar[str] = (
        "Change pieces of a file that exists, by SEARCH/REPLACE blocks. A SEARCH part must stand in the file to the letter, blanks and "
        "indentation included; where it stands more than once, the first place is changed, so quote enough lines to mean the right one. "
        "An empty REPLACE part deletes. The blocks are applied in their order; if one does not fit, nothing at all is written."
    )
    aliases: ClassVar[tuple[str, ...]] = ("search_replace",)
    keywords: ClassVar[tuple[str, ...]] = ("file", "edit", "change", "replace", "modify", "fix", "diff")
    doing: ClassVar[str] = "Edit file"
    variants: ClassVar[tuple[ToolSpec, ...]] = (
        ToolSpec(
            "replace_in_file", "replace_in_file",
            "Change pieces of a file by exact SEARCH/REPLACE blocks, each at the first place that fits; all of them or none.",
            ModelFamily.NEXT_GEN, (ToolParameter("diff", instruction=f"Blocks, in the file's order:\n{FORM}"),),
        ),
        ToolSpec(
            "replace_in_file", "replace_in_file", description, ModelFamily.GEMINI,
            (ToolParameter("diff", instruction=f"One or more blocks, in the file's order:\n{FORM}\n{LITERAL}"),),
        ),
    )  # fmt: skip

    diff: str = Field(
        min_length=1,
        description=f"One or more blocks, in the file's order, the markers on lines of their own:\n{FORM}\n"
        "Where a part has a line of = signs itself, write more dashes before SEARCH and just as many = between the parts.",
    )

    def after(self, before: bytes | None) -> bytes:
        return self._edited(before).data

    def said(self, before: bytes | None, change: FileChange) -> str:
        edited = self._edited(before)
        begin = f"Successfully updated file: {change.path}"
        if edited.data == before:
            begin = f"{change.path} reads so already; nothing was changed."
        return "\n".join([begin, *_remarks(edited)])

    def told_of(self, change: FileChange) -> dict[str, Any]:
        return {"blocks": len(parse_blocks(self.diff))}

    def _edited(self, before: bytes | None) -> Edited:
        if before is None:
            raise ToolError(f"File not found: {self.path}. Look for it with list_files; write_to_file creates files.")
        return apply_blocks(before, self.diff)


def _remarks(edited: Edited) -> Iterator[str]:
    """What the model may not have meant."""
    for number, place in enumerate(edited.places, 1):
        if place.fits > 1:
            yield f"Block {number} fits {place.fits} places; the first, at line {place.line}, was changed."
    if not edited.ended:
        yield f"Block {len(edited.places)} had no REPLACE line at its end; all that stood below its ======= was taken."
