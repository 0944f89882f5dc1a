"""Reading a hashline script: its sections and their hunks, or what is wrong with it. Nothing is looked up yet."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from agents.edits.hashline.grammar import (
    hunk_header,
    is_bare_number,
    orphan,
    refuse_bare_number,
    refuse_foreign,
    refuse_nearly_header,
    wrong,
)  # fmt: skip
from agents.edits.hashline.headers import EXAMPLE, Header, could_be_header, header_of, shown
from agents.edits.hashline.hunks import Hunk, Script, Section
from agents.errors import ToolError

BARE_ROWS = "Auto-prefixed bare body row(s): rows without a leading + were taken literally. Write every body row as +TEXT."
COMMENTS = "A `#` line right before a hunk header was taken for a comment and left out. If it is text, write it as a +TEXT row."

_SHOWN_ROW = re.compile(r"[ *]?[0-9]+:(.*)", re.DOTALL)
_LITERAL = re.compile(r"""(?:"[^"]*"|'[^']*'|[-+]?[0-9][0-9._]*)\s*,?""")


@dataclass(frozen=True)
class Row:
    """A line below a hunk header. `blank` rows count only between others."""

    kind: Literal["plus", "bare", "blank"]
    text: str
    line: int


@dataclass
class Draft:
    """A hunk whose rows are still coming."""

    hunk: Hunk
    rows: list[Row] = field(default_factory=list)

    def shed_comments(self) -> bool:
        """Take `#` lines off the end, where nothing but + rows (or, in a delete, nothing at all) stands above them."""
        kept = len(self.rows)
        while kept and self.rows[kept - 1].kind == "bare" and self.rows[kept - 1].text.startswith("#"):
            kept -= 1
        rows = self.rows[:kept]
        may = self.hunk.act == "delete" or (bool(rows) and all(row.kind != "bare" for row in rows))
        if kept == len(self.rows) or not may:
            return False
        self.rows = rows
        return True

    def finished(self) -> tuple[Hunk, bool]:
        """The whole hunk, and whether some of its rows came without +. Raises ToolError."""
        rows = _trimmed(self.rows)
        if self.hunk.act == "delete":
            if rows:
                raise wrong(rows[0].line, f"`{self.hunk.said}` does not take body rows. Take them away, or replace instead of deleting.")
            return self.hunk, False
        if not rows:
            raise wrong(self.hunk.line, _without_rows(self.hunk))
        bare = [row for row in rows if row.kind == "bare"]
        if len(bare) < len(rows):
            for row in bare:
                if is_bare_number(row.text):
                    refuse_bare_number(row.text, row.line)
        texts = _unnumbered(rows) if _all_numbered(bare) else [row.text for row in rows]
        return replace(self.hunk, rows=tuple(texts)), any(row.kind != "plus" for row in rows)


def _trimmed(rows: list[Row]) -> list[Row]:
    filled = [at for at, row in enumerate(rows) if row.kind != "blank"]
    return rows[filled[0] : filled[-1] + 1] if filled else []


def _without_rows(hunk: Hunk) -> str:
    if hunk.act != "replace":
        return f"`{hunk.said}` needs at least one `+TEXT` body row."
    instead = f"`delete block {hunk.first}`" if hunk.block else f"`delete {hunk.first}..{hunk.last}`"
    return f"`{hunk.said}:` needs at least one `+TEXT` body row; to remove the lines write {instead}."


def _all_numbered(bare: list[Row]) -> bool:
    """Whether every bare row was copied with the number it was shown with; what could be a table of values was not."""
    found = [_SHOWN_ROW.fullmatch(row.text) for row in bare]
    return bool(found) and all(found) and not all(_LITERAL.fullmatch(one[1].strip()) for one in found if one)


def _unnumbered(rows: list[Row]) -> list[str]:
    return [row.text.split(":", 1)[1] if row.kind == "bare" else row.text for row in rows]


def parse(script: str, roots: Sequence[str] = ()) -> Script:
    """Read it whole. Paths below one of `roots` become relative. Raises ToolError; line numbers in it count below the section's header."""
    if not script.strip("\ufeff \t\r\n"):
        raise ToolError(f"The edit input must be a non-empty hashline script of [PATH#TAG] sections, such as {EXAMPLE}.")
    if "\0" in script:
        raise ToolError("The edit input holds a NUL character, which no text file can have.")
    reader = _Reader(roots)
    for line in _until_end(script.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")):
        reader.take(line)
    return reader.finished()


def _until_end(lines: list[str]) -> Iterator[str]:
    for line in lines:
        if line.rstrip() in ("*** Abort", "*** End Patch"):
            return
        if line.rstrip() != "*** Begin Patch":
            yield line


class _Reader:
    """Takes the lines one by one. `drafts` are those of the section that is being read."""

    def __init__(self, roots: Sequence[str]) -> None:
        self.roots = roots
        self.header: Header | None = None
        self.number = 0
        self.drafts: list[Draft] = []
        self.comments: list[Row] = []
        self.parts: list[Section] = []
        self.warnings: dict[str, None] = {}

    def take(self, line: str) -> None:
        if self.header is None:
            self._begin(line)
        elif could_be_header(line):
            self._next_section(line)
        else:
            self.number += 1
            self._row(line)

    def _begin(self, line: str) -> None:
        if not line.strip():
            return
        if not line.startswith("["):
            raise ToolError(f'The edit input must begin with "[PATH#HASH]" on its first non-blank line, like {EXAMPLE}; got {shown(line)}.')
        self._open(line)

    def _next_section(self, line: str) -> None:
        if self.drafts and "#" not in line:
            raise wrong(
                self.number + 1, f"{shown(line)} looks like a section header without a tag. Body rows begin with +: `+{line[:40]}`."
            )
        self._open(line)

    def _open(self, line: str) -> None:
        header = header_of(line, self.roots)
        if not header.tag:
            raise ToolError(
                f"Missing hashline snapshot tag for {header.path}: copy the [path#TAG] header from the latest read or search of it. "
                "To create a new file, use the write tool."
            )
        self._close()
        self.header, self.number = header, 0

    def _row(self, line: str) -> None:
        if line.startswith("+"):
            return self._add(Row("plus", line[1:], self.number))
        if not line.strip():
            return self._blank()
        if hunk := hunk_header(line, self.number):
            return self._hunk(hunk)
        refuse_foreign(line, self.number)
        refuse_nearly_header(line, self.number)
        if self.drafts:
            return self._add(Row("bare", line, self.number))
        if not line.startswith("#"):
            refuse_bare_number(line, self.number)
            raise orphan(line, self.number)
        return self.comments.append(Row("bare", line, self.number))

    def _add(self, row: Row) -> None:
        self._refuse_comments()
        if not self.drafts:
            raise orphan(f"+{row.text}", row.line)
        self.drafts[-1].rows.append(row)

    def _blank(self) -> None:
        self._refuse_comments()
        if self.drafts:
            self.drafts[-1].rows.append(Row("blank", "", self.number))

    def _hunk(self, hunk: Hunk) -> None:
        self.comments.clear()
        if self.drafts and self.drafts[-1].shed_comments() and self.drafts[-1].hunk.act != "delete":
            self.warnings[COMMENTS] = None
        self.drafts.append(Draft(hunk))

    def _refuse_comments(self) -> None:
        """A comment stands right before a hunk header or nowhere."""
        if self.comments:
            raise orphan(self.comments[0].text, self.comments[0].line)

    def _close(self) -> None:
        self._refuse_comments()
        finished = [draft.finished() for draft in self.drafts]
        if any(bare for _, bare in finished):
            self.warnings[BARE_ROWS] = None
        if self.header and finished:
            self.parts.append(Section(self.header.path, self.header.tag, tuple(hunk for hunk, _ in finished)))
        self.drafts = []

    def finished(self) -> Script:
        self._close()
        if not self.parts:
            raise ToolError(
                "The edit input has no hunks, so nothing was changed. Below each [PATH#TAG] header say what to do with its lines."
            )
        return Script(tuple(_merged(self.parts)), tuple(self.warnings))


def _merged(parts: list[Section]) -> list[Section]:
    """Sections of one path as one, in the place of the first."""
    merged: dict[str, Section] = {}
    for part in parts:
        known = merged.get(part.path)
        if known and known.tag != part.tag:
            raise ToolError(
                f"Conflicting hashline snapshot tags for {part.path}: #{known.tag} and #{part.tag}. Read the file again and use one header."
            )
        merged[part.path] = replace(known, hunks=known.hunks + part.hunks) if known else part
    return list(merged.values())
