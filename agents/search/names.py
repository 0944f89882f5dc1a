"""Paths held against patterns name by name, in time that no pattern can blow up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import translate

ANY_FOLDERS = None
Names = list[re.Pattern[str] | None]
"""A pattern name by name; None stands for `**`, any number of folders."""
_NOTHING = re.compile(r"(?!)")


def names_of(pattern: str) -> Names:
    """`*`, `?` and `[…]` stay within a name."""
    return [ANY_FOLDERS if name == "**" else re.compile(translate(name)) for name in pattern.split("/")]


def fit(wanted: Names, names: Sequence[str]) -> bool:
    """Go along both; where they part, let the last `**` take one name more. Never more than len × len steps."""
    at = want = 0
    star, star_at = -1, 0
    while at < len(names):
        one = wanted[want] if want < len(wanted) else _NOTHING
        if one is ANY_FOLDERS:
            star, star_at = want, at
            want += 1
        elif one.match(names[at]):
            at, want = at + 1, want + 1
        elif star >= 0:
            star_at += 1
            at, want = star_at, star + 1
        else:
            return False
    return all(one is ANY_FOLDERS for one in wanted[want:])
