"""Values of a protocol in which everything is text, made into what the tool's JSON Schema asks for."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

Schema = Mapping[str, Any]
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,300})(\.[0-9]+)?([eE][+-]?[0-9]{1,3})?")
_NAMES = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null", list: "array", dict: "object"}
_FORMS = {
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "null": "null",
    "array": "a JSON list",
    "object": "a JSON object",
}
_ORDER = tuple(_FORMS)
MOST_FOLLOWED = 100
"""Schemas looked at to learn what one parameter may be."""


def kinds(schema: Any, root: Schema) -> frozenset[str]:
    """The JSON types that a value may have; text where the schema does not say. Of a stranger's schema only so much is followed."""
    found: set[str] = set()
    waiting = [schema]
    for _ in range(MOST_FOLLOWED):
        if not waiting:
            break
        node = referred(waiting.pop(), root)
        given = node.get("type")
        if isinstance(given, str | list):
            found.update([given] if isinstance(given, str) else given)
            continue
        waiting += [choice for key in ("anyOf", "oneOf", "allOf") for choice in node.get(key, ())]
        found.update(_NAMES[type(value)] for value in (*node.get("enum", ()), *([node["const"]] if "const" in node else ())))
    return frozenset(found) or frozenset({"string"})


def referred(schema: Any, root: Schema) -> Schema:
    """The schema, or what it refers to within the root. `true`, which allows anything, is one that says nothing."""
    if not isinstance(schema, Mapping):
        return {}
    if not isinstance(schema.get("$ref"), str):
        return schema
    found: Any = root
    for step in schema["$ref"].removeprefix("#").split("/")[1:]:
        found = found.get(step.replace("~1", "/").replace("~0", "~")) if isinstance(found, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def is_text(schema: Schema, root: Schema) -> bool:
    """Whether a value is taken as it stands. `null` is said by leaving the parameter out."""
    return kinds(schema, root) <= {"string", "null"}


def typed(text: str, schema: Schema, root: Schema) -> str:
    """The value as JSON text, for a schema that is not just text. Raises ValueError saying what it should have been."""
    allowed, stripped = kinds(schema, root), text.strip()
    for kind in _ORDER:
        if kind in allowed and not ("string" in allowed and kind in ("null", "boolean")):
            found = _read(kind, stripped)
            if found is not None:
                return found
    if "string" in allowed:
        return json.dumps(text, ensure_ascii=False)
    raise ValueError(" or ".join(_FORMS[kind] for kind in _ORDER if kind in allowed))


def _read(kind: str, text: str) -> str | None:
    if kind in ("boolean", "null"):
        return text.lower() if text.lower() in (("true", "false") if kind == "boolean" else ("null",)) else None
    if kind in ("integer", "number"):
        found = _NUMBER.fullmatch(text)
        return text if found and (kind == "number" or not (found[1] or found[2])) else None
    return _structure(text, list if kind == "array" else dict)


def _structure(text: str, wanted: type) -> str | None:
    try:
        value = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
    return json.dumps(value, ensure_ascii=False) if isinstance(value, wanted) else None
