"""Files that people or agents made, sent in a way that lets no browser run what is in them."""

from __future__ import annotations

import re

from django.http import HttpResponse

ANY_KIND = "application/octet-stream"
PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
"""What a browser may show where it is; an SVG could run scripts."""
HARMLESS = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self'"


def as_file(data: bytes, name: str, media_type: str = ANY_KIND) -> HttpResponse:
    """Text and pictures are sent to look at, everything else to download."""
    kind = "text/plain; charset=utf-8" if media_type.startswith("text/") else media_type
    looked_at = kind.startswith("text/") or kind in PICTURES
    how = "inline" if looked_at else "attachment"
    plain_name = re.sub(r"[^\w.-]", "_", name, flags=re.ASCII) or "file"
    headers = {
        "Content-Disposition": f'{how}; filename="{plain_name}"', "X-Content-Type-Options": "nosniff", "Content-Security-Policy": HARMLESS,
    }  # fmt: skip
    return HttpResponse(data, content_type=kind if looked_at else ANY_KIND, headers=headers)
