"""Putting the result of one MCP call into the arguments of the next, where {{previous}} stands in them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from agents.errors import ToolError
from agents.ports import McpAnswer

PREVIOUS = re.compile(r"\{\{\s*previous((?:\.[\w-]+)*)\s*\}\}")
OPAQUE = "{{previous}}"


def uses_previous(arguments: object) -> bool:
    """Whether `filled` would put anything in; it reads the strings themselves, for their JSON writes blanks otherwise."""
    if isinstance(arguments, dict):
        return any(map(uses_previous, arguments.values()))
    if isinstance(arguments, list):
        return any(map(uses_previous, arguments))
    return isinstance(arguments, str) and PREVIOUS.search(arguments) is not None


def filled(value: Any, previous: McpAnswer | None) -> Any:
    """The same with every {{previous}} replaced. A string that is nothing else takes the field's own type. Raises ToolError."""
    if isinstance(value, dict):
        return {name: filled(one, previous) for name, one in value.items()}
    if isinstance(value, list):
        return [filled(one, previous) for one in value]
    if not isinstance(value, str):
        return value
    if whole := PREVIOUS.fullmatch(value.strip()):
        return _found(previous, whole)
    return PREVIOUS.sub(partial(_as_text, previous), value)


def _as_text(previous: McpAnswer | None, place: re.Match[str]) -> str:
    found = _found(previous, place)
    return found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)


def _found(previous: McpAnswer | None, place: re.Match[str]) -> Any:
    if previous is None:
        raise ToolError("There is no result before the first call for {{previous}} to stand for.")
    steps = [step for step in place[1].split(".") if step]
    found: Any = previous.text if not steps else previous.structured
    for step in steps:
        if isinstance(found, list) and step.isdecimal() and int(step) < len(found):
            found = found[int(step)]
        elif isinstance(found, Mapping) and step in found:
            found = found[step]
        else:
            raise ToolError(f"{place[0]} stands for nothing: the result before it has no field {step!r}.")
    return found
