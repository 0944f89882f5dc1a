"""Applying a patch: every hunk is found and checked before anything is said to change, so it is all of it or none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from agents.edits.source import lines_of
from agents.edits.unified import FilePatch, Hunk
from agents.errors import ToolError

Read = Callable[[str], bytes | None]
"""Gives the bytes of a file, None where there is none."""


@dataclass(frozen=True)
class Outcome:
    """What one file of the workspace will be: `after` None means gone, `mode` None means as it was. `was`: its old path."""

    path: str
    before: bytes | None
    after: bytes | None
    mode: int | None = None
    was: str = ""
    hunks: int = 0


def outcomes(files: list[FilePatch], read: Read) -> list[Outcome]:
    """What the patch makes of the workspace that `read` shows. Raises ToolError with one line for each file that does not fit."""
    desk = _Desk(read)
    wrong = []
    for file in files:
        try:
            desk.apply(file)
        except ToolError as refusal:
            wrong.append(str(refusal))
    if wrong:
        raise ToolError("The patch was not applied, no file was changed.\n" + "\n".join(wrong))
    return desk.outcomes()


class _Desk:
    """The files as they are so far: a later part of the patch sees what an earlier one did."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._before: dict[str, bytes | None] = {}
        self._now: dict[str, Outcome] = {}

    def outcomes(self) -> list[Outcome]:
        return [one for one in self._now.values() if (one.before, one.mode) != (one.after, None)]

    def apply(self, file: FilePatch) -> None:
        match file.act:
            case "create":
                self._refuse_existing(file.new)
                self._put(file, file.new, applied(file, b""))
            case "delete":
                if applied(file, self._content(file.old)):
                    raise ToolError(f"{file.old}: the file holds more than the patch deletes")
                self._put(file, file.old, None)
            case "modify":
                self._put(file, file.new, applied(file, self._content(file.old)))
            case "rename" | "copy":
                self._refuse_existing(file.new)
                after = applied(file, self._content(file.old))
                if file.act == "rename":
                    self._put(FilePatch("delete", file.old, file.old), file.old, None)
                self._put(file, file.new, after, file.old)

    def _content(self, path: str) -> bytes:
        data = self._look(path)
        if data is None:
            raise ToolError(f"{path}: no such file")
        return data

    def _refuse_existing(self, path: str) -> None:
        if self._look(path) is not None:
            raise ToolError(f"{path}: the file already exists")

    def _look(self, path: str) -> bytes | None:
        if path in self._now:
            return self._now[path].after
        if path not in self._before:
            self._before[path] = self._read(path)
        return self._before[path]

    def _put(self, file: FilePatch, path: str, after: bytes | None, was: str = "") -> None:
        self._look(path)
        earlier = self._now.get(path)
        mode = file.mode if file.mode is not None or earlier is None else earlier.mode
        hunks = len(file.hunks) + (earlier.hunks if earlier else 0)
        self._now[path] = Outcome(path, self._before[path], after, mode, was or (earlier.was if earlier else ""), hunks)


def applied(file: FilePatch, data: bytes) -> bytes:
    """The file's bytes with all hunks applied. Raises ToolError naming the hunk, the line expected and the line found."""
    lines = lines_of(data)
    hunks = [_with_ends_of(lines, hunk) for hunk in file.hunks]
    result: list[bytes] = []
    done = shift = 0
    for hunk in hunks:
        stated = hunk.start - 1 if hunk.old else hunk.start
        at = _place(file.path, hunk, lines, done, stated + shift)
        shift = at - stated
        result += lines[done:at]
        result += hunk.new
        done = at + len(hunk.old)
    result += lines[done:]
    if any(not line.endswith(b"\n") for line in result[:-1]):
        raise ToolError(
            f"{file.path}: a line without a newline would come to stand before others; the patch and the file do not agree"
            " on `\\ No newline at end of file`"
        )
    return b"".join(result)


def _with_ends_of(lines: list[bytes], hunk: Hunk) -> Hunk:
    """The hunk with the file's line ends, where the file has one kind only and the hunk consistently the other."""
    ended = [line for line in lines if line.endswith(b"\n")]
    own = [line for line in hunk.old + hunk.new if line.endswith(b"\n")]
    if ended and all(line.endswith(b"\r\n") for line in ended) and not any(line.endswith(b"\r\n") for line in own):
        return Hunk(hunk.number, hunk.start, *(tuple(_crlf(line) for line in side) for side in (hunk.old, hunk.new)))
    if own and all(line.endswith(b"\r\n") for line in own) and ended and not any(line.endswith(b"\r\n") for line in ended):
        return Hunk(hunk.number, hunk.start, *(tuple(line.replace(b"\r\n", b"\n") for line in side) for side in (hunk.old, hunk.new)))
    return hunk


def _crlf(line: bytes) -> bytes:
    return line[:-1] + b"\r\n" if line.endswith(b"\n") else line


def _place(path: str, hunk: Hunk, lines: list[bytes], done: int, wanted: int) -> int:
    """The index at which the hunk's old lines stand, the nearest to where they should be."""
    last = len(lines) - len(hunk.old)
    if not hunk.old:
        if not done <= wanted <= last:
            raise ToolError(f"{path}: hunk {hunk.number} inserts after line {wanted}, but the file has {len(lines)} lines")
        return wanted
    wanted = min(max(wanted, done), max(last, done))
    for away in range(max(last - wanted, wanted - done) + 1):
        fits = [at for at in {wanted + away, wanted - away} if done <= at <= last and _stands(hunk, lines, at)]
        if len(fits) > 1:
            above, below = sorted(at + 1 for at in fits)
            raise ToolError(f"{path}: hunk {hunk.number} fits equally well at lines {above} and {below}; give its true line number")
        if fits:
            return fits[0]
    raise ToolError(_mismatch(path, hunk, lines, min(max(wanted, done), len(lines))))


def _stands(hunk: Hunk, lines: list[bytes], at: int) -> bool:
    return lines[at] == hunk.old[0] and tuple(lines[at : at + len(hunk.old)]) == hunk.old


def _mismatch(path: str, hunk: Hunk, lines: list[bytes], at: int) -> str:
    """The first line that differs where the hunk says it stands."""
    for step, expected in enumerate(hunk.old):
        found = lines[at + step] if at + step < len(lines) else None
        if found != expected:
            have = "the end of the file" if found is None else _shown(found, expected)
            return f"{path}: hunk {hunk.number} does not match at line {at + step + 1}: expected {_shown(expected, found)}, found {have}"
    return f"{path}: hunk {hunk.number} overlaps the hunk before it"


def _shown(line: bytes, other: bytes | None) -> str:
    """The line for people; its end is spelt out where only that differs."""
    text = repr(line.decode(errors="replace").rstrip("\r\n"))
    if other is None or line.rstrip(b"\r\n") != other.rstrip(b"\r\n"):
        return text
    end = "with CRLF" if line.endswith(b"\r\n") else "with a newline" if line.endswith(b"\n") else "without a newline"
    return f"{text} ({end})"
