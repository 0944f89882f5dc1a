"""Who descends from whom among the machine's processes, as /proc tells it. Imports little: every supervisor starts with it."""

from __future__ import annotations

import os


def descendants(pid: int) -> list[int]:
    """The processes that descend from `pid`, parents first; none where there is no /proc."""
    if not os.path.isdir("/proc/self"):  # noqa: PTH112 - pathlib takes long to import
        return []
    children: dict[int, list[int]] = {}
    with os.scandir("/proc") as listing:
        for entry in listing:
            if entry.name.isdigit():
                children.setdefault(_parent(entry.name), []).append(int(entry.name))
    found = children.get(pid, [])
    for one in found:
        found += children.get(one, [])
    return found


def _parent(pid: str) -> int:
    try:
        handle = os.open(f"/proc/{pid}/stat", os.O_RDONLY)
    except OSError:
        return 0  # it has ended
    try:
        return int(os.read(handle, 4096).rpartition(b")")[2].split()[1])
    except ProcessLookupError:
        return 0
    finally:
        os.close(handle)
