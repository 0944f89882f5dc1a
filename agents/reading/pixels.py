"""The side of `images` that opens them, in a process of its own (see `apart`): a decoder is where an evil image would strike."""

from __future__ import annotations

import importlib
import io
import sys
import warnings
from collections.abc import Iterator
from typing import Any

from agents.errors import ToolError

LONGEST_SIDE = 1568
"""Pixels beyond which vendors shrink an image themselves."""
MOST_BYTES = 1_500_000
MOST_PIXELS = 60_000_000
"""Of an image as it is; more would take too much memory."""
FORMATS = {"image/png": "PNG", "image/jpeg": "JPEG", "image/webp": "WEBP", "image/gif": "GIF", "image/bmp": "BMP"}
KEPT = ("image/png", "image/jpeg", "image/webp")
"""Kinds that every vendor takes."""
QUALITIES = (85, 70, 50)


def answer(order: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
    """Told: `media_type`, and the sizes it `was` and is `now`; no bytes where the file can be shown as it is."""
    sys.path.append(order["library"])
    library: Any = importlib.import_module("PIL.Image")
    library.MAX_IMAGE_PIXELS = MOST_PIXELS
    warnings.simplefilter("error", library.DecompressionBombWarning)
    try:
        return _answer(library, order["media_type"], data)
    except (library.DecompressionBombError, library.DecompressionBombWarning) as wrong:
        raise ToolError(f"{order['name']} has more than {MOST_PIXELS // 1_000_000} million pixels, too many to be shown.") from wrong
    except (OSError, ValueError, SyntaxError, ArithmeticError, LookupError, TypeError, AttributeError, EOFError) as wrong:
        raise ToolError(f"{order['name']} looks like an image ({order['media_type']}) but is broken: {wrong}.") from wrong


def _answer(library: Any, media_type: str, data: bytes) -> tuple[dict[str, Any], bytes]:
    image = library.open(io.BytesIO(data), formats=(FORMATS[media_type],))
    was, moving = image.size, getattr(image, "is_animated", False)
    if media_type == "image/jpeg":
        image.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
    image.load()
    upright = importlib.import_module("PIL.ImageOps").exif_transpose(image)
    turned = image.getexif().get(0x0112, 1) != 1
    was = (was[1], was[0]) if upright.size != image.size else was
    if media_type in KEPT and not moving and not turned and max(was) <= LONGEST_SIDE and len(data) <= MOST_BYTES:
        return {"media_type": media_type, "was": was, "now": was}, b""
    for kind, size, made in _attempts(library, upright, photo=media_type == "image/jpeg"):
        if len(made) <= MOST_BYTES:
            return {"media_type": kind, "was": was, "now": size}, made
    raise ValueError("it cannot be made small enough")


def _attempts(library: Any, image: Any, *, photo: bool) -> Iterator[tuple[str, tuple[int, int], bytes]]:
    """The same image, worse and worse: smaller, without loss (unless that is lost already), then with some, then half as large."""
    clear = image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info
    image = image.convert("RGBA" if clear else "RGB")
    image.thumbnail((LONGEST_SIDE, LONGEST_SIDE), library.Resampling.LANCZOS)
    while min(image.size) > 1:
        if not photo:
            yield "image/png", image.size, _saved(image, "PNG", optimize=True)
        flat = _on_white(library, image) if clear else image
        for quality in QUALITIES:
            yield "image/jpeg", image.size, _saved(flat, "JPEG", quality=quality)
        image = image.resize((max(1, image.width // 2), max(1, image.height // 2)), library.Resampling.LANCZOS)
    yield "image/png", image.size, _saved(image, "PNG")


def _on_white(library: Any, image: Any) -> Any:
    white = library.new("RGB", image.size, "white")
    white.paste(image, mask=image.getchannel("A"))
    return white


def _saved(image: Any, format: str, **how: Any) -> bytes:
    """Nothing of the file goes along but its pixels: no place, no camera, no comment."""
    image.info = {}
    file = io.BytesIO()
    image.save(file, format, **how)
    return file.getvalue()
