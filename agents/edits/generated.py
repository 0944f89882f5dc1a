"""Whether a file says of itself that a program made it, so that a change by hand would be lost."""

from __future__ import annotations

import re

_MARKER = re.compile(r"@generated\b|auto-generated|do not edit|generated -- do not edit", re.IGNORECASE)
CHARACTERS = 1024
LINES = 40


def generated_marker(text: str) -> str:
    """The words by which it says so, within its first 1024 characters and 40 lines; "" for any other file."""
    head = "\n".join(text[:CHARACTERS].split("\n")[:LINES])
    found = _MARKER.search(head)
    return found[0] if found else ""
