"""How a model is told which skills there are: a line each, cut short, so that many of them cost little."""

from __future__ import annotations

from collections.abc import Sequence

from agents.ports import SkillEntry
from agents.words import counted

LONGEST = 200
"""Characters of one description."""
MOST = 60
"""Skills that are told with their descriptions; of the others only names."""
MOST_NAMED = 200


def listed(skills: Sequence[SkillEntry]) -> str:
    """What authors wrote stays in its line, whatever they wrote."""
    lines = [f"- {one.name}{_about(one)}" for one in skills[:MOST]]
    others, unnamed = skills[MOST:MOST_NAMED], len(skills) - MOST_NAMED
    if others:
        lines.append(f"- besides: {', '.join(one.name for one in others)}")
    if unnamed > 0:
        lines.append(f"- and {counted(unnamed, 'other')}")
    return "\n".join(lines)


def _about(one: SkillEntry) -> str:
    words = " ".join("".join(letter if letter.isprintable() else " " for letter in one.description).split())
    return f" — {words if len(words) <= LONGEST else f'{words[: LONGEST - 1]}…'}" if words else ""
