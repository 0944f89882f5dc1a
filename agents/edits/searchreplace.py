"""SEARCH/REPLACE blocks: each names a piece of a file and what stands in its place, one applied on the result of the other.

------- SEARCH
lines as they stand in the file
=======
lines to put there
+++++++ REPLACE
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agents.edits.source import Source, Span, plain
from agents.errors import ToolError

SEARCH = re.compile(r"(-{7,}|<{7,}) SEARCH>?")
DIVIDER = re.compile(r"={7,}")
REPLACE = re.compile(r"(?:\+{7,}|>{7,}) REPLACE>?")
NEARLY = re.compile(r"\s*[-<>+]{2,}\s*(?:SEARCH|REPLACE)>?\s*", re.IGNORECASE)
"""What was surely meant as a marker; between blocks it must not pass for prose, or an edit would silently be left out."""
BROKEN_OFF = re.compile(r"\s*[+>=`]{3,}.*")
"""How the last line of a block without an end looks where the end was begun, or where a fence closes behind it."""


@dataclass(frozen=True)
class Block:
    """One replacement; both texts without a final newline. `ended` False: its REPLACE line is missing."""

    search: str
    replace: str
    ended: bool = True


@dataclass(frozen=True)
class Place:
    """Where a block was applied: the line, from 1, in the file as the blocks before it left it; `fits` places there were for it."""

    line: int
    fits: int


@dataclass(frozen=True)
class Edited:
    """The file with all blocks applied, and the place of each."""

    data: bytes
    places: tuple[Place, ...]
    ended: bool


def apply_blocks(data: bytes, diff: str) -> Edited:
    """Put every block in its first place. Raises ToolError naming the block; then nothing is to be written."""
    blocks = parse_blocks(diff)
    places = []
    for number, block in enumerate(blocks, 1):
        source = Source(data)
        _refuse_blank(source, block, number)
        at = source.text.find(block.search)
        if at < 0:
            raise ToolError(f"Block {number}: the SEARCH text was not found: {_head(block.search)}. Nothing was changed.")
        places.append(Place(source.line_of(at), source.text.count(block.search) if block.search else 1))
        data = source.spliced([_span(source.text, at, block)], block.replace if source.text else _as_lines(block.replace))
    return Edited(data, tuple(places), blocks[-1].ended)


def parse_blocks(diff: str) -> list[Block]:
    """The blocks in their order; the last may lack its end. Raises ToolError where there is none or one is malformed."""
    blocks: list[Block] = []
    lines = plain(diff).split("\n")
    at = 0
    while at < len(lines):
        if opening := SEARCH.fullmatch(lines[at]):
            block, at = _block(lines, at + 1, len(opening[1]), len(blocks) + 1)
            blocks.append(block)
        elif NEARLY.fullmatch(lines[at]) or DIVIDER.fullmatch(lines[at]):
            raise _invalid(f"line {at + 1} is no marker as it should be: {_head(lines[at])}")
        else:
            at += 1
    if not blocks:
        raise _invalid("the text has none")
    return blocks


def _block(lines: Sequence[str], start: int, width: int, number: int) -> tuple[Block, int]:
    """The block whose SEARCH part begins at `start`, behind a marker of `width` signs; and the line behind it."""
    end = start
    while end < len(lines) and not REPLACE.fullmatch(lines[end]):
        if SEARCH.fullmatch(lines[end]):
            raise _invalid(f"block {number} has no REPLACE line before line {end + 1}")
        end += 1
    divider = _divider(lines, range(start, end), width, number)
    if end < len(lines):
        return Block("\n".join(lines[start:divider]), "\n".join(lines[divider + 1 : end])), end + 1
    return Block("\n".join(lines[start:divider]), _unended(lines[divider + 1 :], number), ended=False), end


def _divider(lines: Sequence[str], within: range, width: int, number: int) -> int:
    """The line that parts a block. Of several it is the one that is as long as the block's first marker."""
    found = [at for at in within if DIVIDER.fullmatch(lines[at])]
    if not found:
        raise _invalid(f"block {number} has no ======= line")
    fitting = [at for at in found if len(lines[at]) == width] if len(found) > 1 else found
    if len(fitting) != 1:
        raise _invalid(
            f"block {number} has several lines of = ({', '.join(str(at + 1) for at in found)}), any of which may part it; give its SEARCH"
            " marker more dashes and the line that parts it just as many ="
        )
    return fitting[0]


def _unended(lines: Sequence[str], number: int) -> str:
    """The REPLACE part of a last block without an end; refused where something in it was meant to be the end."""
    text = "\n".join(lines).removesuffix("\n")
    rest = text.rstrip().split("\n")
    if any(map(NEARLY.fullmatch, rest)) or BROKEN_OFF.fullmatch(rest[-1]):
        raise _invalid(f"block {number} has no REPLACE line as it should be")
    return text


def _refuse_blank(source: Source, block: Block, number: int) -> None:
    if source.text and not block.search.strip():
        raise ToolError(f"Block {number}: the SEARCH part is empty, which only fits an empty file. Nothing was changed.")


def _span(text: str, at: int, block: Block) -> Span:
    """Where the block's text stands. Lines replaced by nothing go with their line end."""
    end = at + len(block.search)
    whole = at == 0 or text[at - 1] == "\n"
    return (at, end + 1) if not block.replace and whole and text[end : end + 1] == "\n" else (at, end)


def _as_lines(text: str) -> str:
    """What an empty file is filled with."""
    return f"{text}\n" if text else text


def _invalid(why: str) -> ToolError:
    return ToolError(
        f"No valid SEARCH/REPLACE block: {why}. A block reads `------- SEARCH`, lines, `=======`, lines, `+++++++ REPLACE`;"
        " nothing was changed."
    )


def _head(text: str) -> str:
    return repr(text if len(text) <= 120 else f"{text[:119]}…")
