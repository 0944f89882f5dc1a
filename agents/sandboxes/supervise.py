"""A script of its own, run as `python -I -S supervise.py KEEPER argv…`: starts argv and ends everything that argv started.

It adopts what a command leaves behind, even across setsid and double forks, and kills it when the command ends, when
it is told to (SIGTERM) or when the process KEEPER dies. It ends the way the command ended.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from contextlib import suppress

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36


def main(keeper: int, argv: list[str]) -> None:
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    signal.signal(signal.SIGTERM, lambda *_: end(kill_all()))
    prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != keeper:
        return
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    child = os.fork()
    if child == 0:
        become(argv)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    status = wait_for(child)
    kill_all()
    end(status)


def become(argv: list[str]) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    try:
        os.execv(argv[0], argv)  # noqa: S606 - no shell is wanted
    finally:
        os._exit(127)


def wait_for(child: int) -> int:
    while True:
        pid, status = os.wait()
        if pid == child:
            return status


def kill_all() -> int:
    """Kill whatever is ours until nothing is left; orphans of what we kill become ours and are next."""
    while True:
        for pid in children():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        try:
            os.wait()
        except ChildProcessError:
            return int(signal.SIGKILL)


def children() -> list[int]:
    with os.scandir("/proc") as listing:
        return [int(entry.name) for entry in listing if entry.name.isdigit() and parent_of(entry.name) == os.getpid()]


def parent_of(pid: str) -> int:
    try:
        handle = os.open(f"/proc/{pid}/stat", os.O_RDONLY)
    except FileNotFoundError:
        return 0
    try:
        return int(os.read(handle, 4096).rpartition(b")")[2].split()[1])
    except ProcessLookupError:
        return 0
    finally:
        os.close(handle)


def end(status: int) -> None:
    if os.WIFSIGNALED(status):
        signum = os.WTERMSIG(status)
        if signum != signal.SIGKILL:
            signal.signal(signum, signal.SIG_DFL)
        os.kill(os.getpid(), signum)
    os._exit(os.waitstatus_to_exitcode(status) & 255)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
