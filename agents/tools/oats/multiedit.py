"""The tool `multiedit`."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import BaseModel, Field

from agents.edits.diff import file_change
from agents.edits.replacement import occurrences
from agents.edits.source import Source, plain
from agents.errors import ToolError
from agents.tools.checks import complaints, with_complaints
from agents.tools.places import errors_told, full_path, is_plan_file, subject_path
from agents.tools.tool import Tool, ToolContext, ToolResult


class OneEdit(BaseModel):
    """One exact replacement."""

    old_string: str = Field(description="The text to replace, exactly as it stands after the edits before this one.")
    new_string: str = Field(description="What to put in its place.")
    replace_all: bool = Field(False, description="Replace every occurrence instead of demanding that there is one.")


@dataclass
class Tally:
    """The edits' work: the file as it is after them, and one line about each."""

    data: bytes
    results: list[str]
    replacements: int = 0


class MultiEdit(Tool):
    """Several exact replacements in one file, one after the other; one that misses does not undo the others."""

    name: ClassVar[str] = "multiedit"
    description: ClassVar[str] = (
        "Make several exact replacements in one file with one call. They are applied in order, each on the result of those before it. "
        "The answer tells of each; one that is not found or not unique is left out and the others still count."
    )
    keywords: ClassVar[tuple[str, ...]] = ("file", "change", "replace", "several", "batch")

    file_path: str = Field(min_length=1, description="The file, relative to the workspace or absolute within it.")
    edits: list[OneEdit] = Field(min_length=1, description="The replacements, in the order to apply them.")

    def subject(self, context: ToolContext) -> str:
        return subject_path(context, self.file_path)

    def prompt(self, context: ToolContext) -> str:
        return f"Make {len(self.edits)} edits in {self.subject(context)}"

    def preview(self, context: ToolContext) -> str:
        try:
            before = context.sandbox.files.read(self.file_path)
            return file_change(self.subject(context), before, self._tally(before).data).diff
        except (ToolError, OSError):
            return ""

    def plan_file(self, context: ToolContext) -> bool:
        return is_plan_file(context, self.file_path)

    async def run(self, context: ToolContext) -> ToolResult:
        known = await complaints(context, self.subject(context))
        with errors_told(self.file_path):
            path = full_path(context, self.file_path)
            before, tally = await asyncio.to_thread(self._edit, context)
        metadata: dict[str, Any] = {
            "file_path": path, "num_edits": len(self.edits), "total_replacements": tally.replacements, "results": tally.results,
        }  # fmt: skip
        output = "\n".join([*tally.results, "", f"Total: {tally.replacements} replacements across {len(self.edits)} edits"])
        error = None if tally.replacements else "None of the edits could be made; the file is as it was."
        change = await asyncio.to_thread(file_change, self.subject(context), before, tally.data)
        changes = (change,) if before != tally.data else ()
        result = ToolResult(f"MultiEdit: {self.subject(context)}", output, metadata, error, changes)
        return await with_complaints(result, known, context)

    def _edit(self, context: ToolContext) -> tuple[bytes, Tally]:
        tallies: list[Tally] = []

        def edit(data: bytes) -> bytes:
            tallies.append(self._tally(data))
            return tallies[0].data

        before, _ = context.sandbox.files.change(self.file_path, edit)
        return before, tallies[0]

    def _tally(self, data: bytes) -> Tally:
        tally = Tally(data, [])
        for number, edit in enumerate(self.edits, 1):
            tally.results.append(f"Edit {number}: {_applied(tally, edit)}")
        return tally


def _applied(tally: Tally, edit: OneEdit) -> str:
    if not edit.old_string or edit.old_string == edit.new_string:
        return "SKIPPED - old_string is empty or the same as new_string"
    source = Source(tally.data)
    spans = occurrences(source.text, plain(edit.old_string))
    if not spans:
        return f"NOT FOUND - {_head(edit.old_string, 50)}"
    if len(spans) > 1 and not edit.replace_all:
        lines = ", ".join(str(source.line_of(start)) for start, _ in spans[:10])
        return f"AMBIGUOUS - {_head(edit.old_string, 30)} occurs {len(spans)} times (at lines {lines})"
    tally.data = source.spliced(spans, edit.new_string)
    tally.replacements += len(spans)
    return f"OK - {len(spans)} replacement(s)"


def _head(text: str, length: int) -> str:
    return repr(text if len(text) <= length else f"{text[:length]}…")
