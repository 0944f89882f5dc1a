"""A terminal for one command: a pair of ends made for it alone, at which nobody sits.

The command gets the far end as its controlling terminal, so that it cannot reach any other; what it asks for is answered
with the end of the input, again and again, so that nothing waits there for ever.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import select
import struct
import sys
import termios
from collections.abc import Callable, Sequence
from contextlib import suppress

from agents.sandboxes.capture import Pipe

VARIABLES = {"TERM": "xterm-256color", "PAGER": "cat", "GIT_PAGER": "cat"}
"""What programs are told there, unless the command says otherwise. Nobody turns pages: a pager would wait for ever."""
TYPING_EVERY = 0.1
END_OF_INPUT = b"\x04"
TAKE = (
    "import os, sys, fcntl, termios\n"
    "try: os.setsid()\n"
    "except OSError: pass\n"
    "fcntl.ioctl(0, termios.TIOCSCTTY, 0)\n"
    "os.execv(sys.argv[1], sys.argv[1:])"
)
"""Run inside the sandbox: a session of its own, led by the command, with the terminal on its input as the controlling one."""


def at_terminal(argv: Sequence[str]) -> list[str]:
    """The argv that takes the terminal on its standard input and becomes `argv`, whose first word is a path."""
    return [os.path.realpath(sys.executable), "-I", "-S", "-c", TAKE, *argv]


class Terminal(Pipe):
    """The near end, read like a pipe. The far end stays open until the end: a command that closes its own may open it again."""

    def __init__(self, take: Callable[[bytes], bytes], size: tuple[int, int]) -> None:
        near, far = os.openpty()
        fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        super().__init__(take, (near, far))
        self._typing: asyncio.TimerHandle | None = None

    def started(self) -> None:
        self._typing = asyncio.get_running_loop().call_later(TYPING_EVERY, self._type)

    def close(self) -> None:
        if self._typing:
            self._typing.cancel()
        super().close()

    def _type(self) -> None:
        """Say that nothing comes, once what was said before has been read."""
        unread = select.poll()
        unread.register(self.entry, select.POLLIN)
        if not unread.poll(0):
            with suppress(BlockingIOError):
                os.write(self.exit, END_OF_INPUT)
        self.started()
