"""The YAML head of a Markdown file, read as what strangers wrote: little of it, and only plain values."""

from __future__ import annotations

import re

import yaml

MOST = 8_192
"""Characters of a head; a longer one is left unread."""
LONGEST_VALUE = 1_024
HEAD = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)


def head(text: str) -> dict[str, str]:
    """The plain values of the head, each in one line; empty where there is none, or one that makes no sense."""
    found = HEAD.match(text[: MOST + 16])
    if found is None:
        return {}
    try:
        told = yaml.safe_load(found[1])
    except (yaml.YAMLError, RecursionError, ValueError):
        return {}
    if not isinstance(told, dict):
        return {}
    return {
        str(name): _line(value) for name, value in told.items() if isinstance(name, str) and isinstance(value, str | int | float | bool)
    }


def _line(value: object) -> str:
    return " ".join(str(value).split())[:LONGEST_VALUE]
