"""What a file is given as its content: no placeholder, and a line end at its end."""

from __future__ import annotations

import re

from agents.errors import ToolError

_PLACEHOLDER = re.compile(r"\s*FILE_CONTENT_#\d+\s*")


def refuse_placeholder(content: str) -> None:
    """Raises ToolError for a name that stands for a section of the reply which never came: no file should hold that."""
    if _PLACEHOLDER.fullmatch(content):
        raise ToolError(f"the content is only the placeholder {content.strip()}, and no such section came with it. Send the text itself.")


def ended(data: bytes) -> bytes:
    """The file with a line end at its end, of the kind that its last line before has."""
    if data.endswith(b"\n"):
        return data
    return data + (b"\r\n" if data[: data.rfind(b"\n") + 1].endswith(b"\r\n") else b"\n")
