"""Turning a command's bytes into text as they come: whole characters, whole lines, no secrets.

For a tool that runs a command: `live = LiveText(context.show)`, pass `live.feed` as `on_output` to `sandbox.run`, and
`live.close()` afterwards. The text shown is a preview: the result is made from `Exit.output`.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable

from agents.shell.known import NOTHING, Known
from agents.shell.secrets import HIDDEN, KEY_BEGINS, KEY_ENDS, redact

KEY_LINE = re.compile(r"[A-Za-z0-9+/=\s]*|[A-Za-z\-]{1,40}: [^\n]*\n?")
"""What stands between the first and the last line of a private key."""
LONGEST_LINE = 8192
"""Characters of an unfinished line that are held back, waiting for its end, before they are shown anyway."""
OVERLAP = 1024
"""Of such a line the last characters stay held, so that a secret across the cut is still seen whole."""


class KeyFilter:
    """Leaves out private keys, whose lines may come in several pieces; a key ends where its lines do."""

    def __init__(self) -> None:
        self.within = False
        self.found = 0

    def line(self, line: str) -> str:
        """What is left of the next line."""
        if self.within:
            self.within = KEY_LINE.fullmatch(line) is not None
            return "" if self.within or KEY_ENDS.search(line) else line
        begin = KEY_BEGINS.search(line)
        if begin is None or not KEY_LINE.fullmatch(line, begin.end()):
            return line
        self.within = True
        self.found += 1
        return f"{line[: begin.start()]}{HIDDEN}\n"


class LiveText:
    """An incremental decoder. Text arrives at `show` redacted and cut at line ends; invalid bytes become U+FFFD.

    `known` are secrets to take out besides those of a known look.
    """

    def __init__(self, show: Callable[[str], None], known: Known = NOTHING) -> None:
        self._show, self._known = show, known
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._waiting = ""
        self._keys = KeyFilter()
        self._found = 0

    @property
    def redactions(self) -> int:
        return self._found + self._keys.found

    def feed(self, data: bytes) -> None:
        """Take the next bytes, in order."""
        self._waiting += self._decoder.decode(data)
        ready, newline, rest = self._waiting.rpartition("\n")
        if newline:
            self._waiting = rest
            self._give(ready + newline)
        if len(self._waiting) > LONGEST_LINE:
            self._give_start()

    def close(self) -> None:
        """Show what was still waiting for the end of its line."""
        self._waiting += self._decoder.decode(b"", final=True)
        ready, self._waiting = self._waiting, ""
        self._give(ready)

    def _give_start(self) -> None:
        clean, found = redact(self._waiting, self._known)
        self._found += found
        self._waiting = clean[-OVERLAP:]
        self._give(clean[:-OVERLAP])

    def _give(self, text: str) -> None:
        clean, found = redact("".join(map(self._keys.line, text.splitlines(keepends=True))), self._known)
        self._found += found
        if clean:
            self._show(clean)
