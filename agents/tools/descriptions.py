"""The tools of a toolset as a page to read and keep: made from the registry, in Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from agents.tools.registry import ToolRegistry
from agents.tools.tool import Tool
from agents.words import counted


def page(registry: ToolRegistry, tools: Mapping[str, type[Tool]], model: str = "") -> str:
    """What a model of this name ("" for none in particular) is told of these tools, as Markdown."""
    told = f" As the model `{model}` is told of them." if model else ""
    head = [f"# {registry.title}", registry.about, f"{counted(len(tools), 'tool')}, made from the registry.{told}"]
    sections = ["\n\n".join(_section(tool, model)) for tool in tools.values()]
    return "\n\n".join([*filter(None, head), *sections]) + "\n"


def _section(tool: type[Tool], model: str) -> Iterator[str]:
    told = tool.definition(model)
    yield f"## `{told.name}`"
    yield told.description
    yield f"*{'. '.join(_nature(tool))}.*"
    rules: dict[str, Any] = told.parameters.get("properties", {})
    if not rules:
        yield "No parameters."
        return
    required = tool.parameters().get("required", [])
    rows = [_row(name, rule, is_required=name in required) for name, rule in rules.items()]
    yield "\n".join(["| parameter | type | required | what it is |", "|---|---|---|---|", *rows])


def _nature(tool: type[Tool]) -> Iterator[str]:
    yield "Changes nothing" if tool.read_only or not tool.mutates else "May change something"
    yield "People are asked where no rule decides" if tool.asks == "ask" else "Nobody is asked where no rule decides"
    yield f"Feature group {tool.group}"
    if tool.aliases:
        yield f"Also called {', '.join(tool.aliases)}"


def _row(name: str, rule: Mapping[str, Any], *, is_required: bool) -> str:
    default = f" By default `{json.dumps(rule['default'], ensure_ascii=False)}`." if rule.get("default") not in (None, "") else ""
    return f"| `{name}` | {_kind(rule)} | {'yes' if is_required else 'no'} | {_in_cell(str(rule.get('description', '')) + default)} |"


def _kind(rule: Mapping[str, Any]) -> str:
    """A rule's type in words: `string`, `array of string`, `one of "a", "b"`."""
    if "enum" in rule:
        return _in_cell("one of " + ", ".join(json.dumps(choice, ensure_ascii=False) for choice in rule["enum"]))
    if ways := rule.get("anyOf"):
        return " or ".join(_kind(way) for way in ways)
    kind = rule.get("type", "object" if "$ref" in rule else "any")
    if kind == "array":
        return f"array of {_kind(rule.get('items', {}))}"
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def _in_cell(text: str) -> str:
    """A text within one cell of a table."""
    return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", "<br>")
