"""What people see while a long scan goes on: what it found so far, some lines at a time, without secrets."""

from __future__ import annotations

import time
from collections.abc import Callable

from agents.pieces import well_formed
from agents.shell.secrets import redact

MOST_LINES = 200
EVERY = 0.2
"""Seconds between two looks."""


class Glimpses:
    """Gathers lines and shows them now and then; to be used from one thread at a time."""

    def __init__(self, show: Callable[[str], None]) -> None:
        self._show, self._lines = show, list[str]()
        self._room = MOST_LINES
        self._last = time.monotonic()

    def add(self, line: str) -> None:
        if self._room:
            self._room -= 1
            self._lines.append(line)

    def look(self) -> None:
        """Show what was gathered, if that is due."""
        if self._lines and time.monotonic() - self._last > EVERY:
            self._show(redact(well_formed("".join(f"{each}\n" for each in self._lines)))[0])
            self._lines.clear()
            self._last = time.monotonic()
