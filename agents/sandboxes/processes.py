"""Running one command with everything it starts: bounded output, bounded time, and nothing left behind."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import IO

from agents.errors import SandboxError
from agents.sandboxes.capture import Capture, Pipe
from agents.sandboxes.crowd import ends_uncrowded
from agents.sandboxes.sandbox import Exit, Limits
from agents.sandboxes.terminals import Terminal
from agents.sandboxes.tree import descendants

TOLD = "{told}"
PATIENCE = 5.0
"""Seconds a supervisor has to end its tree before it is killed itself."""


@dataclass(frozen=True)
class Command:
    """What is really started. `stop` is the signal that makes the started process end its whole tree.

    `told` is for the started process alone, unlike its arguments, which everybody on the machine can read: it is found at the
    descriptor whose number stands for the word TOLD in `argv`.
    """

    argv: Sequence[str]
    env: Mapping[str, str]
    cwd: str = "/"
    stdin: bytes = b""
    merge: bool = True
    stop: signal.Signals = signal.SIGKILL
    pass_fds: tuple[int, ...] = field(default=())
    terminal: tuple[int, int] | None = None
    told: bytes = b""


async def run_tree(command: Command, limits: Limits, on_output: Callable[[bytes], None] | None = None) -> Exit:
    """Run it to its end, its time limit or our cancellation; then nothing of it is left. Raises SandboxError if it cannot start."""
    began = time.monotonic()
    with _capture(command, limits, on_output) as capture:
        process = _start(command, capture)
        exited = exit_of(process)
        timed_out = crowded = False
        try:
            async with asyncio.timeout(limits.seconds):
                crowded = not await ends_uncrowded(exited, process.pid, limits.processes)
        except TimeoutError:
            timed_out = True
        finally:
            await end_tree(process, exited, command.stop)
        capture.drain()
        if crowded:
            capture.note(f"\n[Ended: it had more than {limits.processes} processes at once.]\n".encode())
        return _outcome(process.returncode, timed_out, capture, time.monotonic() - began)


def _capture(command: Command, limits: Limits, on_output: Callable[[bytes], None] | None) -> Capture:
    size = command.terminal
    open_pipe = partial(Terminal, size=size) if size else Pipe
    return Capture(limits, on_output, open_pipe, split=not command.merge and size is None)


@contextmanager
def told(command: Command) -> Iterator[Command]:
    """The command with a descriptor open at which it finds what it is told."""
    with _unnamed() as file:
        file.write(command.told)
        file.seek(0)
        argv = list(command.argv)
        if TOLD in argv:
            argv[argv.index(TOLD)] = str(file.fileno())  # only the first: what the command itself is given comes behind
        yield replace(command, argv=argv, pass_fds=(*command.pass_fds, file.fileno()))


def _unnamed() -> IO[bytes]:
    """A file that lies in memory alone where the system has such."""
    return os.fdopen(os.memfd_create("told"), "w+b") if sys.platform == "linux" else tempfile.TemporaryFile()


def _start(command: Command, capture: Capture) -> subprocess.Popen[bytes]:
    with tempfile.TemporaryFile() as given, told(command) as ready:
        given.write(command.stdin)
        given.seek(0)
        try:
            return subprocess.Popen(
                ready.argv,
                cwd=ready.cwd,
                env=dict(ready.env),
                stdin=capture.output.entry if command.terminal else given if command.stdin else subprocess.DEVNULL,
                stdout=capture.output.entry,
                stderr=capture.errors.entry,
                start_new_session=True,
                pass_fds=ready.pass_fds,
            )
        except (OSError, ValueError, subprocess.SubprocessError) as wrong:
            raise SandboxError(f"The command could not be started: {wrong}") from wrong
        finally:
            capture.started()


def exit_of(process: subprocess.Popen[bytes]) -> asyncio.Future[None]:
    """Done when the process has ended; it is not reaped yet where the system has pidfds."""
    loop = asyncio.get_running_loop()
    try:
        handle = os.pidfd_open(process.pid)
    except (AttributeError, OSError):
        return asyncio.ensure_future(_waited(process))
    ended: asyncio.Future[None] = loop.create_future()

    def tell() -> None:
        loop.remove_reader(handle)
        os.close(handle)
        if not ended.done():
            ended.set_result(None)

    loop.add_reader(handle, tell)
    return ended


async def _waited(process: subprocess.Popen[bytes]) -> None:
    await asyncio.to_thread(process.wait)


async def end_tree(process: subprocess.Popen[bytes], exited: asyncio.Future[None], stop: signal.Signals) -> None:
    """Stop the tree and reap its root, whatever state it is in."""
    try:
        if not exited.done():
            _stop(process, stop)
            await asyncio.wait([exited], timeout=PATIENCE)
    finally:
        _kill_group(process)
        process.wait()


def _stop(process: subprocess.Popen[bytes], stop: signal.Signals) -> None:
    if stop != signal.SIGKILL:
        process.send_signal(stop)
        return
    family = descendants(process.pid)
    _kill_group(process)
    for pid in family:  # a child of bubblewrap that is just starting may not have tied its life to its parent's yet
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _outcome(returned: int | None, timed_out: bool, capture: Capture, seconds: float) -> Exit:
    code = None if timed_out or returned is None or returned < 0 else returned
    ended_by = -returned if returned is not None and returned < 0 and not timed_out else None
    return Exit(code, capture.written, capture.errors.data if capture.split else b"", capture.dropped, timed_out, ended_by, seconds)
