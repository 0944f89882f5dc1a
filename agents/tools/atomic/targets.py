"""The files of one hashline edit: read and computed before anything is written, then written one after the other."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import PurePosixPath

from agents.edits.diff import file_change
from agents.edits.hashline.blocks import Find
from agents.edits.hashline.body import Body
from agents.edits.hashline.hunks import Script, Section
from agents.edits.hashline.recovery import Outcome, Stale, outcome
from agents.errors import PathRefused, ToolError
from agents.events import FileChange
from agents.ports import Snapshot
from agents.reading.notebooks import view, written
from agents.tools.atomic.resources import file_of
from agents.tools.atomic.seen import LARGEST_TAGGED, saw
from agents.tools.tool import ToolContext

ANYBODY_WRITES = 0o222
Finder = Callable[[str], Find]


@dataclass(frozen=True)
class Live:
    """A file as it is now. A notebook is edited as the text of its cells, unless its JSON is what was read."""

    data: bytes
    body: Body
    text: str
    notebook: bool = False

    def bytes_of(self, text: str) -> bytes:
        return self.body.bytes_of(written(self.body.text, text) if self.notebook else text)


@dataclass(frozen=True)
class Target:
    """What will be written. `path` is the file's own, links resolved, from the workspace's root."""

    path: str
    live: Live
    done: Outcome
    after: bytes

    @property
    def changes(self) -> bool:
        return self.done.text != self.live.text

    @property
    def change(self) -> FileChange:
        return file_change(self.path, self.live.data, self.after)


@dataclass(frozen=True)
class Writing:
    """How far it came: the snapshots of what was written, in order, and why it ended early ("" where it did not)."""

    snapshots: tuple[Snapshot, ...]
    failure: str = ""


def real_path(context: ToolContext, path: str) -> str:
    """The workspace's own path of the file that a header names. Raises ToolError, naming it, for what is none."""
    with could_not_edit(path):
        relative = context.sandbox.files.relative(file_of(path, context) or path)
        if ".git" in PurePosixPath(relative).parts:
            raise PathRefused("tools do not write inside .git")
    return relative


def prepared(script: Script, context: ToolContext, finder: Finder, *, dry: bool = False) -> list[Target]:
    """Every section's file read, held against what was seen of it, and edited in memory. Raises ToolError; nothing is changed then.

    A file that is refused as stale is remembered as it is now, so that a next edit can name it (but not in a `dry` run).
    """
    paths = [real_path(context, section.path) for section in script.sections]
    _refuse_same_file(script.sections, paths)
    targets = []
    for section, path in zip(script.sections, paths, strict=True):
        live = _live(context, path, section)
        try:
            targets.append(_target(section, path, live, context, finder))
        except Stale as stale:
            if stale.known and not dry:
                saw(context, path, live.text)
            raise
    return targets


def _refuse_same_file(sections: Sequence[Section], paths: Sequence[str]) -> None:
    first: dict[str, str] = {}
    for section, path in zip(sections, paths, strict=True):
        if path in first:
            raise ToolError(
                f"Multiple hashline sections resolve to the same file ({first[path]} and {section.path}). Put their hunks below one header."
            )
        first[path] = section.path


def _live(context: ToolContext, path: str, section: Section) -> Live:
    files = context.sandbox.files
    with could_not_edit(path):
        found = files.stat(path)
        if found.kind == "file" and not found.mode & ANYBODY_WRITES:
            raise PermissionError(errno.EACCES, "the file is read-only")
        if found.size > LARGEST_TAGGED:
            raise ToolError(f"it is larger than {LARGEST_TAGGED // 2**20} MiB, which hashline edits do not take; change it by a command")
        data = files.read(path)
        body = Body.of(data)
        notebook = path.endswith(".ipynb") and not _seen_raw(context, path, section, body)
        return Live(data, body, view(body.text) if notebook else body.text, notebook)


def _seen_raw(context: ToolContext, path: str, section: Section, body: Body) -> bool:
    return any(one.tag == section.tag and one.text == body.text for one in context.reach.snapshots.versions(path))


def _target(section: Section, path: str, live: Live, context: ToolContext, finder: Finder) -> Target:
    try:
        done = outcome(section, live.text, context.reach.snapshots.versions(path), finder(path))
        after = live.bytes_of(done.text) if done.text != live.text else live.data
    except Stale:
        raise
    except ToolError as wrong:
        raise ToolError(f"{section.path}: {wrong}") from None
    return Target(path, live, done, after)


@contextmanager
def could_not_edit(path: str) -> Iterator[None]:
    """Turn what hinders the reading or writing of a file into a ToolError that names it and the error's code."""
    try:
        yield
    except OSError as wrong:
        code = errno.errorcode.get(wrong.errno or 0, "EIO")
        hint = " Use write to create a file." if code == "ENOENT" else ""
        raise ToolError(f"Could not edit file: {path}. Error code: {code} ({wrong.strerror or wrong}).{hint}") from None
    except ToolError as wrong:
        raise ToolError(f"Could not edit file: {path}: {wrong}") from None


def write_all(targets: Sequence[Target], context: ToolContext) -> Writing:
    """Write every file that still is as it was prepared from; what is written stays written when a later one fails."""
    files = context.sandbox.files
    with files.locked(*(target.path for target in targets)):
        for target in targets:
            _refuse_changed(target, context)
        snapshots: list[Snapshot] = []
        for at, target in enumerate(targets):
            try:
                files.write(target.path, target.after)
            except (OSError, ToolError) as wrong:
                return Writing(tuple(snapshots), _failure(wrong, targets, at))
            snapshots.append(saw(context, target.path, _text_after(target)))
        return Writing(tuple(snapshots))


def _refuse_changed(target: Target, context: ToolContext) -> None:
    with could_not_edit(target.path):
        now = context.sandbox.files.read(target.path)
    if now != target.live.data:
        raise ToolError(f"Stale hashline tag for {target.path}: file content changed before it could be written. Read it again.")


def _text_after(target: Target) -> str:
    text = Body.of(target.after).text
    return view(text) if target.live.notebook else text


def _failure(wrong: Exception, targets: Sequence[Target], at: int) -> str:
    why = wrong.strerror if isinstance(wrong, OSError) and wrong.strerror else str(wrong)
    written_already = [f" Sections already written: {', '.join(target.path for target in targets[:at])}."] if at else []
    left = f" Sections not written: {', '.join(target.path for target in targets[at:])}."
    return "".join([f"Failed to write {targets[at].path}: {why}.", *written_already, left])
