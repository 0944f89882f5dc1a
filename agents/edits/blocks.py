"""SEARCH/REPLACE blocks: each names lines of a file and what stands in their place, one applied on the result of the other.

------- SEARCH
lines as they stand in the file
=======
lines to put there
+++++++ REPLACE
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from agents.edits.source import Source, Span, plain
from agents.errors import ToolError

SEARCH = re.compile(r"(?:-{7,}|<{7,}) SEARCH>?")
DIVIDER = re.compile(r"={7,}")
REPLACE = re.compile(r"(?:\+{7,}|>{7,}) REPLACE>?")
NEARLY = re.compile(r"[-<>+]{2,} ?(?:SEARCH|REPLACE)>?\s*")
"""What was surely meant as a marker; between blocks it must not pass for prose, or an edit would silently be left out."""


@dataclass(frozen=True)
class Block:
    """One replacement; both texts without a final newline."""

    search: str
    replace: str


def apply_blocks(data: bytes, diff: str) -> bytes:
    """The file with every block applied to its first place. Raises ToolError naming the block; then nothing is to be written."""
    for number, block in enumerate(parse_blocks(diff), 1):
        source = Source(data)
        if not block.search and source.text:
            raise ToolError(f"Block {number}: the SEARCH part is empty, which only fits an empty file. Nothing was changed.")
        at = source.text.find(block.search)
        if at < 0:
            raise ToolError(f"Block {number}: the SEARCH text was not found: {_head(block.search)}. Nothing was changed.")
        data = source.spliced([_span(source.text, at, block)], block.replace)
    return data


def parse_blocks(diff: str) -> list[Block]:
    """The blocks in their order; the last may lack its end. Raises ToolError where there is none or one is malformed."""
    blocks: list[Block] = []
    lines = plain(diff).split("\n")
    at = 0
    while at < len(lines):
        if SEARCH.fullmatch(lines[at]):
            block, at = _block(lines, at + 1, len(blocks) + 1)
            blocks.append(block)
        elif NEARLY.fullmatch(lines[at]):
            raise _invalid(f"line {at + 1} is no marker as it should be: {_head(lines[at])}")
        else:
            at += 1
    if not blocks:
        raise _invalid("the text has none")
    return blocks


def _block(lines: list[str], start: int, number: int) -> tuple[Block, int]:
    """The block whose SEARCH part begins at `start`, and the line behind it."""
    divider = start
    while divider < len(lines) and not DIVIDER.fullmatch(lines[divider]):
        if SEARCH.fullmatch(lines[divider]) or REPLACE.fullmatch(lines[divider]):
            raise _invalid(f"block {number} has no ======= line before line {divider + 1}")
        divider += 1
    if divider == len(lines):
        raise _invalid(f"block {number} has no ======= line")
    end = divider + 1
    while end < len(lines) and not REPLACE.fullmatch(lines[end]):
        if SEARCH.fullmatch(lines[end]):
            raise _invalid(f"block {number} has no REPLACE line before line {end + 1}")
        end += 1
    return Block("\n".join(lines[start:divider]), "\n".join(lines[divider + 1 : end])), end + 1


def _span(text: str, at: int, block: Block) -> Span:
    """Where the block's text stands. Lines replaced by nothing go with their line end."""
    end = at + len(block.search)
    whole = at == 0 or text[at - 1] == "\n"
    return (at, end + 1) if not block.replace and whole and text[end : end + 1] == "\n" else (at, end)


def _invalid(why: str) -> ToolError:
    return ToolError(
        f"No valid SEARCH/REPLACE block: {why}. A block reads `------- SEARCH`, lines, `=======`, lines, `+++++++ REPLACE`;"
        " nothing was changed."
    )


def _head(text: str) -> str:
    return repr(text if len(text) <= 120 else f"{text[:119]}…")
