"""The tool `apply_patch`."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import PurePosixPath
from typing import ClassVar

from pydantic import Field

from agents.edits.diff import file_change
from agents.edits.patching import Outcome, outcomes
from agents.edits.unified import FilePatch, parse
from agents.errors import PathRefused, ToolError
from agents.events import FileChange
from agents.sandboxes.sandbox import Files
from agents.tools.checks import complaints, with_complaints
from agents.tools.places import errors_told, existing, subject_path
from agents.tools.putting import put_all
from agents.tools.tool import Tool, ToolContext, ToolResult


class ApplyPatch(Tool):
    """A unified diff over any number of files: checked whole, then applied whole; a failure leaves every file as it was."""

    name: ClassVar[str] = "apply_patch"
    description: ClassVar[str] = (
        "Apply a unified diff (---/+++ headers, @@ hunks with line numbers) to one or more files; it can also create (--- /dev/null), "
        "delete (+++ /dev/null) and rename files. Context and removed lines must match exactly; hunks may have moved. "
        "If any hunk does not fit, nothing at all is changed."
    )
    aliases: ClassVar[tuple[str, ...]] = ("patch", "unified_diff")
    keywords: ClassVar[tuple[str, ...]] = ("diff", "patch", "file", "change", "hunk")
    strict: ClassVar[bool] = True

    patch: str = Field(description="The diff.")
    strip: int = Field(1, ge=0, le=50, description="Leading parts to take off each path; 1 takes off only an a/ or b/.")

    def subject(self, context: ToolContext) -> str:
        """The one path it touches, or all of them in braces, so that a rule for a folder never lets others through."""
        try:
            paths = sorted({subject_path(context, path) for file in parse(self.patch, self.strip) for path in (file.old, file.new) if path})
        except ToolError:
            return ""
        return paths[0] if len(paths) == 1 else f"{{{','.join(paths)}}}"

    def prompt(self, context: ToolContext) -> str:
        return f"Apply patch: {self.subject(context)}"

    def preview(self, context: ToolContext) -> str:
        try:
            files = context.sandbox.files
            done = outcomes(self._located(files), lambda path: existing(files, path))
            return "".join(_change(outcome).diff for outcome in _joined_renames(done))
        except (ToolError, OSError):
            return ""

    async def run(self, context: ToolContext) -> ToolResult:
        known = await complaints(context, *self._results(context))
        done, changes = await asyncio.to_thread(self._apply, context.sandbox.files)
        results = [_said(outcome, change) for outcome, change in zip(done, changes, strict=True)]
        created, deleted = (sum(change.change == kind for change in changes) for kind in ("created", "deleted"))
        modified = len(changes) - created - deleted
        summary = f"Summary: {modified} modified, {created} created, {deleted} deleted"
        metadata = {"files_modified": modified, "files_created": created, "files_deleted": deleted, "results": results}
        result = ToolResult("Apply patch", "\n".join(["Patch applied:", "", *results, "", summary]), metadata, changes=changes)
        return await with_complaints(result, known, context)

    def _results(self, context: ToolContext) -> list[str]:
        """The files there will be."""
        return [subject_path(context, patch.new) for patch in parse(self.patch, self.strip) if patch.new]

    def _apply(self, files: Files) -> tuple[list[Outcome], tuple[FileChange, ...]]:
        patches = self._located(files)
        paths = {path for patch in patches for path in (patch.old, patch.new) if path}
        with files.locked(*paths):
            done = outcomes(patches, lambda path: _content(files, path))
            put_all(files, [_with_mode(files, outcome) for outcome in done])
        done = _joined_renames(done)
        return done, tuple(_change(outcome) for outcome in done)

    def _located(self, files: Files) -> list[FilePatch]:
        """The parsed patch with every path as the workspace knows it. Raises PathRefused."""
        patches = parse(self.patch, self.strip)
        return [replace(patch, old=_located(files, patch.old), new=_located(files, patch.new)) for patch in patches]


def _located(files: Files, path: str) -> str:
    if not path:
        raise ToolError("A file in the patch has no readable name; nothing was changed.")
    with errors_told(path):
        relative = files.relative(path)
    if ".git" in PurePosixPath(relative).parts:
        raise PathRefused(f"{path}: tools do not write inside .git; nothing was changed.")
    return relative


def _content(files: Files, path: str) -> bytes | None:
    with errors_told(path):
        return existing(files, path)


def _with_mode(files: Files, outcome: Outcome) -> Outcome:
    """A file that moves takes its permissions along."""
    return replace(outcome, mode=files.stat(outcome.was).mode) if outcome.was and outcome.mode is None else outcome


def _joined_renames(outcomes: list[Outcome]) -> list[Outcome]:
    """For people a rename is one change: leave out the deletion that belongs to it."""
    moved = {outcome.was: outcome.path for outcome in outcomes if outcome.was}
    gone = {outcome.path for outcome in outcomes if outcome.after is None and outcome.path in moved}
    return [
        replace(outcome, before=_before_of(outcomes, outcome.was)) if outcome.was in gone else outcome
        for outcome in outcomes
        if outcome.path not in gone
    ]


def _before_of(outcomes: list[Outcome], path: str) -> bytes | None:
    return next((outcome.before for outcome in outcomes if outcome.path == path), None)


def _change(outcome: Outcome) -> FileChange:
    was = outcome.was if outcome.before is not None else ""
    return file_change(outcome.path, outcome.before, outcome.after, was)


def _said(outcome: Outcome, change: FileChange) -> str:
    hunks = f" ({outcome.hunks} hunk{'s' * (outcome.hunks != 1)})" if outcome.hunks else ""
    moved = f"{outcome.was} → " if change.change == "renamed" else ""
    return f"{change.change.capitalize()}: {moved}{outcome.path}{hunks}"
