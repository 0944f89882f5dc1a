"""The tool `write`."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pydantic import Field, PrivateAttr

from agents.edits.diff import file_change
from agents.edits.generated import generated_marker
from agents.edits.hashline.body import Body
from agents.edits.hashline.rows import header
from agents.edits.pasted import unpasted
from agents.edits.source import encoded
from agents.errors import NotText, PathRefused, ToolError
from agents.tools.atomic.archives import located as archive_at
from agents.tools.atomic.archives import write_archive
from agents.tools.atomic.conflicts import Standing
from agents.tools.atomic.databases import located as database_at
from agents.tools.atomic.databases import write_database
from agents.tools.atomic.resolving import is_conflict, meant, paths_of, permit, preview, resolve
from agents.tools.atomic.resources import file_of, is_resource
from agents.tools.atomic.seen import LARGEST_TAGGED, display, saw
from agents.tools.checks import complaints, with_complaints
from agents.tools.places import errors_told, existing, full_path, is_plan_file, subject_path
from agents.tools.tool import Tool, ToolContext, ToolResult

EXECUTABLE = 0o111
_WEB = re.compile(r"(?:https?:/|www\.)", re.IGNORECASE)
STRIPPED = "Note: the header and line numbers that were copied along from a tool's output were left out."


@dataclass(frozen=True)
class Written:
    """A file as it was put. `tag` is "" where it has none: it is no text, or too large for edits by line."""

    before: bytes | None
    data: bytes
    stripped: bool
    executable: bool
    tag: str = ""


class Write(Tool):
    """Puts files, members of archives and rows of databases, and settles what a merge left open."""

    name: ClassVar[str] = "write"
    description: ClassVar[str] = (
        "Create a file or replace it as a whole; missing folders are made, and a text that begins with #! becomes executable. "
        "The result has a fresh [path#TAG] for edit, which is better for changing part of a file. Other targets: "
        "archive.zip:member (also jar, tar, tgz, gz); data.sqlite:table with an object such as {name: 'x'} inserts a row, "
        "data.sqlite:table:key updates it, and deletes it when content is empty; conflict://N or conflict://* resolves merge conflicts "
        "(see them with read FILE:conflicts) by @ours, @theirs, @base or the text to put there; local://path is a file of the workspace."
    )
    aliases: ClassVar[tuple[str, ...]] = ("file_write", "create_file", "overwrite_file")
    keywords: ClassVar[tuple[str, ...]] = ("file", "create", "save", "overwrite", "new", "archive", "database", "conflict", "merge")
    always_load: ClassVar[bool] = True
    strict: ClassVar[bool] = True

    path: str = Field(min_length=1, description="The target: a path relative to the workspace or absolute within it, or one of the others.")
    content: str = Field(description="All that is to be there.")
    _meant: list[Standing] | None = PrivateAttr(None)

    def subject(self, context: ToolContext) -> str:
        """The one file that changes, or all of them in braces, so that a rule for a folder never lets others through."""
        try:
            if is_conflict(self.path):
                paths = paths_of(self._conflicts(context))
                return paths[0] if len(paths) == 1 else f"{{{','.join(paths)}}}"
            return subject_path(context, _outer(_place(self.path, context), context))
        except ToolError:
            return self.path

    def parts(self, context: ToolContext) -> Sequence[tuple[str, str]]:
        if is_conflict(self.path):
            chosen = self._conflicts(context)
            permit(context, chosen)
            return [(self.name, path) for path in paths_of(chosen)]
        return [(self.name, subject_path(context, _outer(_place(self.path, context), context)))]

    def prompt(self, context: ToolContext) -> str:
        return f"{'Resolve conflicts in' if is_conflict(self.path) else 'Write file'}: {self.subject(context)}"

    def preview(self, context: ToolContext) -> str:
        try:
            if is_conflict(self.path):
                return preview(context, self._conflicts(context), self.content)
            path = _place(self.path, context)
            if _outer(path, context) != path:
                return ""
            before = existing(context.sandbox.files, path)
            _refuse_generated(before, path)
            return file_change(subject_path(context, path), before, self._data(context)[0]).diff
        except (ToolError, OSError):
            return ""

    def plan_file(self, context: ToolContext) -> bool:
        try:
            return not is_conflict(self.path) and is_plan_file(context, _place(self.path, context))
        except ToolError:
            return False

    async def run(self, context: ToolContext) -> ToolResult:
        if is_conflict(self.path):
            return await resolve(context, self.path, self.content)
        path = await asyncio.to_thread(_place, self.path, context)
        for inside in (write_database, write_archive):
            if result := await inside(path, self.content, context):
                return result
        return await self._put(path, context)

    async def _put(self, path: str, context: ToolContext) -> ToolResult:
        known = await complaints(context, subject_path(context, path))
        with errors_told(path):
            done = await asyncio.to_thread(self._write, path, context)
        shown = display(context, path)
        lines = [header(shown, done.tag)] if done.tag else []
        lines += [f"Successfully wrote {len(done.data)} bytes to {shown}", *([STRIPPED] if done.stripped else [])]
        metadata = {
            "kind": "file", "resolvedPath": full_path(context, path), "tag": done.tag, "bytes": len(done.data),
            "stripped": done.stripped, "madeExecutable": done.executable,
        }  # fmt: skip
        changed = done.before != done.data
        changes = (await asyncio.to_thread(file_change, subject_path(context, path), done.before, done.data),) if changed else ()
        return await with_complaints(ToolResult(f"Write: {shown}", "\n".join(lines), metadata, changes=changes), known, context)

    def _write(self, path: str, context: ToolContext) -> Written:
        files = context.sandbox.files
        data, stripped = self._data(context)
        executable = data.startswith(b"#!")
        with files.locked(path):
            before = existing(files, path)
            _refuse_generated(before, path)
            mode = (0o644 if before is None else files.stat(path).mode) | EXECUTABLE if executable else None
            files.write(path, data, mode)
            return Written(before, data, stripped, executable, _tagged(context, path, data))

    def _data(self, context: ToolContext) -> tuple[bytes, bool]:
        """The bytes to write, and whether they are the content without what was copied along."""
        text = unpasted(self.content, lambda path, tag: _shown(context, path, tag))
        return encoded(self.content if text is None else text), text is not None

    def _conflicts(self, context: ToolContext) -> list[Standing]:
        """What is judged and previewed is looked for once; a run looks again."""
        if self._meant is None:
            self._meant = meant(context, self.path)
        return self._meant


def _place(path: str, context: ToolContext) -> str:
    """The path of the workspace that is meant. Raises ToolError for an address at which nothing can be written."""
    if is_resource(path):
        behind = file_of(path, context) if path.strip().lower().startswith("local:") else None
        if behind is None:
            raise ToolError(f"{path} is an unsupported writable internal resource. Write to a path, local://path or conflict://N.")
        return behind
    if _WEB.match(path.strip()):
        raise ToolError(f"{path} is a web address, which can be read but not written. Write to a path of the workspace.")
    return path


def _outer(path: str, context: ToolContext) -> str:
    """The archive or database that the path leads into, else the path itself: that is the file whose change rules judge."""
    try:
        if database := database_at(path, context):
            return database.database
        archive = archive_at(path, context)
    except (ToolError, OSError):
        return path
    return archive.archive if archive else path


def _refuse_generated(before: bytes | None, path: str) -> None:
    said = generated_marker((before or b"")[:8192].decode(errors="replace"))
    if said:
        raise ToolError(
            f"Refusing to overwrite generated file {path}: near its top it says {said!r}. Change what it is generated from and make it "
            "anew; if it really must be changed by hand, use edit."
        )


def _shown(context: ToolContext, path: str, tag: str) -> list[str]:
    """The texts that this session was shown under the header."""
    try:
        kept = context.reach.snapshots.versions(context.sandbox.files.relative(path))
    except (PathRefused, OSError):
        return []
    return [one.text for one in kept if one.tag == tag]


def _tagged(context: ToolContext, path: str, data: bytes) -> str:
    if len(data) > LARGEST_TAGGED:
        return ""
    try:
        return saw(context, path, Body.of(data).text).tag
    except NotText:
        return ""
