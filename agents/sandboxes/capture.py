"""The reading side of a command's output: keeps so much, counts the rest, never waits."""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import Callable
from types import TracebackType

from agents.sandboxes.sandbox import Limits

CHUNK = 2**16
JOINED = 4096
"""Bytes up to which pieces that came one by one are kept as one."""
LAST_READS = 64
"""Reads of what is left in a pipe after the end; a pipe holds less, so more means that someone escaped and still writes."""


class Capture:
    """What one command writes, read by the running event loop. `Limits.output` bytes are kept of all together, the newest of each pipe.

    `open_pipe` makes what it writes to; with `split` it gets one for its output and one for its errors.
    """

    def __init__(self, limits: Limits, on_output: Callable[[bytes], None] | None, open_pipe: OpenPipe, *, split: bool) -> None:
        self._room, self._on_output = limits.output, on_output
        self._newest = limits.output if limits.newest else 0
        self.dropped = 0
        self.split = split
        self.output = open_pipe(self._take)
        self.errors = open_pipe(self._take) if split else self.output

    def __enter__(self) -> Capture:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for pipe in self._pipes():
            pipe.close()

    def started(self) -> None:
        """The command holds its ends now (or never will); close ours."""
        for pipe in self._pipes():
            pipe.started()

    def drain(self) -> None:
        """Take what was written but not read yet."""
        for pipe in self._pipes():
            pipe.drain()

    def note(self, words: bytes) -> None:
        """Put words of our own after what the command wrote."""
        self.errors.add(words)

    @property
    def written(self) -> bytes:
        """What is kept of its output."""
        return self.output.data[-self._newest :] if self._newest else self.output.data

    def _pipes(self) -> set[Pipe]:
        return {self.output, self.errors}

    def _take(self, chunk: bytes) -> bytes:
        shown = chunk[: self._room]
        self._room -= len(shown)
        self.dropped += len(chunk) - len(shown)
        if shown and self._on_output:
            self._on_output(shown)
        if self._newest:
            for pipe in self._pipes():
                pipe.trim(self._newest)
        return chunk if self._newest else shown


class Pipe:
    """Two connected ends: a command writes at `entry`, we read at `exit`."""

    def __init__(self, take: Callable[[bytes], bytes], ends: tuple[int, int] | None = None) -> None:
        self._take = take
        self._chunks: deque[bytes] = deque()
        self._size = 0
        self._loop = asyncio.get_running_loop()
        self.exit, self.entry = ends or os.pipe()
        self._open = {self.exit, self.entry}
        os.set_blocking(self.exit, False)
        self._loop.add_reader(self.exit, self._read)

    @property
    def data(self) -> bytes:
        return b"".join(self._chunks)

    def add(self, words: bytes) -> None:
        self._size += len(words)
        if self._chunks and len(self._chunks[-1]) + len(words) <= JOINED:
            words = self._chunks.pop() + words  # millions of tiny pieces would take far more room than what they say
        self._chunks.append(words)

    def trim(self, most: int) -> None:
        """Let go of the oldest, as long as so many bytes are left."""
        while self._chunks and self._size - len(self._chunks[0]) >= most:
            self._size -= len(self._chunks.popleft())

    def started(self) -> None:
        self._close(self.entry)

    def drain(self) -> None:
        for _ in range(LAST_READS):
            if not self._read():
                return

    def close(self) -> None:
        self._loop.remove_reader(self.exit)
        self._close(self.exit)
        self._close(self.entry)

    def _read(self) -> bool:
        try:
            chunk = os.read(self.exit, CHUNK)
        except BlockingIOError:
            return False
        if chunk:
            self.add(self._take(chunk))
        else:
            self._loop.remove_reader(self.exit)
        return bool(chunk)

    def _close(self, end: int) -> None:
        if end in self._open:
            self._open.remove(end)
            os.close(end)


OpenPipe = Callable[[Callable[[bytes], bytes]], Pipe]
