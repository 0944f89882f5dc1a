"""The YAML head of a Markdown file, read as what strangers wrote: little of it, and only plain values."""

from __future__ import annotations

import re
from typing import Any

import yaml

from agents.pieces import well_formed

MOST = 8_192
"""Characters of a head; a longer one is left unread."""
LONGEST_VALUE = 1_024
DEEPEST = 20
PLAIN = re.compile(r"^(\w{1,40}):[ \t]+(\S.*)$", re.MULTILINE)
HEAD = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)


def head(text: str) -> dict[str, str]:
    """The plain values of the head, each in one line; empty where there is none."""
    found = HEAD.match(text[: MOST + 16])
    if found is None:
        return {}
    try:
        told = _loaded(found[1])
    except (yaml.YAMLError, RecursionError, ValueError):
        told = dict(PLAIN.findall(found[1]))  # such as `globs: *.py`, which editors write and YAML takes for something else
    if not isinstance(told, dict):
        return {}
    return {
        str(name): _line(value) for name, value in told.items() if isinstance(name, str) and isinstance(value, str | int | float | bool)
    }


def body(text: str) -> str:
    """What follows the head; the whole text where there is none."""
    found = HEAD.match(text[: MOST + 16])
    return text[found.end() :] if found else text


def _loaded(text: str) -> Any:
    """Raises YAMLError also for a text that refers to its own parts: merged again and again, few of them fill any memory.

    And for one that is nested deeply: reading it takes time with the square of its depth.
    """
    depth = 0
    for event in yaml.parse(text, yaml.SafeLoader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if isinstance(event, yaml.AliasEvent) or depth > DEEPEST:
            raise yaml.YAMLError("it refers to its own parts, or is nested too deeply")
    return yaml.safe_load(text)


def _line(value: object) -> str:
    return well_formed(" ".join(str(value).split())[:LONGEST_VALUE])
