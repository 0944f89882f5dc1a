"""Images as models take them: known by how they begin, made small enough by a process of their own."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from agents.errors import ToolError
from agents.pieces import Attachment
from agents.reading.apart import Work, apart
from agents.sandboxes.sandbox import Limits, Sandbox

LARGEST = 32 * 2**20
"""Bytes of a file that is looked at as an image."""
BEGINNINGS = ((b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"GIF87a", "image/gif"), (b"GIF89a", "image/gif"))
LOOKED_AT = 16
LIMITS = Limits(seconds=30, cpu_seconds=30, memory=1536 * 2**20, output=4 * 2**20, file_size=2**20, processes=16)


@dataclass(frozen=True)
class Picture:
    """An image ready for a model. `was` and `now` are width and height in pixels."""

    attachment: Attachment
    media_type: str
    was: tuple[int, int]
    now: tuple[int, int]

    @property
    def in_words(self) -> str:
        size = f"{self.was[0]}×{self.was[1]} pixels"
        smaller = f", shown as {self.now[0]}×{self.now[1]} ({self.attachment.media_type})" if self.now != self.was else ""
        return f"Image [{self.media_type}], {size}{smaller}."


def media_type_of(data: bytes) -> str:
    """Of an image of a kind that can be shown, by its first bytes (`LOOKED_AT` are enough); "" for anything else."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    if data[:2] == b"BM" and data[6:10] == bytes(4):
        return "image/bmp"
    return next((kind for beginning, kind in BEGINNINGS if data.startswith(beginning)), "")


async def shrunk(data: bytes, name: str, sandbox: Sandbox) -> Picture:
    """At most 1568 pixels wide and high, and 1.5 MB. Raises ToolError for a broken image, a huge one, or one that is a bomb."""
    if len(data) > LARGEST:
        raise ToolError(f"{name} has {len(data)} bytes, and only images of up to {LARGEST // 2**20} MB can be shown.")
    found = find_spec("PIL")
    if found is None or found.origin is None:
        raise ToolError(f"{name} is an image, and images cannot be shown here: the library for them (Pillow) is not installed.")
    library = str(Path(found.origin).parent.parent)
    work = Work("pixels", f"The image {name}", LIMITS, tools=(library,))
    told, body = await apart(sandbox, work, {"library": library, "name": name, "media_type": media_type_of(data)}, data)
    kind = str(told["media_type"])
    attachment = Attachment(name=name, media_type=kind, data=base64.b64encode(body or data).decode())
    return Picture(attachment, media_type_of(data), (told["was"][0], told["was"][1]), (told["now"][0], told["now"][1]))
