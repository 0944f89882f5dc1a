"""Replies read outside a session, with tools made for it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest

from agents.events import Call, Part, Text
from agents.protocols import PROTOCOLS
from agents.protocols.listening import Listening
from agents.protocols.reader import Speech, Unreadable
from agents.providers.provider import Grew, ToolDefinition


def tool(name: str, *required: str, **properties: dict[str, Any]) -> ToolDefinition:
    schema = {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}
    return ToolDefinition(name, f"What {name} does.", schema)


TEXT = {"type": "string"}
TOOLS = (
    tool("read_file", "path", path=TEXT, limit={"type": "integer"}),
    tool("write_to_file", "path", "content", path=TEXT, content=TEXT),
    tool("todo_read"),
    tool(
        "tune",
        whole={"type": "integer"},
        rate={"type": "number"},
        loud={"type": "boolean"},
        names={"type": "array", "items": TEXT},
        extra={"anyOf": [{"type": "object"}, {"type": "null"}]},
        note={"anyOf": [TEXT, {"type": "null"}]},
        **{"-C": {"type": "integer"}},
        line={"anyOf": [{"type": "integer"}, TEXT]},
        mode={"enum": ["slow", "fast"]},
        point={"$ref": "#/$defs/Point"},
    ),
)


def speech(protocol: str) -> Speech:
    found = PROTOCOLS[protocol].speech
    assert found is not None
    return found


@dataclass
class Read:
    """What a reply was read as, and what was shown meanwhile."""

    parts: tuple[Part, ...]
    stop_reason: str
    grown: list[Grew]

    @property
    def words(self) -> list[str]:
        return [part.text for part in self.parts if isinstance(part, Text)]

    @property
    def calls(self) -> list[tuple[str, Any]]:
        return [(part.tool, json.loads(part.arguments)) for part in self.parts if isinstance(part, Call)]


def read(protocol: str, text: str, whole: bool = True, cut: int = 0) -> Read:
    """The text, fed at once or in pieces of `cut` characters. Raises Unreadable."""
    listening = Listening(speech(protocol).reader(TOOLS), "t")
    size = cut or max(1, len(text))
    grown = [grew for at in range(0, len(text), size) for grew in listening.text(text[at : at + size])]
    grown += listening.rest(whole)
    return Read(tuple(part.part() for part in listening.parts.values()), listening.reader.stop_reason, grown)


def refused(protocol: str, text: str, whole: bool = True) -> str:
    """Why the text is no reply of the protocol."""
    with pytest.raises(Unreadable) as reason:
        read(protocol, text, whole)
    return str(reason.value)
