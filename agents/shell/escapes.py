"""The escape sequences by which programs draw on a terminal: where they stand in a text, whole or just beginning."""

from __future__ import annotations

import re

LONGEST = 4096
"""Characters of a sequence that is still waited for; what has not ended by then is text."""

ESCAPE = re.compile(
    r"\x1b(?:"
    r"\[[0-9;:<=>?]{0,64}[ -/]{0,4}[@-~]"  # control sequences
    rf"|[\]PX^_][^\x07\x1b]{{0,{LONGEST}}}(?:\x07|\x1b\\)"  # strings: titles, links, pictures
    r"|[ -/]{1,4}[0-~]"  # character sets and the like
    r"|[0-Z\\`-~]"
    r")"
)
_BEGINNING = re.compile(rf"\x1b(?:\[[0-9;:<=>?]{{0,64}}[ -/]{{0,4}}|[\]PX^_][^\x07\x1b]{{0,{LONGEST}}}\x1b?|[ -/]{{0,4}})\Z")


def beginning(text: str) -> int:
    """Where a sequence begins that has not ended; the text's length where none does."""
    at = text.rfind("\x1b")
    for start in (text.rfind("\x1b", 0, at), at) if at >= 0 else ():
        if start >= 0 and _BEGINNING.match(text, start):
            return start
    return len(text)
