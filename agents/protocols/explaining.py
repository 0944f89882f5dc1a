"""Tools as a system prompt tells of them, in words: name, what it does, and its parameters."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from agents.prompts import HERE
from agents.protocols.typed import Schema, kinds, referred
from agents.providers.provider import ToolDefinition

_DEFINITIONS = ("$defs", "definitions")
_PLAIN = {"string", "integer", "number", "boolean", "null"}


def template(name: str) -> str:
    """A text of the protocols' among the prompts."""
    return (HERE / "protocols" / f"{name}.md").read_text(encoding="utf-8").strip()


def explained(tool: ToolDefinition, heading: str) -> str:
    """The tool without a way to call it."""
    lines = list(_parameters(tool.parameters)) or ["(none)"]
    if any('"$ref"' in line for line in lines):
        lines += [f"Definitions: {_compact({key: tool.parameters[key] for key in _DEFINITIONS if key in tool.parameters})}"]
    return "\n".join([f"## {tool.name}", "", tool.description.strip(), "", heading, *lines])


def _parameters(root: Schema) -> Iterator[str]:
    for name, schema in root.get("properties", {}).items():
        need = "required" if name in root.get("required", ()) else "optional"
        said = schema.get("description", "") if isinstance(schema, dict) else ""
        about = " ".join(str(said).split())
        yield f"- {name} ({need}, {_form(schema, root)})" + (f": {about}" if about else "")


def _form(schema: Any, root: Schema) -> str:
    """What a value looks like: its type, what it can be chosen from, or its JSON Schema where it is no plain value."""
    whole = referred(schema, root)
    if "enum" in whole:
        return "one of " + ", ".join(json.dumps(value, ensure_ascii=False) for value in whole["enum"])
    types = kinds(schema, root)
    if types <= _PLAIN:
        return " or ".join(sorted(types - {"null"})) or "null"
    return "JSON: " + _compact({key: value for key, value in schema.items() if key not in ("description", "default")})


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
