"""Values of a protocol in which everything is text, made into what the tool's JSON Schema asks for."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
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


def kinds(schema: Schema, root: Schema) -> frozenset[str]:
    """The JSON types that a value may have; text where the schema does not say."""
    return frozenset(_kinds(schema, root, 0)) or frozenset({"string"})


def _kinds(schema: Schema, root: Schema, depth: int) -> Iterator[str]:
    if depth > 10:
        return
    schema = referred(schema, root)
    given = schema.get("type")
    if given:
        yield from [given] if isinstance(given, str) else given
        return
    for choice in (*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("allOf", ())):
        yield from _kinds(choice, root, depth + 1)
    for value in (*schema.get("enum", ()), *([schema["const"]] if "const" in schema else ())):
        yield _NAMES[type(value)]


def referred(schema: Schema, root: Schema) -> Schema:
    """The schema itself, or the one of the root's definitions that it refers to."""
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    found = root.get("$defs", {}).get(name) if name else None
    return found if isinstance(found, Mapping) else schema


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
