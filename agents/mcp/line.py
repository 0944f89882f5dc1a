"""The line to a server that runs as a program: one JSON message a line over its standard input and output."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from time import monotonic

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage

from agents.errors import SandboxError
from agents.sandboxes.sandbox import Program

MESSAGE_LIMIT = 8 * 2**20
"""Bytes of one message; a server that sends a longer one is let go."""
AT_ONCE, A_SECOND = 2_000, 200
"""Messages a server may send at once, and each second for long; a flood would keep the worker from everybody else."""
Heard = MemoryObjectSendStream[SessionMessage | Exception]
Lines = tuple[MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]]


class TooMuch(Exception):
    """What it sent, in words."""


@asynccontextmanager
async def program_line(program: Program, lost: Callable[[str], None]) -> AsyncIterator[Lines]:
    """The streams that a client session reads and writes. `lost` is told why when the line breaks; the program is ended with it."""
    heard, read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write, said = anyio.create_memory_object_stream[SessionMessage](0)
    try:
        async with heard, read, write, said, anyio.create_task_group() as tasks:
            tasks.start_soon(_listen, program, heard, lost)
            tasks.start_soon(_speak, program, said, lost)
            yield read, write
            tasks.cancel_scope.cancel()
    finally:
        with anyio.CancelScope(shield=True):
            await program.end()


async def _listen(program: Program, heard: Heard, lost: Callable[[str], None]) -> None:
    lines = Splitter()
    async with heard:
        try:
            while data := await program.receive():
                for line in lines.fed(data):
                    await _pass_on(line, heard)
            lost("has ended")
        except TooMuch as much:
            lost(f"sent {much} and was let go")
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            return


async def _pass_on(line: bytes, heard: Heard) -> None:
    """What is no message is no news either: programs print all kinds of things."""
    try:
        message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValueError:
        return
    await heard.send(SessionMessage(message))


async def _speak(program: Program, said: MemoryObjectReceiveStream[SessionMessage], lost: Callable[[str], None]) -> None:
    async with said:
        async for message in said:
            text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
            try:
                await program.send(text.encode() + b"\n")
            except (SandboxError, OSError):
                lost("has ended")
                return


@dataclass
class Splitter:
    """Takes bytes as they come and gives whole lines."""

    rest: list[bytes] = field(default_factory=list)
    size: int = 0
    left: float = AT_ONCE
    counted: float = field(default_factory=monotonic)

    def fed(self, data: bytes) -> Iterator[bytes]:
        """Raises TooMuch."""
        *lines, last = data.split(b"\n")
        for line in lines:
            self._count()
            yield b"".join((*self._taken(), line))
        self.rest.append(last)
        self.size += len(last)
        if self.size > MESSAGE_LIMIT:
            raise TooMuch(f"a message of more than {MESSAGE_LIMIT // 2**20} MB")

    def _count(self) -> None:
        now = monotonic()
        self.left, self.counted = min(AT_ONCE, self.left + (now - self.counted) * A_SECOND) - 1, now
        if self.left < 0:
            raise TooMuch("a flood of messages")

    def _taken(self) -> list[bytes]:
        taken, self.rest, self.size = self.rest, [], 0
        return taken
