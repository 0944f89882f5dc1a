"""Reading a hashline script: its sections and their hunks, or what is wrong with it. Nothing is looked up yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from agents.edits.hashline.drafts import Draft, Row
from agents.edits.hashline.grammar import hunk_header, orphan, refuse_bare_number, refuse_foreign, refuse_nearly_header, wrong
from agents.edits.hashline.headers import EXAMPLE, Header, could_be_header, header_of, shown
from agents.edits.hashline.hunks import Hunk, Script, Section
from agents.errors import ToolError

BARE_ROWS = "Auto-prefixed bare body row(s): rows without a leading + were taken literally. Write every body row as +TEXT."
COMMENTS = "A `#` line right before a hunk header was taken for a comment and left out. If it is text, write it as a +TEXT row."


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
        refuse_bare_number(line, self.number, but_shown=bool(self.drafts))
        if self.drafts:
            return self._add(Row("bare", line, self.number))
        if not line.startswith("#"):
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
