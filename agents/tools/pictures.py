"""Images that come from elsewhere, such as an MCP server, made ones that no model's vendor refuses."""

from __future__ import annotations

import base64
import binascii
from dataclasses import replace

from agents.errors import AgentError
from agents.pieces import Attachment
from agents.reading.images import media_type_of, shrunk
from agents.tools.tool import ToolContext, ToolResult

UNSEEN = "application/octet-stream"
"""What an image becomes that cannot be shown: people can still take it home."""


async def viewable(result: ToolResult, context: ToolContext) -> ToolResult:
    """The result with its images as models take them; a broken or a huge one is a mere file, and the result says so.

    A vendor that is sent an image it cannot read refuses the request, and every later one of the session with it.
    """
    files, notes = list[Attachment](), list[str]()
    for file in result.attachments:
        if not file.media_type.startswith("image/"):
            files.append(file)
            continue
        try:
            files.append((await shrunk(_bytes(file), file.name, context.sandbox)).attachment)
        except AgentError as wrong:
            files.append(file.model_copy(update={"media_type": UNSEEN}))
            notes.append(f"[The image {file.name} cannot be shown: {wrong}]")
    output = "\n".join([*([result.output] if result.output else []), *notes])
    return replace(result, output=output, attachments=tuple(files))


def _bytes(file: Attachment) -> bytes:
    """Raises AgentError for what is no image of a kind that can be shown."""
    try:
        data = base64.b64decode(file.data, validate=True)
    except (binascii.Error, ValueError) as wrong:
        raise AgentError("it is not valid base64.") from wrong
    if not media_type_of(data):
        raise AgentError(f"it says it is {file.media_type}, but its bytes are of no kind of image that can be shown.")
    return data
