"""Somebody who has the session open: notes how long after a fact's own time its frame arrives."""

from __future__ import annotations

import json
import threading
from datetime import UTC, datetime
from typing import Self

from websockets.exceptions import ConnectionClosed

from tests.processes.person import Person
from tests.processes.world import until


class Watcher:
    """Reads a session's socket in a thread. A fact's time is taken just before its commit, so the delays include the commit."""

    def __init__(self, person: Person, session: str) -> None:
        self.delays: list[float] = []
        self.head = 0
        self.live = threading.Event()
        self._open = person.socket(session)

    def __enter__(self) -> Self:
        self._socket = self._open.__enter__()
        threading.Thread(target=self._read, daemon=True).start()
        self.live.wait(10)
        return self

    def __exit__(self, *wrong: object) -> None:
        self._open.__exit__(None, None, None)

    def wait_for(self, head: int) -> None:
        until(lambda: self.head >= head, f"the frame of entry {head}")

    def _read(self) -> None:
        try:
            for raw in self._socket:
                self._take(json.loads(raw), datetime.now(UTC))
        except ConnectionClosed:
            return

    def _take(self, frame: dict[str, object], now: datetime) -> None:
        if frame["type"] == "live":
            self.live.set()
        entries = frame.get("entries")
        if frame["type"] != "entries" or not isinstance(entries, list):
            return
        for entry in entries:
            if self.live.is_set():
                self.delays.append((now - datetime.fromisoformat(entry["at"])).total_seconds())
            self.head = int(entry["seq"])
