"""artifact://: whole outputs and other files that tools of this session kept beside the workspace."""

from __future__ import annotations

from base64 import b64encode

from agents.errors import ToolError
from agents.pieces import Attachment
from agents.ports import Artifact
from agents.resources.address import Address
from agents.resources.files import text_of
from agents.resources.resource import Resource, Surroundings
from agents.shell.screen import plain

MOST_IMAGE = 5 * 2**20
"""Bytes of an image that is given along."""
DRAWN = "text/x-ansi"
"""What a terminal was given, escapes and all."""
TEXTS = ("text/", "application/json", "application/xml")


async def artifact(address: Address, around: Surroundings) -> Resource:
    if around.artifacts is None:
        raise ToolError(f"{address.url} was not found: this session keeps no artifacts.")
    if address.is_root:
        return Resource(address.url, "\n".join(map(_row, await around.artifacts.all())) or "This session has kept no artifacts.")
    number = address.path.strip("/")
    if not number.isascii() or not number.isdigit() or len(number) > 9:
        raise ToolError(f"{address.url} was not found: artifacts have numbers, as in artifact://3. artifact:// lists them.")
    found = await around.artifacts.read(int(number))
    if found is None:
        raise ToolError(f"{address.url} was not found: there is no such artifact, or it had to make room. artifact:// lists them.")
    return _shown(address, *found)


def _row(one: Artifact) -> str:
    return f"{one.url} {one.name} ({one.media_type}, {one.size} bytes)"


def _shown(address: Address, one: Artifact, data: bytes) -> Resource:
    if one.media_type.startswith(TEXTS):
        text = text_of(data, address.url)
        return Resource(address.url, plain(text) if one.media_type.startswith(DRAWN) else text, one.media_type)
    if one.media_type.startswith("image/") and len(data) <= MOST_IMAGE:
        image = Attachment(name=one.name, media_type=one.media_type, data=b64encode(data).decode())
        return Resource(address.url, f"[Image {_row(one)}]", one.media_type, attachments=(image,))
    raise ToolError(f"{address.url} is no text: {one.name} ({one.media_type}, {one.size} bytes). People can open it in the session's page.")
