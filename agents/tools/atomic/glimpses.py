"""What people see while a long scan goes on: what it found so far, some lines at a time."""

from __future__ import annotations

import time
from collections.abc import Callable

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
            self._show("".join(f"{each}\n" for each in self._lines))
            self._lines.clear()
            self._last = time.monotonic()
