"""The two protocols as models hear and write them: JSON with file sections, and XML tags."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from agents.events import Call
from agents.protocols.actions import ActionReader
from agents.protocols.explaining import explained, template
from agents.protocols.reader import StopReason
from agents.protocols.sections import NAME, can_be_section, marker
from agents.protocols.tagged import TagReader
from agents.providers.provider import ToolDefinition

MALFORMED = "malformed_arguments"
DEEPEST = 100


class JsonForm:
    """See `Speech`: an object with actions, whose long contents follow it in sections."""

    def instructions(self, tools: Sequence[ToolDefinition]) -> str:
        return template("json").replace("{tools}", "\n\n".join(explained(tool, "args:") for tool in tools))

    def reply(self, words: str, calls: Sequence[Call], stop_reason: StopReason) -> str:
        sections: list[str] = []
        actions = [{"tool": call.tool, "args": _apart(_arguments(call), sections)} for call in calls]
        said = {"thought_summary" if calls else "result_message": words} if words else {}
        whole = {**said, "actions": actions, "stop_reason": stop_reason or "continue"}
        bodies = [f"{marker(number)}\n{body}\n{marker(number)}" for number, body in enumerate(sections, 1)]
        return "\n".join([json.dumps(whole, ensure_ascii=False), *bodies])

    def reader(self, tools: Sequence[ToolDefinition]) -> ActionReader:
        return ActionReader()


def _apart(value: Any, sections: list[str]) -> Any:
    """The value with the texts of several lines taken out into sections."""
    if isinstance(value, dict):
        return {key: _apart(each, sections) for key, each in value.items()}
    if isinstance(value, list):
        return [_apart(each, sections) for each in value]
    if isinstance(value, str) and ("\n" in value or NAME.fullmatch(value)) and can_be_section(value):
        sections.append(value)
        return f"FILE_CONTENT_#{len(sections)}"
    return value


class TagForm:
    """See `Speech`: one call a reply, in tags of the tool's and its parameters' names."""

    def instructions(self, tools: Sequence[ToolDefinition]) -> str:
        return template("xml").replace("{tools}", "\n\n".join(map(_usage, tools)))

    def reply(self, words: str, calls: Sequence[Call], stop_reason: StopReason) -> str:
        return "\n\n".join([*([words] if words else []), *(_tagged(call) for call in calls)])

    def reader(self, tools: Sequence[ToolDefinition]) -> TagReader:
        return TagReader(tools)


def _usage(tool: ToolDefinition) -> str:
    names = list(tool.parameters.get("required", ())) or list(tool.parameters.get("properties", {}))[:1]
    example = "\n".join([f"<{tool.name}>", *(f"<{name}>…</{name}>" for name in names), f"</{tool.name}>"])
    return f"{explained(tool, 'Parameters:')}\n\nUsage:\n{example}"


def _tagged(call: Call) -> str:
    values = (f"<{name}>{_written(value)}</{name}>" for name, value in _arguments(call).items() if value is not None)
    return "\n".join([f"<{call.tool}>", *values, f"</{call.tool}>"])


def _written(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"\n{text}\n" if "\n" in text else text


def _arguments(call: Call) -> Mapping[str, Any]:
    """The arguments; of those that are no JSON object, or one of great depth, the text."""
    try:
        value = json.loads(call.arguments or "{}")
    except (ValueError, RecursionError):
        return {MALFORMED: call.arguments}
    return value if isinstance(value, dict) and _depth(value) <= DEEPEST else {MALFORMED: call.arguments}


def _depth(value: Any) -> int:
    """How many lists and objects lie in each other."""
    depth, level = 0, [value]
    while level := [each for each in level if isinstance(each, dict | list)]:
        depth, level = depth + 1, [inner for each in level for inner in (each.values() if isinstance(each, dict) else each)]
    return depth
