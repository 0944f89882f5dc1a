"""Regular expressions in Python's syntax, in the words of ripgrep's backtracking engine, which counts its steps."""

from __future__ import annotations

import re
import unicodedata
import warnings

from agents.errors import ToolError

LONGEST = 10_000
MOST_SETS = 50
"""Sets in brackets of one pattern: Python goes through every character of each to understand it."""
_PIECE = re.compile(r"\\N\{[^{}]*\}|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8}|\\.|\(\?[aimsux]+[):]|\[\^?\]?|\]|.", re.DOTALL)
_SAME = {"$": r"(?=\r?$)", r"\Z": r"(?=\r?\z)", r"\v": r"\x0b"}
"""What reads otherwise there, or must not be kept from fitting by the "\\r" of other systems' line ends."""


def translated(pattern: str) -> str:
    """The same pattern for the other engine. Raises ToolError with the place where Python finds it wrong."""
    if "\0" in pattern or len(pattern) > LONGEST:
        raise ToolError(f"The pattern holds a NUL character, or more than {LONGEST} characters. Give a shorter one; \\x00 is NUL.")
    if pattern.count("[") > MOST_SETS:
        raise ToolError(f"The pattern holds more than {MOST_SETS} sets in brackets. Search for its parts one after the other.")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            re.compile(pattern)
    except (re.error, OverflowError, RecursionError, MemoryError) as wrong:
        raise ToolError(
            f"Invalid regex pattern: {wrong}. It is read as Python's re does; put \\ before a sign that is meant itself."
        ) from None
    within = False
    words = []
    for piece in _PIECE.findall(pattern):
        words.append(_spelt(piece, within))
        within = not _closes(piece) if within else piece.startswith("[")
    return "".join(words)


def _closes(piece: str) -> bool:
    """Whether brackets end here; one that opens within others is a sign like any."""
    return piece.endswith("]") and not piece.startswith("\\")


def _spelt(piece: str, within: bool) -> str:
    """One piece of a pattern, `within` brackets or not."""
    if piece.startswith((r"\u", r"\U")) and len(piece) > 2:
        return rf"\x{{{piece[2:]}}}"
    if piece.startswith(r"\N{"):
        return rf"\x{{{ord(unicodedata.lookup(piece[3:-1])):x}}}"
    if piece.startswith("[") and within:
        return rf"\[{piece[1:]}"
    if piece.startswith("(?") and not within:
        return piece.replace("u", "")
    return piece if within and piece == "$" else _SAME.get(piece, piece)
