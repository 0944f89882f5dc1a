"""How JSON-RPC messages travel to and from a language server: a header with the length, then the JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

MOST_HEADER = 2**13
MOST_MESSAGE = 64 * 2**20
"""Bytes a message may have; a server that claims more has gone wrong."""

LENGTH = re.compile(rb"content-length:\s*(\d{1,12})\s*$", re.IGNORECASE | re.MULTILINE)

Message = dict[str, Any]


def packed(message: Message) -> bytes:
    """The bytes of one message."""
    body = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


class Unpacking:
    """Takes bytes as they come and gives whole messages. Raises ValueError for what is no message, from then on."""

    def __init__(self) -> None:
        self._held = bytearray()
        self._length = -1

    def fed(self, data: bytes) -> Iterator[Message]:
        self._held += data
        while (body := self._next()) is not None:
            message = json.loads(body)
            if not isinstance(message, dict):
                raise ValueError("a message is no JSON object")
            yield message

    def _next(self) -> bytes | None:
        if self._length < 0:
            self._read_header()
        if self._length < 0 or len(self._held) < self._length:
            return None
        body, self._held, self._length = bytes(self._held[: self._length]), self._held[self._length :], -1
        return body

    def _read_header(self) -> None:
        end = self._held.find(b"\r\n\r\n")
        if end < 0 and len(self._held) <= MOST_HEADER:
            return
        found = LENGTH.search(self._held, 0, end + 2) if 0 <= end <= MOST_HEADER else None
        if not found or int(found[1]) > MOST_MESSAGE:
            raise ValueError(f"no usable length in {bytes(self._held[:80])!r}")
        self._length = int(found[1])
        del self._held[: end + 4]
