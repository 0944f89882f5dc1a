"""Finding the processes a test has started, wherever they went."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Callable
from pathlib import Path


class Trace:
    """A number no other process carries; put it on a command line (`sleep 3{trace}` is a very long sleep)."""

    def __init__(self) -> None:
        self.word = str(uuid.uuid4().int)[:12]

    def __str__(self) -> str:
        return self.word

    def alive(self) -> list[str]:
        """The command lines of the processes that carry it; a zombie has none."""
        return [line for line in map(_command_line, Path("/proc").glob("[0-9]*/cmdline")) if self.word in line]

    async def is_gone(self) -> bool:
        return await soon(lambda: not self.alive())

    async def is_there(self) -> bool:
        """Whether anything of it has started, be it only the sandbox around it."""
        return await soon(lambda: bool(self.alive()))

    async def sleeps(self, count: int) -> bool:
        """Whether the sleeps themselves have started."""
        return await soon(lambda: sum(line.startswith("sleep\0") for line in self.alive()) >= count)


async def soon(condition: Callable[[], bool], seconds: float = 5.0) -> bool:
    """Whether the condition comes true within some seconds."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        await asyncio.sleep(0.01)
    return False


def _command_line(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""
