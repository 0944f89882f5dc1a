"""The tool `edit`."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from pydantic import Field

from agents.edits.diff import file_change
from agents.edits.replacement import Replacement, replace
from agents.errors import ToolError
from agents.tools.checks import complaints, with_complaints
from agents.tools.places import errors_told, full_path, is_plan_file, subject_path
from agents.tools.tool import Tool, ToolContext, ToolResult

TITLES = {"exact_match": "Edit", "fuzzy_match": "Edit (fuzzy)", "write_swap": "Edit (write-swap)"}


class Edit(Tool):
    """One replacement in one file: exact, else near (over 80% alike), else a block at least 50% alike; never a guess between two."""

    name: ClassVar[str] = "edit"
    description: ClassVar[str] = (
        "Replace a piece of a file. Quote old_string exactly as it stands, with enough lines to be the only such place, "
        "or set replace_all. A near match of whole lines is taken when there is clearly one, and the result says so; "
        "two possible places are an error and change nothing."
    )
    aliases: ClassVar[tuple[str, ...]] = ("replace_in_file", "file_edit")
    keywords: ClassVar[tuple[str, ...]] = ("file", "change", "replace", "modify", "fix")
    strict: ClassVar[bool] = True
    always_load: ClassVar[bool] = True

    file_path: str = Field(min_length=1, description="The file, relative to the workspace or absolute within it.")
    old_string: str = Field(description="The text to replace, as it stands in the file, without line numbers.")
    new_string: str = Field(description="What to put in its place.")
    replace_all: bool = Field(False, description="Replace every exact occurrence instead of demanding that there is one.")

    def subject(self, context: ToolContext) -> str:
        return subject_path(context, self.file_path)

    def prompt(self, context: ToolContext) -> str:
        return f"Edit file: {self.subject(context)}"

    def preview(self, context: ToolContext) -> str:
        try:
            before = context.sandbox.files.read(self.file_path)
            return file_change(self.subject(context), before, self._replaced(before).data).diff
        except (ToolError, OSError):
            return ""

    def plan_file(self, context: ToolContext) -> bool:
        return is_plan_file(context, self.file_path)

    async def run(self, context: ToolContext) -> ToolResult:
        self._refuse_empty()
        known = await complaints(context, self.subject(context))
        with errors_told(self.file_path):
            path = full_path(context, self.file_path)
            before, done = await asyncio.to_thread(self._edit, context)
        change = await asyncio.to_thread(file_change, self.subject(context), before, done.data)
        metadata = {
            "file_path": path, "strategy": done.strategy, "confidence": round(done.confidence, 3), "replacements": done.count,
            "old_length": len(self.old_string), "new_length": len(self.new_string),
        }  # fmt: skip
        output = self._said(context, done)
        if done.strategy == "fuzzy_match":
            metadata["fuzzy_confidence"] = metadata["confidence"]
        if done.strategy != "exact_match":
            output = f"{output} Check that this is what you meant:\n{change.diff}"
        result = ToolResult(f"{TITLES[done.strategy]}: {self.subject(context)}", output, metadata, changes=(change,))
        return await with_complaints(result, known, context)

    def _refuse_empty(self) -> None:
        if not self.old_string:
            raise ToolError("old_string is empty. Quote the text to replace; to create a file use write.")
        if self.old_string == self.new_string:
            raise ToolError("old_string and new_string are the same, so there is nothing to change.")

    def _edit(self, context: ToolContext) -> tuple[bytes, Replacement]:
        done: list[Replacement] = []

        def edit(data: bytes) -> bytes:
            done.append(self._replaced(data))
            return done[0].data

        before, _ = context.sandbox.files.change(self.file_path, edit)
        return before, done[0]

    def _replaced(self, data: bytes) -> Replacement:
        self._refuse_empty()
        return replace(data, self.old_string, self.new_string, every=self.replace_all)

    def _said(self, context: ToolContext, done: Replacement) -> str:
        where = f"{self.subject(context)} (line {done.lines[0]})" if done.count == 1 else self.subject(context)
        if done.strategy == "exact_match":
            return f"Replaced {done.count} occurrence{'s' * (done.count != 1)} in {where}"
        how = "a near match" if done.strategy == "fuzzy_match" else "a rewritten block"
        return f"The text was not found exactly; replaced {how}, {done.confidence:.0%} alike, in {where}."
