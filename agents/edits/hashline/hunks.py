"""What a hashline script asks for: sections, one a file, and in them hunks that name lines of the text that was seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Act = Literal["replace", "delete", "before", "after", "head", "tail"]
Range = tuple[int, int]
"""First and last line, both counted from 1 and both in it."""


@dataclass(frozen=True)
class Hunk:
    """One change, as it was written. `line` is where in its section; `first` is 0 for head and tail.

    With `block`, `first` is the line on which a block begins, and the whole of it is meant: to replace, to delete, to insert after.
    """

    act: Act
    line: int
    first: int = 0
    last: int = 0
    block: bool = False
    rows: tuple[str, ...] = ()

    @property
    def removes(self) -> bool:
        return self.act in ("replace", "delete")

    @property
    def at_end(self) -> bool:
        """Whether it stands at the file's head or tail, whatever the file holds."""
        return self.act in ("head", "tail")

    @property
    def said(self) -> str:
        """Its header, for messages."""
        verb = self.act if self.removes else f"insert {self.act}"
        if self.block:
            return f"{verb} block {self.first}"
        where = f"{self.first}..{self.last}" if self.removes and self.last != self.first else f"{self.first}"
        return verb if self.at_end else f"{verb} {where}"


@dataclass(frozen=True)
class Section:
    """All that is to happen to one file. `tag` is in upper case."""

    path: str
    tag: str
    hunks: tuple[Hunk, ...]


@dataclass(frozen=True)
class Script:
    """Sections in the order their files were first named; no two have the same path as it was written."""

    sections: tuple[Section, ...]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Change:
    """A hunk with its place found: the lines it removes, or the one it stands beside (`first` and `last` alike)."""

    hunk: Hunk
    act: Act
    first: int
    last: int
    rows: tuple[str, ...]

    @property
    def removes(self) -> bool:
        return self.act in ("replace", "delete")


def lines(count: int) -> str:
    return f"{count} line{'s' * (count != 1)}"
