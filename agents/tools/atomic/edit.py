"""The tool `edit` of the Atomic toolset."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from typing import Any, ClassVar

from pydantic import Field

from agents.edits.hashline.blocks import Find, finder
from agents.edits.hashline.diffing import first_changed_line, numbered_diff, patch
from agents.edits.hashline.hunks import Script
from agents.edits.hashline.rows import header
from agents.edits.hashline.script import parse
from agents.edits.hashline.tags import tag_of
from agents.errors import ToolError
from agents.tools.atomic.resources import file_of
from agents.tools.atomic.targets import Target, Writing, prepared, write_all
from agents.tools.checks import complaints, with_complaints
from agents.tools.places import is_plan_file, subject_path
from agents.tools.tool import Tool, ToolContext, ToolResult

MOST_NO_OPS = 3
"""The same edit without effect is an error from this time on."""
LONGEST_DIFF = 64 * 1024
"""Characters of a diff that the result keeps; the model reads as much."""
_NO_OPS = "edit: without effect"
_REMEMBERED = 20


class Edit(Tool):
    """Hunks by line number, in sections by file, each held against the text of the file that was seen under the section's tag."""

    name: ClassVar[str] = "edit"
    description: ClassVar[str] = (
        "Change existing text files by line numbers. `input` has one section a file: first the line [PATH#TAG] as read, search, write or "
        "an earlier edit gave it, then hunks. `replace N..M:` and below it the new lines, each written +TEXT (a + alone is an empty line); "
        "`delete N..M`, without rows; `insert before N:`, `insert after N:`, `insert head:`, `insert tail:` with +TEXT rows. "
        "`replace block N:`, `delete block N` and `insert after block N:` take the whole construct that begins on line N. "
        "All numbers are those of the text under the tag and never shift within one call. Send only what shall stand there in the end: no "
        "context rows, no - rows, no line that borders the range. A file that changed since is edited only where nothing overlaps. "
        "The result gives the new [PATH#TAG] for the next edit. New files are made with write."
    )
    keywords: ClassVar[tuple[str, ...]] = ("file", "change", "replace", "modify", "fix", "insert", "delete", "lines")
    strict: ClassVar[bool] = True
    always_load: ClassVar[bool] = True

    input: str = Field(description="The sections: [PATH#TAG] and hunks, in any number.")

    def subject(self, context: ToolContext) -> str:
        """The one path it edits, or all of them in braces, so that a rule for a folder never lets others through."""
        paths = self._paths(context)
        return paths[0] if len(paths) == 1 else f"{{{','.join(sorted(paths))}}}" if paths else ""

    def parts(self, context: ToolContext) -> Sequence[tuple[str, str]]:
        return [(self.name, path) for path in self._paths(context)] or [(self.name, "")]

    def prompt(self, context: ToolContext) -> str:
        paths = self._paths(context)
        return f"Edit {'file' if len(paths) == 1 else f'{len(paths)} files'}: {', '.join(paths)}"

    def preview(self, context: ToolContext) -> str:
        try:
            targets = prepared(self._script(context), context, self.finder, dry=True)
            return "".join(target.change.diff for target in targets if target.changes)
        except (ToolError, OSError):
            return ""

    def plan_file(self, context: ToolContext) -> bool:
        paths = self._paths(context)
        return bool(paths) and all(is_plan_file(context, path) for path in paths)

    async def run(self, context: ToolContext) -> ToolResult:
        script = self._script(context)
        targets = await asyncio.to_thread(prepared, script, context, self.finder)
        if not any(target.changes for target in targets):
            return await asyncio.to_thread(_without_effect, targets, context)
        if idle := [target.path for target in targets if not target.changes]:
            raise ToolError(f"The hashline edit for {idle[0]} did not change the file, so nothing was written. Leave that section out.")
        known = await complaints(context, *(target.path for target in targets))
        writing = await asyncio.to_thread(write_all, targets, context)
        result = await asyncio.to_thread(_result, script, targets, writing)
        return await with_complaints(result, known, context)

    @staticmethod
    def finder(path: str) -> Find:
        """Finds the blocks of this file's language."""
        return finder(path)

    def _script(self, context: ToolContext) -> Script:
        return parse(self.input, [f"{root.rstrip('/')}/" for root in (context.sandbox.mount, context.sandbox.root)])

    def _paths(self, context: ToolContext) -> list[str]:
        """The files' own paths, each once; as they were written where they are refused; none where the script cannot be read."""
        try:
            sections = self._script(context).sections
        except ToolError:
            return []
        return list(dict.fromkeys(_subject(context, section.path) for section in sections))


def _subject(context: ToolContext, path: str) -> str:
    try:
        return subject_path(context, file_of(path, context) or path)
    except ToolError:
        return path


def _without_effect(targets: Sequence[Target], context: ToolContext) -> ToolResult:
    """Success that says so, and an error for whoever keeps on trying."""
    count = _counted(targets, context)
    paths = ", ".join(target.path for target in targets)
    said = (
        f"The edit of {paths} parsed and applied cleanly, but produced no change: its rows are byte-identical to the lines they replace. "
        "Whatever is wrong is somewhere else: re-read the file before another edit."
    )
    if count >= MOST_NO_OPS:
        raise ToolError(f"STOP. {said} This was tried {count} times.")
    again = f"\nNo-op count for this identical edit: {count}." if count > 1 else ""
    sections = [_section(target, tag_of(target.live.text), target.done.warnings) for target in targets]
    return ToolResult(f"Edit: {paths} (no change)", said + again, {"sections": sections, "noop": True, "diff": "", "patch": ""})


def _counted(targets: Sequence[Target], context: ToolContext) -> int:
    """How often these files were asked to be what they are; what changes something has its own count."""
    snapshots = context.reach.snapshots
    key = hashlib.sha256(repr([(target.path, target.done.text) for target in targets]).encode("utf-8", "replace")).hexdigest()[:16]
    counts: dict[str, int] = snapshots.noted(_NO_OPS) or {}
    count = counts.pop(key, 0) + 1
    snapshots.note(_NO_OPS, dict([*counts.items(), (key, count)][-_REMEMBERED:]))
    return count


def _result(script: Script, targets: Sequence[Target], writing: Writing) -> ToolResult:
    """What was written, file by file: the new header, warnings, blocks, and the difference as numbered rows."""
    told, sections, diffs, patches = [], [], [], []
    extra = script.warnings
    for target, snapshot in zip(targets, writing.snapshots, strict=False):
        warnings, extra = (*extra, *target.done.warnings), ()
        diffs.append(_cut(numbered_diff(target.live.text, snapshot.text)))
        patches.append(_cut(patch(target.path, target.live.data, target.after)))
        told.append("\n".join([header(target.path, snapshot.tag), *warnings, *target.done.blocks, diffs[-1]]))
        sections.append(_section(target, snapshot.tag, warnings))
    metadata: dict[str, Any] = {"sections": sections, "noop": False, "diff": "\n\n".join(diffs), "patch": "".join(patches)}
    if sections:
        metadata["firstChangedLine"] = sections[0]["firstChangedLine"]
    written = targets[: len(writing.snapshots)]
    return ToolResult(_title(targets), "\n\n".join(told), metadata, writing.failure or None, tuple(target.change for target in written))


def _section(target: Target, tag: str, warnings: Sequence[str]) -> dict[str, Any]:
    return {
        "path": target.path,
        "tag": tag,
        "warnings": list(warnings),
        "blocks": list(target.done.blocks),
        "firstChangedLine": first_changed_line(target.live.text, target.done.text),
        "recovered": target.done.recovered,
    }


def _title(targets: Sequence[Target]) -> str:
    return f"Edit: {targets[0].path}" if len(targets) == 1 else f"Edit: {len(targets)} files"


def _cut(text: str) -> str:
    if len(text) <= LONGEST_DIFF:
        return text
    end = text.rfind("\n", 0, LONGEST_DIFF) + 1 or LONGEST_DIFF
    return f"{text[:end]}… {text.count(chr(10), end) + 1} more lines of this difference are not shown\n"
