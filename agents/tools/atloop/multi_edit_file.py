"""The tool `multi_edit_file`."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field

from agents.edits.diff import file_change
from agents.edits.patching import Outcome
from agents.edits.source import encoded
from agents.errors import ToolError
from agents.sandboxes.sandbox import Files
from agents.tools.atloop.content import ended, refuse_placeholder
from agents.tools.atloop.exact import replace
from agents.tools.checks import complaints, with_complaints
from agents.tools.places import errors_told, existing, is_plan_file, subject_path
from agents.tools.putting import put_all
from agents.tools.tool import Tool, ToolContext, ToolResult
from agents.words import counted


class FileEdit(BaseModel):
    """One exact replacement in one file; with an empty old text, a new file."""

    model_config = ConfigDict(extra="forbid")

    path: str = Field(min_length=1, description="The file, relative to the workspace or absolute within it.")
    old_string: str = Field(description="The text to replace, exactly as it stands after the edits before this. Empty: make a new file.")
    new_string: str = Field(description="What to put in its place.")
    replace_all: bool = Field(False, description="Replace every place where it stands instead of demanding that there is one.")


@dataclass
class Desk:
    """The files as they are so far: a later edit sees what an earlier one did. `failed` has a line for each edit that does not fit."""

    files: Files
    before: dict[str, bytes | None] = field(default_factory=dict)
    now: dict[str, bytes] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)

    def take(self, number: int, edit: FileEdit) -> None:
        try:
            with errors_told(edit.path):
                path = self.files.relative(edit.path)
                self.now[path] = self._edited(path, edit)
        except ToolError as wrong:
            self.failed.append(f"Edit {number}, {edit.path}: {wrong}")

    def outcomes(self) -> list[Outcome]:
        return [Outcome(path, self.before[path], after) for path, after in self.now.items() if after != self.before[path]]

    def _edited(self, path: str, edit: FileEdit) -> bytes:
        if path not in self.before:
            self.before[path] = existing(self.files, path)
        data = self.now.get(path, self.before[path])
        refuse_placeholder(edit.new_string)
        if edit.old_string:
            if data is None:
                raise ToolError("File not found. To create it, leave old_string empty.")
            return replace(data, edit.old_string, edit.new_string, edit.replace_all).data
        if data is not None:
            raise ToolError("The file is there already, and an empty old_string only creates files. Quote the text to replace.")
        return ended(encoded(edit.new_string))


class MultiEditFile(Tool):
    """Exact replacements in any number of files: all are made, or none."""

    name: ClassVar[str] = "multi_edit_file"
    description: ClassVar[str] = (
        "Make several exact replacements in one or more files with one call: all of them, or, where one does not fit or a file cannot be "
        "written, none. They are applied in order; each old_string must be the only such place in its file, unless replace_all is set. "
        "An empty old_string creates a file. Each file ends with a newline afterwards."
    )
    keywords: ClassVar[tuple[str, ...]] = ("file", "change", "replace", "several", "rename", "refactor")
    always_load: ClassVar[bool] = True

    edits: list[FileEdit] = Field(min_length=1, description="The replacements, in the order to apply them.")

    def subject(self, context: ToolContext) -> str:
        """The one path it touches, or all of them in braces."""
        paths = self._paths(context)
        return paths[0] if len(paths) == 1 else f"{{{','.join(paths)}}}"

    def parts(self, context: ToolContext) -> Sequence[tuple[str, str]]:
        return [(self.name, path) for path in self._paths(context)]

    def prompt(self, context: ToolContext) -> str:
        paths = self._paths(context)
        where = paths[0] if len(paths) == 1 else f"{len(paths)} files: {', '.join(paths[:5])}{', …' if len(paths) > 5 else ''}"
        return f"Make {counted(len(self.edits), 'edit')} in {where}"

    def preview(self, context: ToolContext) -> str:
        desk = self._desk(context)
        return "" if desk.failed else "".join(file_change(one.path, one.before, one.after).diff for one in desk.outcomes())

    def plan_file(self, context: ToolContext) -> bool:
        return all(is_plan_file(context, edit.path) for edit in self.edits)

    async def run(self, context: ToolContext) -> ToolResult:
        known = await complaints(context, *self._paths(context))
        desk = await asyncio.to_thread(self._apply, context)
        total = len(self.edits)
        if desk.failed:
            metadata: dict[str, Any] = {"successful_edits": 0, "failed_edits": len(desk.failed), "total_edits": total, "edited_files": []}
            some = f"{len(desk.failed)} of {counted(total, 'edit')} could not be made, so none was: every file is as it was."
            return ToolResult("Edit files", "\n".join(desk.failed), metadata, some)
        done = desk.outcomes()
        changes = tuple(await asyncio.gather(*(asyncio.to_thread(file_change, one.path, one.before, one.after) for one in done)))
        metadata = {"successful_edits": total, "failed_edits": 0, "total_edits": total, "edited_files": list(desk.now)}
        listed = "".join(f"\n  - {path}" for path in desk.now)
        result = ToolResult("Edit files", f"Successfully edited {len(desk.now)} file(s):{listed}", metadata, changes=changes)
        return await with_complaints(result, known, context)

    def _paths(self, context: ToolContext) -> list[str]:
        return sorted({subject_path(context, edit.path) for edit in self.edits})

    def _apply(self, context: ToolContext) -> Desk:
        files = context.sandbox.files
        with files.locked(*self._inside(context)):
            desk = self._desk(context)
            if not desk.failed:
                put_all(files, desk.outcomes())
        return desk

    def _inside(self, context: ToolContext) -> list[str]:
        """The paths of its edits that can be one; of the others the desk tells."""
        return [path for path in self._paths(context) if _is_inside(context.sandbox.files, path)]

    def _desk(self, context: ToolContext) -> Desk:
        desk = Desk(context.sandbox.files)
        for number, edit in enumerate(self.edits, 1):
            desk.take(number, edit)
        return desk


def _is_inside(files: Files, path: str) -> bool:
    try:
        files.relative(path)
    except (ToolError, OSError):
        return False
    return True
