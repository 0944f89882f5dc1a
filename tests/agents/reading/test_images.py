"""Images on their way to a model: known, shrunk in the sandbox, and refused where they are broken or bombs."""

from __future__ import annotations

import base64
import io
import random
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from agents.errors import ToolError
from agents.reading.images import LARGEST, Picture, media_type_of, shrunk
from agents.reading.pixels import MOST_BYTES
from agents.sandboxes.choose import open_sandbox
from agents.sandboxes.sandbox import Sandbox, SandboxWish


@pytest.fixture
def sandbox(tmp_path: Path) -> Sandbox:
    """The strongest there is here."""
    return open_sandbox(SandboxWish(root=str(tmp_path)))


def saved(image: Image.Image, format: str, **how: Any) -> bytes:
    file = io.BytesIO()
    image.save(file, format, **how)
    return file.getvalue()


def opened(picture: Picture) -> Image.Image:
    return Image.open(io.BytesIO(base64.b64decode(picture.attachment.data)))


def noise(width: int, height: int) -> Image.Image:
    return Image.frombytes("RGB", (width, height), random.Random(5).randbytes(3 * width * height))


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"\x89PNG\r\n\x1a\nrest", "image/png"), (b"\xff\xd8\xff\xe0rest", "image/jpeg"), (b"GIF89a", "image/gif"),
        (b"GIF87a", "image/gif"), (b"RIFF\0\0\0\0WEBPVP8 ", "image/webp"), (b"BM\0\0\0\0\0\0\0\0", "image/bmp"),
        (b"BM is a text file", ""), (b"RIFF\0\0\0\0WAVE", ""), (b"<svg>", ""), (b"", ""), (b"\x89PN", ""), (b"%PDF-1.7", ""),
    ],
)  # fmt: skip
def test_an_image_is_known_by_how_it_begins(data: bytes, kind: str) -> None:
    assert media_type_of(data) == kind


@pytest.mark.parametrize(("format", "kind"), [("PNG", "image/png"), ("JPEG", "image/jpeg"), ("WEBP", "image/webp")])
async def test_a_small_image_stays_as_it_is(sandbox: Sandbox, format: str, kind: str) -> None:
    data = saved(Image.new("RGB", (40, 30), "red"), format)
    picture = await shrunk(data, "a", sandbox)
    assert (picture.attachment.media_type, base64.b64decode(picture.attachment.data)) == (kind, data)
    assert picture.in_words == f"Image [{kind}], 40×30 pixels."


@pytest.mark.parametrize(
    ("image", "format", "kind", "size"),
    [
        (Image.new("RGB", (4000, 1000), "red"), "PNG", "image/png", (1568, 392)),
        (Image.new("RGB", (1000, 4000), "red"), "JPEG", "image/jpeg", (392, 1568)),
        (Image.new("P", (30, 20)), "GIF", "image/png", (30, 20)),
        (Image.new("RGB", (30, 20)), "BMP", "image/png", (30, 20)),
        (Image.new("I;16", (3000, 20)), "PNG", "image/png", (1568, 10)),
        (Image.new("CMYK", (3000, 20)), "JPEG", "image/jpeg", (1568, 10)),
    ],
)
async def test_an_image_becomes_one_that_every_vendor_takes(
    sandbox: Sandbox, image: Image.Image, format: str, kind: str, size: tuple[int, int]
) -> None:
    picture = await shrunk(saved(image, format), "a", sandbox)
    assert (picture.attachment.media_type, picture.was, picture.now) == (kind, image.size, size)
    assert opened(picture).size == size


async def test_a_heavy_image_loses_detail_and_what_shines_through_is_kept_where_it_fits(sandbox: Sandbox) -> None:
    heavy = await shrunk(saved(noise(1500, 1200), "PNG"), "a", sandbox)
    assert heavy.attachment.media_type == "image/jpeg"
    assert len(base64.b64decode(heavy.attachment.data)) <= MOST_BYTES
    clear = await shrunk(saved(Image.new("RGBA", (2000, 50), (255, 0, 0, 0)), "PNG"), "a", sandbox)
    assert opened(clear).convert("RGBA").getchannel("A").getextrema() == (0, 0)


async def test_an_image_is_turned_as_its_camera_was_and_tells_nothing_more(sandbox: Sandbox) -> None:
    exif = Image.Exif()
    exif[0x0112], exif[0x010F] = 6, "Secret camera"
    picture = await shrunk(saved(Image.new("RGB", (60, 20), "red"), "JPEG", exif=exif), "a", sandbox)
    assert (picture.was, opened(picture).size) == ((20, 60), (20, 60))
    assert b"Secret camera" not in base64.b64decode(picture.attachment.data)


def png(width: int, height: int, *chunks: tuple[bytes, bytes]) -> bytes:
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(chunk(*each) for each in chunks) + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (png(50_000, 50_000, (b"IDAT", zlib.compress(bytes(1000)))), "million pixels"),
        (png(9000, 9000, (b"IDAT", zlib.compress(bytes(1000)))), "million pixels"),
        (png(2**31 - 1, 2**31 - 1), "million pixels"),
        (png(100, 100, (b"IDAT", b"nonsense")), "broken"),
        (png(0, 0), "broken"),
        (png(10, 10, (b"zTXt", b"x\0\0" + zlib.compress(bytes(50 * 2**20))), (b"IDAT", b"")), "broken"),
        (b"\x89PNG\r\n\x1a\n", "broken"),
        (b"\xff\xd8\xff" + bytes(100), "broken"),
        (b"GIF89a" + b"\xff" * 20, "broken"),
        (b"RIFF\x10\0\0\0WEBPVP8 " + bytes(20), "broken"),
        (b"BM" + bytes(60), "broken"),
        (saved(Image.new("RGB", (400, 400)), "PNG")[:200], "broken"),
        (saved(noise(64, 64), "JPEG")[:900], "broken"),
    ],
)
async def test_what_is_broken_or_a_bomb_is_an_error_in_words(sandbox: Sandbox, data: bytes, why: str) -> None:
    with pytest.raises(ToolError, match=why) as told:
        await shrunk(data, "shot.png", sandbox)
    assert "shot.png" in str(told.value)


async def test_a_file_that_is_too_large_is_not_opened(sandbox: Sandbox) -> None:
    with pytest.raises(ToolError, match="up to 32 MB"):
        await shrunk(b"\x89PNG\r\n\x1a\n" + bytes(LARGEST), "shot.png", sandbox)
