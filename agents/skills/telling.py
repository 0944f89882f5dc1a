"""What a skill's SKILL.md tells of itself: its name and when it is of use."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agents.reading.frontmatter import head

SKILL = "SKILL.md"
NAME = re.compile(r"[a-z0-9-]{1,64}")
"""How skills are to be called."""
SPEAKABLE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
"""What still can be said as a name."""


@dataclass(frozen=True)
class Told:
    """`name` is "" where it tells of none that can be said. `complaint` is a sentence for its author, "" where all is well."""

    name: str
    description: str
    complaint: str = ""


def told(text: str) -> Told:
    """Never fails, whatever the text is."""
    said = head(text)
    name, description = said.get("name", ""), said.get("description", "")
    return Told(name if SPEAKABLE.fullmatch(name) else "", description, _complaint(name, description))


def _complaint(name: str, description: str) -> str:
    missing = [key for key, value in (("name", name), ("description", description)) if not value]
    if missing:
        lacks = " and no ".join(missing)
        return f"Its {SKILL} has no {lacks}. It begins with a line ---, then name: … and description: …, then a line --- again."
    if not NAME.fullmatch(name):
        return f"Its name {name[:80]!r} is not 1 to 64 small letters, digits and -."
    return ""
