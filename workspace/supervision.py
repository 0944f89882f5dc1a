"""Keeps a few programs going as one: started in order, started again when they crash, ended together, never left behind.

It knows nothing of Countersign; what is run and in which order is said by `manage.py up`.
"""

from __future__ import annotations

import asyncio
import ctypes
import logging
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from logging.handlers import RotatingFileHandler
from pathlib import Path

GRACE = 6.0
"""Seconds a program has to end after SIGTERM."""
FIRST_PAUSE, LONGEST_PAUSE, CALM = 0.25, 10.0, 30.0
"""Seconds before a crashed program is started again; the pause doubles until the program has lived `CALM` seconds."""
LONGEST_LINE = 64 * 1024
LOG_BYTES, LOG_FILES = 5_000_000, 3
PR_SET_PDEATHSIG = 1

_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


@dataclass(frozen=True)
class Program:
    """What is run, and what its lines are marked with.

    `last`: others need it, so it is ended after them. `quiet`: its lines go to its log only.
    """

    name: str
    argv: tuple[str, ...]
    last: bool = False
    quiet: bool = False


class Supervisor:
    """Keeps programs going until `stop`. `say` gets each line for the terminal; `logs` is the folder for the same lines."""

    def __init__(self, logs: Path, say: Callable[[str], None], grace: float = GRACE) -> None:
        self._logs = logs
        self._say = say
        self._grace = grace
        self._stopping = asyncio.Event()
        self._kept: list[_Kept] = []

    def start(self, program: Program) -> None:
        kept = _Kept(program, _log(self._logs / f"{program.name}.log"))
        kept.task = asyncio.create_task(self._keep(kept))
        self._kept.append(kept)

    async def stop(self) -> None:
        """End all programs; returns when none is left."""
        self._stopping.set()
        await self._end([kept for kept in self._kept if not kept.program.last])
        await self._end([kept for kept in self._kept if kept.program.last])
        for kept in self._kept:
            kept.log.handlers[0].close()

    async def _keep(self, kept: _Kept) -> None:
        pause = FIRST_PAUSE
        while not self._stopping.is_set():
            began = asyncio.get_running_loop().time()
            code = await self._run(kept)
            if self._stopping.is_set():
                return
            lived = asyncio.get_running_loop().time() - began
            pause = FIRST_PAUSE if lived > CALM else min(pause * 2, LONGEST_PAUSE)
            self._tell(kept, f"{_ending(code)}; starting it again in {pause:g} s", aloud=True)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), pause)

    async def _run(self, kept: _Kept) -> int | None:
        try:
            kept.process = await asyncio.create_subprocess_exec(
                *kept.program.argv,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=_die_with_parent,
            )
        except OSError as wrong:
            self._tell(kept, f"cannot be started: {wrong}", aloud=True)
            return None
        reading = asyncio.create_task(self._read(kept, kept.process.stdout))
        code = await kept.process.wait()
        kept.signal(signal.SIGKILL)  # whatever it left behind in its group
        await asyncio.wait([reading], timeout=1.0)
        reading.cancel()
        return code

    async def _read(self, kept: _Kept, output: asyncio.StreamReader | None) -> None:
        """Pass on what a program says, line by line; a line without end is cut rather than collected."""
        rest = b""
        while output is not None and (chunk := await output.read(LONGEST_LINE)):
            *lines, rest = (rest + chunk).split(b"\n")
            if len(rest) > LONGEST_LINE:
                lines, rest = [*lines, rest], b""
            self._pass_on(kept, lines)
        self._pass_on(kept, [rest])

    def _pass_on(self, kept: _Kept, lines: list[bytes]) -> None:
        for line in lines:
            if text := line.decode(errors="replace").rstrip():
                self._tell(kept, text)

    def _tell(self, kept: _Kept, line: str, *, aloud: bool = False) -> None:
        kept.log.info(line)
        if aloud or not kept.program.quiet:
            self._say(f"{kept.program.name:>9} | {line}")

    async def _end(self, kept: list[_Kept]) -> None:
        for number in (signal.SIGTERM, signal.SIGKILL):
            going = [one.task for one in kept if one.task is not None and not one.task.done()]
            if not going:
                return
            for one in kept:
                one.signal(number)
            await asyncio.wait(going, timeout=self._grace)


@dataclass
class _Kept:
    """One program under supervision: its latest process and the task that watches it."""

    program: Program
    log: logging.Logger
    task: asyncio.Task[None] | None = None
    process: asyncio.subprocess.Process | None = None

    def signal(self, number: signal.Signals) -> None:
        """To the program and all its own children."""
        if self.process is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, number)


def _log(path: Path) -> logging.Logger:
    log = logging.Logger(path.stem)
    log.addHandler(RotatingFileHandler(path, maxBytes=LOG_BYTES, backupCount=LOG_FILES, encoding="utf-8"))
    log.handlers[0].setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    return log


def _ending(code: int | None) -> str:
    if code is None:
        return "did not start"
    return f"ended with exit code {code}" if code >= 0 else f"was ended by {signal.Signals(-code).name}"


def _die_with_parent() -> None:
    """Ask Linux to end this child when its supervisor is gone, even by SIGKILL; elsewhere nothing like it exists."""
    if _libc is not None:
        _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
