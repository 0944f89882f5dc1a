"""Noticing a fork bomb: root is exempt from the limit of processes, and a control group for every command would cost 12 ms each."""

from __future__ import annotations

import asyncio
from pathlib import Path

from agents.sandboxes.tree import descendants

INTERVAL = 0.1


async def ends_uncrowded(exited: asyncio.Future[None], pid: int, most: int) -> bool:
    """Wait for the end of the process `pid`; False as soon as more than `most` processes descend from it."""
    before = running_tasks()
    while not (await asyncio.wait([exited], timeout=INTERVAL))[0]:
        if running_tasks() - before > most and len(await asyncio.to_thread(descendants, pid)) > most:
            return False
    return True


def running_tasks() -> int:
    """How many processes and threads there are on the machine; 0 where that cannot be told."""
    try:
        return int(Path("/proc/loadavg").read_text().split()[3].split("/")[1])
    except OSError:
        return 0
