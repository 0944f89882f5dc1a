"""Keeping one program going, with everything it starts: bytes in and out, bounded complaints, and nothing left behind."""

from __future__ import annotations

import asyncio
import signal
import subprocess

from agents.errors import SandboxError
from agents.sandboxes.crowd import ends_uncrowded
from agents.sandboxes.processes import Command, end_tree, exit_of, told
from agents.sandboxes.sandbox import Limits

CHUNK = 2**16
LAST_WORDS = 2**13
"""Bytes kept of what a program writes to its standard error; older ones make room."""


class RunningProgram:
    """A `Program`. It lives as long as the event loop's thread that opened it; when that loop cancels its tasks, it is ended."""

    def __init__(self, process: subprocess.Popen[bytes], limits: Limits, stop: signal.Signals) -> None:
        self._process, self._limits, self._stop = process, limits, stop
        self._words = _LastWords()
        self._output = asyncio.StreamReader()
        self._entry: asyncio.WriteTransport | None = None
        self._exits: list[asyncio.ReadTransport] = []
        self._exited = exit_of(process)
        self._ending = False
        self._keeping = asyncio.create_task(self._keep())

    @classmethod
    async def opened(cls, command: Command, limits: Limits) -> RunningProgram:
        """Start it. Raises SandboxError if it cannot start."""
        program = cls(_start(command), limits, command.stop)
        try:
            await program._connect()
        except BaseException:
            await program.end()
            raise
        return program

    async def send(self, data: bytes) -> None:
        """All of it is on its way or none: being cancelled here does not tear what is sent apart."""
        if self._exited.done() or self._input.is_closing():
            raise SandboxError(self._farewell())
        self._input.write(data)
        try:
            await self._input.drain()
        except OSError as wrong:
            raise SandboxError(self._farewell()) from wrong

    async def receive(self) -> bytes:
        return await self._output.read(CHUNK)

    @property
    def complaints(self) -> str:
        return self._words.text

    async def end(self) -> None:
        if not self._ending:
            self._keeping.cancel()
        if not self._keeping.done():
            await asyncio.wait([self._keeping])
        if self._process.returncode is None:  # the keeping was cancelled before it had begun
            await end_tree(self._process, self._exited, self._stop)
        self._hang_up()

    async def _connect(self) -> None:
        loop = asyncio.get_running_loop()
        flow = asyncio.StreamReaderProtocol(asyncio.StreamReader())
        self._entry, _ = await loop.connect_write_pipe(lambda: flow, self._process.stdin)
        self._input = asyncio.StreamWriter(self._entry, flow, None, loop)
        reading = asyncio.StreamReaderProtocol(self._output)
        self._exits.append((await loop.connect_read_pipe(lambda: reading, self._process.stdout))[0])
        self._exits.append((await loop.connect_read_pipe(lambda: self._words, self._process.stderr))[0])

    async def _keep(self) -> None:
        try:
            if not await ends_uncrowded(self._exited, self._process.pid, self._limits.processes):
                self._words.data_received(f"\n[Ended: it had more than {self._limits.processes} processes at once.]\n".encode())
            await end_tree(self._process, self._exited, self._stop)
        except asyncio.CancelledError:
            self._ending = True  # to be cancelled again would tear the ending apart
            await end_tree(self._process, self._exited, self._stop)
            self._hang_up()
            raise

    def _hang_up(self) -> None:
        """Nobody reads any more. (Of a program that ended by itself, somebody may still want what is in its pipe.)"""
        if self._entry and not self._entry.is_closing():
            self._entry.abort()
        for transport in self._exits:
            transport.close()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe:
                pipe.close()

    def _farewell(self) -> str:
        words = self.complaints.strip()[-500:]
        return "The program has ended and takes no more input." + (f" It said: {words}" if words else "")


def _start(command: Command) -> subprocess.Popen[bytes]:
    try:
        with told(command) as ready:
            return subprocess.Popen(
                ready.argv,
                bufsize=0,
                cwd=ready.cwd,
                env=dict(ready.env),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                pass_fds=ready.pass_fds,
            )
    except (OSError, ValueError, subprocess.SubprocessError) as wrong:
        raise SandboxError(f"The program could not be started: {wrong}") from wrong


class _LastWords(asyncio.Protocol):
    """Takes whatever comes and remembers its end."""

    def __init__(self) -> None:
        self._kept = b""

    @property
    def text(self) -> str:
        return self._kept.decode(errors="replace")

    def data_received(self, data: bytes) -> None:
        self._kept = (self._kept + data)[-LAST_WORDS:]
