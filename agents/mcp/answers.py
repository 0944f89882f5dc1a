"""What a tool or a resource of a server gave, as a call's result can hold it: bounded, and without the server's secrets."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import mcp_types as types

from agents.mcp.schemas import SchemaRefused, complaints
from agents.mcp.server import Server
from agents.pieces import Attachment
from agents.ports import McpAnswer

TEXT_LIMIT = 100_000
"""Characters of one answer."""
BYTES_LIMIT = 2**20
"""Bytes of all attachments of one answer."""
STRUCTURED_LIMIT = 20_000
"""Characters of structured content, as JSON, that are kept beside the text; a longer one is text alone."""
MEDIA_TYPE = re.compile(r"[A-Za-z0-9.+-]{1,80}/[A-Za-z0-9.+-]{1,80}")
Content = Mapping[str, Any] | types.ContentBlock | types.TextResourceContents | types.BlobResourceContents


def answer_of_call(server: Server, tool: str, result: types.CallToolResult, output: Mapping[str, Any] | None) -> McpAnswer:
    """Raises ToolError where the result is not what the tool's own output schema says."""
    tray = Tray()
    tray.put_all(result.content)
    structured = result.structured_content
    if not result.is_error and output is not None:
        _hold_to_its_word(server, tool, structured, output)
    as_json = "" if structured is None else json.dumps(structured, ensure_ascii=False)
    if as_json and not any(isinstance(part, types.TextContent) for part in result.content):
        tray.text.append(as_json)
    kept = json.loads(server.without_secrets(as_json)) if isinstance(structured, dict) and len(as_json) <= STRUCTURED_LIMIT else None
    return McpAnswer(server.without_secrets(tray.told()), bool(result.is_error), kept, tuple(tray.attachments))


def answer_of_reading(server: Server, result: types.ReadResourceResult) -> McpAnswer:
    tray = Tray()
    tray.put_all(result.contents)
    return McpAnswer(server.without_secrets(tray.told()), attachments=tuple(tray.attachments))


def _hold_to_its_word(server: Server, tool: str, structured: object, output: Mapping[str, Any]) -> None:
    try:
        wrong = ["there is none"] if structured is None else complaints(output, structured)
    except SchemaRefused as refused:
        raise server.wrong(f"declares an output schema for {tool} that cannot be followed: {refused}.") from refused
    if wrong:
        raise server.wrong(f"answered {tool} with structured content that is not what its own output schema says: {'; '.join(wrong)}.")


@dataclass
class Tray:
    """Collects the parts of one answer."""

    text: list[str] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    left: int = BYTES_LIMIT

    def put_all(self, parts: Iterable[Content]) -> None:
        for part in parts:
            self._put(part)

    def told(self) -> str:
        whole = "\n".join(self.text)
        return whole if len(whole) <= TEXT_LIMIT else f"{whole[:TEXT_LIMIT]}\n[{len(whole) - TEXT_LIMIT} more characters were left out]"

    def _put(self, part: Content) -> None:
        match part:
            case types.TextContent() | types.TextResourceContents():
                self.text.append(part.text)
            case types.ImageContent() | types.AudioContent():
                self._attach(part.type, part.mime_type, part.data)
            case types.BlobResourceContents():
                self._attach(part.uri.rsplit("/", 1)[-1] or "resource", part.mime_type or "", part.blob)
            case types.EmbeddedResource():
                self._put(part.resource)
            case types.ResourceLink():
                self.text.append(f"[Resource {part.name}: {part.uri}]")

    def _attach(self, name: str, media_type: str, data: str) -> None:
        name = name[:100]
        media_type = media_type if MEDIA_TYPE.fullmatch(media_type) else "application/octet-stream"
        size = len(data) * 3 // 4
        if size > self.left:
            self.text.append(f"[{name} ({media_type}, {size} bytes) was left out: an answer holds {BYTES_LIMIT // 2**20} MB of files]")
            return
        try:
            base64.b64decode(data, validate=True)
        except (binascii.Error, ValueError):
            self.text.append(f"[{name} ({media_type}) was left out: it is not valid base64]")
            return
        self.left -= size
        self.attachments.append(Attachment(name=name, media_type=media_type, data=data))
