"""Tools as a system prompt tells of them, in words: name, what it does, and its parameters."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from agents.prompts import HERE
from agents.protocols.typed import Schema, kinds, referred
from agents.providers.provider import ToolDefinition

_PLAIN = {"string", "integer", "number", "boolean", "null"}


def template(name: str) -> str:
    """A text of the protocols' among the prompts."""
    return (HERE / "protocols" / f"{name}.md").read_text(encoding="utf-8").strip()


def explained(tool: ToolDefinition, heading: str) -> str:
    """The tool without a way to call it."""
    lines = list(_parameters(tool.parameters)) or ["(none)"]
    return "\n".join([f"## {tool.name}", "", tool.description.strip(), "", heading, *lines])


def required(tool: ToolDefinition) -> list[str]:
    return list(tool.parameters.get("required", ()))


def _parameters(root: Schema) -> Iterator[str]:
    for name, schema in root.get("properties", {}).items():
        need = "required" if name in root.get("required", ()) else "optional"
        about = " ".join(str(schema.get("description", "")).split())
        yield f"- {name} ({need}, {form(schema, root)})" + (f": {about}" if about else "")


def form(schema: Schema, root: Schema) -> str:
    """What a value looks like: its type, what it can be chosen from, or its JSON Schema where it is no plain value."""
    whole = referred(schema, root)
    if "enum" in whole:
        return "one of " + ", ".join(json.dumps(value, ensure_ascii=False) for value in whole["enum"])
    types = kinds(schema, root)
    if types <= _PLAIN:
        return " or ".join(sorted(types - {"null"})) or "null"
    return "JSON: " + json.dumps(_bare(_filled(schema, root, 0)), ensure_ascii=False, separators=(",", ":"))


def _filled(schema: Any, root: Schema, depth: int) -> Any:
    """With every reference to a definition replaced by it."""
    if isinstance(schema, list):
        return [_filled(each, root, depth) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema and depth < 6:
        return _filled(dict(referred(schema, root)), root, depth + 1) if referred(schema, root) is not schema else {}
    return {key: _filled(each, root, depth) for key, each in schema.items()}


def _bare(schema: Any) -> Any:
    """Without the description of the whole, which is told beside it."""
    return {key: value for key, value in schema.items() if key not in ("description", "default")} if isinstance(schema, dict) else schema
