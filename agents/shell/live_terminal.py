"""Showing what a terminal shows, as it comes: escapes kept, secrets taken out, lines before they have ended.

Secrets are looked for in the text without its escapes, a line at a time. Of a line that has not ended, all is shown but a last word
that might yet become one; what stands before it is looked at again with it, so that a name tells what its value is.
"""

from __future__ import annotations

import asyncio
import codecs
import re
from collections.abc import Callable
from itertools import pairwise

from agents.shell.escapes import ESCAPE, beginning
from agents.shell.known import NOTHING, Known
from agents.shell.live import LONGEST_LINE, OVERLAP, KeyFilter
from agents.shell.secrets import HIDDEN, KEY_BEGINS, redact_around

PATIENCE = 0.1
"""Seconds before an unfinished line is shown."""
HARMLESS = re.compile(r".{0,3}|[A-Z]?[a-z]*[.,:;!?…]*", re.DOTALL)
"""Words that are no part of a secret as they stand; unlike a sentence, a secret has no use for a plain word."""
WORD = re.compile(r"[^\s\x00-\x1f]+")
RUN = re.compile(r"[A-Za-z0-9_\-+/=.~*\\]+")


class LiveTerminal:
    """Like `LiveText`, for a terminal; it must be made and fed on a running event loop."""

    def __init__(self, show: Callable[[str], None], known: Known = NOTHING) -> None:
        self._show, self._known = show, known
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._keys = KeyFilter()
        self._line = ""
        self._shown = 0
        """Characters of the line, escapes included, that have been shown."""
        self._timer: asyncio.TimerHandle | None = None

    def feed(self, data: bytes) -> None:
        """Take the next bytes, in order."""
        ready, newline, rest = (self._line + self._decoder.decode(data)).rpartition("\n")
        if newline:
            self._give_lines(ready + newline)
        self._line = rest
        if len(rest) - self._shown > LONGEST_LINE:
            self.flush()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(PATIENCE, self.flush)

    def flush(self) -> None:
        """Show as much of the line as may be shown by now, and forget what is long past."""
        self._timer = None
        end = max(self._limit(), len(self._line) - LONGEST_LINE)
        if end <= self._shown:
            return
        self._give(self._line, self._shown, end)
        past = max(0, end - OVERLAP)
        self._line, self._shown = self._line[past:], end - past

    def close(self) -> None:
        """Show all that still waits."""
        if self._timer:
            self._timer.cancel()
        last = self._line + self._decoder.decode(b"", final=True)
        self._line = ""
        self._give_lines(last)

    def _give_lines(self, text: str) -> None:
        first, newline, others = text.partition("\n")
        self._give_line(first + newline)
        self._shown = 0
        kept = "".join(_without_keys(self._keys, line) for line in others.splitlines(keepends=True))
        self._give(kept, 0, len(kept))

    def _give_line(self, line: str) -> None:
        """The rest of a line whose beginning may have been shown."""
        kept = _without_keys(self._keys, line)
        if kept is line or not self._shown:
            self._give(kept, self._shown, len(kept))
        elif kept:
            self._show(f"{HIDDEN}\n")

    def _limit(self) -> int:
        """How much of the line is sure not to hold a part of a secret."""
        if self._keys.within:
            return 0
        line = self._line[: beginning(self._line)]
        bare = ESCAPE.sub("", line)
        key = KEY_BEGINS.search(bare)
        held = len(bare) - key.start() if key else max(_suspect(bare), self._known.begun(bare))
        return _place(line, len(bare) - held)

    def _give(self, text: str, start: int, end: int) -> None:
        """Show a part of the text, which is looked at as a whole."""
        if clean := _redacted(text, start, end, self._known):
            self._show(clean)


def _suspect(bare: str) -> int:
    """How many characters at the end may be the beginning of a secret."""
    backwards = bare[: -OVERLAP - 1 : -1]  # the end of a long text is found fastest from there
    word = WORD.match(backwards)
    run = RUN.match(backwards)
    if word and "//:" in word[0]:
        return len(word[0])
    return len(run[0]) if run and not HARMLESS.fullmatch(run[0][::-1]) else 0


def _place(text: str, bare: int) -> int:
    """Where in the text so many characters besides escapes have passed; escapes that stand there have passed too."""
    for escape in ESCAPE.finditer(text):
        if escape.start() > bare:
            break
        bare += len(escape[0])
    return bare


def _redacted(text: str, start: int, end: int, known: Known) -> str:
    """That part of the text without secrets, its escapes where they stood, or behind the secret in which they stood."""
    before, part, after = ESCAPE.sub("", text[:start]), text[start:end], ESCAPE.sub("", text[end:])
    marks, escapes, gone = [len(before)], [], 0
    for escape in ESCAPE.finditer(part):
        marks.append(len(before) + escape.start() - gone)
        escapes.append(escape[0])
        gone += len(escape[0])
    bare = before + ESCAPE.sub("", part)
    clean, places, _ = redact_around(bare + after, [*marks, len(bare)], known)
    between = [clean[here:there] for here, there in pairwise(places)]
    return "".join(piece + escape for piece, escape in zip(between, [*escapes, ""], strict=True))


def without_secrets(text: str, known: Known = NOTHING) -> str:
    """The whole of what a terminal was given, without secrets."""
    keys = KeyFilter()
    kept = "".join(_without_keys(keys, line) for line in text.splitlines(keepends=True))
    return _redacted(kept, 0, len(kept), known)


def _without_keys(keys: KeyFilter, line: str) -> str:
    """What is left of a line; one that is cut loses its escapes."""
    if not keys.within and "-----" not in line:
        return line
    bare = ESCAPE.sub("", line).replace("\r\n", "\n")
    kept = keys.line(bare)
    return line if kept == bare else kept
