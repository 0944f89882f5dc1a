"""A call's arguments as the model wrote them: a JSON object that can be kept, hashed and shown."""

from __future__ import annotations

import json
from typing import Any

from agents.errors import InvalidArguments

DEEPEST = 64
"""Levels of lists and objects within each other; what keeps and shows them does not go much deeper."""


def parse_arguments(raw: str) -> dict[str, Any]:
    """The model's argument text as an object. Raises InvalidArguments saying where the JSON breaks, or what in it cannot be kept."""
    try:
        arguments = json.loads(raw or "{}")
    except (ValueError, RecursionError) as wrong:
        raise InvalidArguments(f"The arguments are not valid JSON ({wrong}). Send the whole call again.") from wrong
    if not isinstance(arguments, dict):
        raise InvalidArguments(f"The arguments must be a JSON object, not {type(arguments).__name__}.")
    for name, value in arguments.items():
        if complaint := _complaint(value) or _complaint(name):
            raise InvalidArguments(f"{name.encode(errors='replace').decode()}: {complaint}")
    return arguments


def _complaint(value: Any) -> str:
    if _is_deeper(value, DEEPEST):
        return f"lists and objects are nested more than {DEEPEST} deep. Send it flatter."
    try:
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError:
        return "this text holds half a character (a lone surrogate). Send whole characters."
    except ValueError:
        return "a number is infinite or none at all. Send a finite one."
    return ""


def _is_deeper(value: Any, levels: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return levels < 0 or any(_is_deeper(one, levels - 1) for one in inner)
