"""Reading a unified diff: which files it names, what it does to each, and hunk by hunk the lines before and after.

Written for diffs by models as well as by git: prose around it, a missing last newline and blank lines that lost their
space are let pass; a hunk that is not as long as its header says never is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from agents.edits.patchnames import DEV_NULL, git_names, name_of, stripped, without
from agents.errors import ToolError

HUNK = re.compile(rb"@@ -(\d{1,9})(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@")
SIGNS = (b" ", b"+", b"-")
Act = Literal["modify", "create", "delete", "rename", "copy"]


@dataclass(frozen=True)
class Hunk:
    """`start` is the line number its header states; `old` and `new` are the lines before and after, with their ends."""

    number: int
    start: int
    old: tuple[bytes, ...]
    new: tuple[bytes, ...]


@dataclass
class FilePatch:
    """What is to happen to one file. `old` and `new` are the paths before and after; `mode` the permission bits asked for."""

    act: Act = "modify"
    old: str = ""
    new: str = ""
    mode: int | None = None
    hunks: list[Hunk] = field(default_factory=list)

    @property
    def path(self) -> str:
        return self.old if self.act == "delete" else self.new


def parse(patch: str, strip: int = 1) -> list[FilePatch]:
    """The files a patch changes, in its order. Raises ToolError naming the line that cannot be read."""
    reader = _Reader(_patch_lines(patch), strip)
    files = [file for file in reader.read() if file.hunks or file.act != "modify" or file.mode is not None]
    if not files:
        raise ToolError(_nothing_in(patch))
    return files


def _patch_lines(patch: str) -> list[bytes]:
    lines = patch.encode(errors="surrogatepass").split(b"\n")
    if lines and not lines[-1].strip(b"\r"):
        lines.pop()
    if lines and all(line.endswith(b"\r") for line in lines[:-1]) and len(lines) > 1:
        lines = [line.removesuffix(b"\r") for line in lines]
    return lines


def _nothing_in(patch: str) -> str:
    if not patch.strip():
        return "The patch is empty: it contains no file changes."
    if "*** Begin Patch" in patch:
        return "Not a unified diff: this is the envelope format (*** Begin Patch). Send ---/+++ headers and @@ hunks with line numbers."
    if "***************" in patch:
        return "Not a unified diff: this is the context diff format. Send ---/+++ headers and @@ hunks."
    return "The patch contains no file changes: each file needs `--- a/path` and `+++ b/path` lines and at least one @@ hunk."


class _Reader:
    """Goes through the lines once. A file begins at `diff --git` or at `---` with `+++` below it."""

    def __init__(self, lines: list[bytes], strip: int) -> None:
        self.lines = lines
        self.strip = strip
        self.at = 0
        self.files: list[FilePatch] = []
        self.headed = False
        self.after_hunk = False

    def read(self) -> list[FilePatch]:
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if line.startswith(b"diff --git "):
                self._git_header(line)
            elif line.startswith(b"--- ") and self._next().startswith(b"+++ "):
                self._names(line, self._next())
            elif line.startswith(b"@@"):
                self._hunk(line)
            else:
                self._refuse_stray(line)
                self.at += 1
        return self.files

    def _next(self) -> bytes:
        return self.lines[self.at + 1] if self.at + 1 < len(self.lines) else b""

    def _git_header(self, line: bytes) -> None:
        old, new = git_names(line, self.strip)
        file = FilePatch(old=old, new=new)
        self.files.append(file)
        self.headed, self.after_hunk = True, False
        self.at += 1
        while self.at < len(self.lines) and self._extended(file, self.lines[self.at].decode(errors="replace")):
            self.at += 1

    def _extended(self, file: FilePatch, line: str) -> bool:
        """Take in one of git's extra header lines; False when it is none."""
        match line.split(" "):
            case ["rename" | "copy" as act, "from", *_]:
                file.act, file.old = act, self._moved(line.split(" from ", 1)[1])
            case ["rename" | "copy", "to", *_]:
                file.new = self._moved(line.split(" to ", 1)[1])
            case ["new", "file", "mode", mode]:
                file.act, file.mode = "create", self._mode(mode)
            case ["deleted", "file", "mode", *_]:
                file.act = "delete"
            case ["new", "mode", mode]:
                file.mode = self._mode(mode)
            case ["GIT", "binary", *_] | ["Binary", "files", *_]:
                raise self._wrong("binary patches are not supported; write the file by other means")
            case ["index" | "old" | "similarity" | "dissimilarity", *_]:
                pass
            case _:
                return False
        return True

    def _moved(self, name: str) -> str:
        """The path behind `rename from` and its like, which has no prefix and so one part less to strip."""
        return without(name_of(name.encode()), self.strip - 1)

    def _mode(self, text: str) -> int:
        if text.startswith("120"):
            raise self._wrong("symbolic links are not supported")
        if not re.fullmatch(r"100[0-7]{3}", text.strip()):
            raise self._wrong(f"file mode {text!r} is not supported (only plain files, 100644 or 100755)")
        return int(text[3:], 8)

    def _names(self, minus: bytes, plus: bytes) -> None:
        old, new = name_of(minus[4:]), name_of(plus[4:])
        if old == DEV_NULL and new == DEV_NULL:
            raise self._wrong("both sides are /dev/null")
        before, after = (stripped(name, self.strip) for name in (new if old == DEV_NULL else old, old if new == DEV_NULL else new))
        file = self._named(before, after)
        if file.act not in ("rename", "copy"):
            file.act = "create" if old == DEV_NULL else "delete" if new == DEV_NULL else file.act
            file.old, file.new = before, after
            if file.act == "modify" and before != after:
                file.old = file.new = self._one_of(before, after)
        self.at += 2

    def _named(self, before: str, after: str) -> FilePatch:
        """The file whose `diff --git` line stands above, when it is the same one; else a new one."""
        if not self.headed or (self.files[-1].old, self.files[-1].new) not in ((before, after), ("", "")):
            self.files.append(FilePatch())
        self.headed = False
        return self.files[-1]

    def _one_of(self, old: str, new: str) -> str:
        """Plain diffs name the same file twice, sometimes as `f.orig` and `f`; anything else must say that it renames."""
        for suffix in (".orig", ".old", "~"):
            if old == new + suffix:
                return new
        raise self._wrong(f"the headers name two files, {old!r} and {new!r}; a rename needs `rename from` and `rename to` lines")

    def _hunk(self, header: bytes) -> None:
        found = HUNK.match(header)
        if not found:
            raise self._wrong(f"invalid hunk header {_shown(header)}; it reads `@@ -start,count +start,count @@`")
        if not self.files:
            raise self._wrong("a hunk without the `--- a/path` and `+++ b/path` lines that name its file")
        self.headed = False
        start, old_count, new_count = (1 if number is None else int(number) for number in found.groups())
        self.at += 1
        old, new = self._body(old_count, new_count)
        file = self.files[-1]
        file.hunks.append(Hunk(len(file.hunks) + 1, start, tuple(old), tuple(new)))
        self.after_hunk = True

    def _body(self, old_count: int, new_count: int) -> tuple[list[bytes], list[bytes]]:
        old: list[bytes] = []
        new: list[bytes] = []
        while len(old) < old_count or len(new) < new_count:
            if self.at >= len(self.lines):
                raise self._wrong(self._missing(old_count - len(old), new_count - len(new)))
            line = self.lines[self.at] or b" "
            if line == b"\r":
                line = b" \r"
            self._take(line, old, new)
            if len(old) > old_count or len(new) > new_count:
                raise self._wrong("the hunk is longer than its header says")
            self.at += 1
            self._end_without_newline(line[:1], old, new)
        return old, new

    def _missing(self, old: int, new: int) -> str:
        return f"the hunk is shorter than its header says ({max(old, 0)} old and {max(new, 0)} new lines are missing)"

    def _take(self, line: bytes, old: list[bytes], new: list[bytes]) -> None:
        sign, text = line[:1], line[1:] + b"\n"
        if line.startswith((b"@@ ", b"diff --git ")):
            raise self._wrong("the hunk before this line is shorter than its header says")
        if sign not in SIGNS:
            raise self._wrong(f"a line inside a hunk must begin with a space, + or -: {_shown(line)}")
        if sign in b" -":
            old.append(text)
        if sign in b" +":
            new.append(text)

    def _end_without_newline(self, sign: bytes, old: list[bytes], new: list[bytes]) -> None:
        if self.at < len(self.lines) and self.lines[self.at].startswith(b"\\"):
            for lines in (old,) if sign == b"-" else (new,) if sign == b"+" else (old, new):
                lines[-1] = lines[-1].removesuffix(b"\n")
            self.at += 1

    def _refuse_stray(self, line: bytes) -> None:
        """After a whole hunk another hunk line means that the header's counts are wrong (`-- ` ends a mail)."""
        if self.after_hunk and line[:1] in SIGNS and line.rstrip() != b"--":
            raise self._wrong("the hunk is longer than its header says")
        self.after_hunk = self.after_hunk and not line.strip()

    def _wrong(self, what: str) -> ToolError:
        file = f"{self.files[-1].path}: " if self.files and self.files[-1].path else ""
        number = f"hunk {len(self.files[-1].hunks) + 1}, " if file and self.files[-1].hunks else ""
        return ToolError(f"Corrupt patch at its line {self.at + 1} ({file}{number}nothing was changed): {what}.")


def _shown(line: bytes) -> str:
    text = line.decode(errors="replace").rstrip("\r")
    return repr(text if len(text) <= 120 else f"{text[:119]}…")
