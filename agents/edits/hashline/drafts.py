"""A hunk while its rows come in, and what they mean when it ends: trimmed, freed of copied numbers, or refused."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Literal

from agents.edits.hashline.grammar import wrong
from agents.edits.hashline.hunks import Hunk

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
