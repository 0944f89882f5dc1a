"""Undoing a body's compression piece by piece, never making more of it than there is room for."""

from __future__ import annotations

import zlib

from agents.errors import FetchFailed

ACCEPTED = "gzip, deflate"
"""What is asked for in Accept-Encoding; another encoding in the answer is refused."""


class Inflater:
    """Takes a body's bytes as they come and gives what they stand for."""

    def __init__(self, encoding: str) -> None:
        self.encoding = encoding.strip().lower()
        if self.encoding not in ("", "identity", "gzip", "x-gzip", "deflate"):
            raise FetchFailed(f"the answer is compressed as {self.encoding[:40]!r}, which was not asked for")
        self._open: zlib._Decompress | None = None

    def feed(self, data: bytes, room: int) -> bytes:
        """At most `room` bytes; once it gave that many, what is left over is lost. Raises FetchFailed for a broken body."""
        if self.encoding in ("", "identity"):
            return data[:room]
        made = bytearray()
        try:
            while data and len(made) < room:
                self._open = self._open or self._begun(data)
                made += self._open.decompress(data, room - len(made))
                data, ended = self._open.unused_data, self._open.eof
                self._open = None if ended else self._open
        except zlib.error as wrong:
            raise FetchFailed("the answer's compressed body is broken") from wrong
        return bytes(made)

    def _begun(self, data: bytes) -> zlib._Decompress:
        """Deflate comes with zlib's header or, from some servers, without."""
        if self.encoding != "deflate":
            return zlib.decompressobj(16 + zlib.MAX_WBITS)
        return zlib.decompressobj(zlib.MAX_WBITS if data[0] & 0x0F == 8 else -zlib.MAX_WBITS)
