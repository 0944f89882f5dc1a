"""The port behind which tools run commands and touch files, and the values that cross it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Literal, Protocol

Level = Literal["bubblewrap", "landlock", "local"]
"""How strongly commands are confined, strongest first. `local` confines nothing but time and output."""


@dataclass(frozen=True)
class Limits:
    """What one command may use. Bytes and seconds; `output` is what is kept, the rest is counted and dropped.

    It is the beginning that is kept, or with `newest` the end. What `on_output` is given is always the beginning.
    """

    seconds: float = 300.0
    cpu_seconds: int = 600
    memory: int = 4 * 2**30
    output: int = 2 * 2**20
    file_size: int = 2 * 2**30
    processes: int = 512
    newest: bool = False


LASTING = Limits(seconds=float("inf"), cpu_seconds=7 * 24 * 3600)
"""For programs that go on: their time is bounded by whoever opened them."""


@dataclass(frozen=True)
class Exit:
    """How a command ended. `code` is None when a signal or the time limit ended it.

    `output` holds stdout and stderr as they came, merged, unless the command was run with `merge=False`: then `errors`
    holds stderr. `dropped` counts the bytes beyond `Limits.output`.
    """

    code: int | None
    output: bytes
    errors: bytes = b""
    dropped: int = 0
    timed_out: bool = False
    signal: int | None = None
    seconds: float = 0.0


@dataclass(frozen=True)
class FileStat:
    """What a path is. `size` in bytes, `modified` in seconds since the epoch, `mode` the permission bits."""

    path: str
    kind: Literal["file", "folder", "other"]
    size: int
    modified: float
    mode: int


class Files(Protocol):
    """The workspace's files, confined to it.

    A path is relative to the workspace, or absolute below `Sandbox.mount` or below the real root; symbolic links are followed
    only while they stay inside. Contract: every method raises `PathRefused` for a path that leaves the workspace and
    the usual OSError (FileNotFoundError, IsADirectoryError, …) otherwise; nothing is checked first and opened later.
    Blocking; call from a thread when the file may be large.
    """

    def relative(self, path: str) -> str:
        """The path inside the workspace ("." for its root), links resolved. Need not exist."""

    def stat(self, path: str) -> FileStat:
        """Raises FileNotFoundError where there is nothing."""

    def read(self, path: str, limit: int | None = None) -> bytes:
        """The first `limit` bytes, or all; OSError where all are more than 256 MiB."""

    def write(self, path: str, data: bytes, mode: int | None = None) -> bool:
        """Replace the file as a whole (written beside, then renamed), making parents; True when it is new."""

    def change(self, path: str, edit: Callable[[bytes], bytes]) -> tuple[bytes, bytes]:
        """Read, edit and replace an existing file under its lock, so that no two edits lose each other; (before, after)."""

    def delete(self, path: str) -> None:
        """Remove a file."""

    def entries(self, path: str) -> list[FileStat]:
        """What a folder holds, by name. Links that leave the workspace are listed as "other"."""

    def locked(self, *paths: str) -> AbstractContextManager[None]:
        """Hold the locks of several files at once (taken in a fixed order), across processes."""


class Program(Protocol):
    """A command that goes on running, talked with over its standard input and output.

    Contract: it ends, with everything it started, when `end` is called, when whoever opened it dies, and by itself; after that
    `send` raises SandboxError and `receive` gives b"". Whoever opened it ends it.
    """

    async def send(self, data: bytes) -> None: ...

    async def receive(self) -> bytes:
        """Some bytes of its output, as soon as there are any."""

    @property
    def complaints(self) -> str:
        """The last few KB it wrote to standard error."""

    async def end(self) -> None: ...


class Sandbox(Protocol):
    """A place where commands run.

    Contract: `run` never raises for what the command does; it raises SandboxError when it cannot start one. Being
    cancelled kills the whole process tree before the cancellation goes on. `on_output` is called with bytes as they
    come, at most `Limits.output` in all, from the event loop.
    """

    level: Level
    network: bool
    writable: bool
    """Whether the workspace may be changed. `files` refuses where it may not, and commands are held back at every level but `local`:

    whoever wants no changes there must run no commands.
    """
    root: str
    """The workspace's real path on this machine."""
    mount: str
    """The path at which commands see it: /workspace, or `root` where it cannot be moved."""
    files: Files

    async def run(
        self,
        argv: Sequence[str],
        *,
        cwd: str = ".",
        env: Mapping[str, str] | None = None,
        stdin: bytes = b"",
        limits: Limits = Limits(),
        merge: bool = True,
        on_output: Callable[[bytes], None] | None = None,
        tools: Sequence[str] = (),
        terminal: tuple[int, int] | None = None,
    ) -> Exit:
        """Run one command to its end. `env` is added to a small clean environment; nothing of ours is inherited.

        `tools` are real folders it must be able to read, besides what every command can. With `terminal` (columns, rows) it runs at a
        terminal of its own, at which nobody types: whoever reads there finds the end of the input. `output` then holds what was written to
        that terminal, escapes included; there is no `stdin`, and `merge` is of no account.
        """

    async def start(
        self,
        argv: Sequence[str],
        *,
        cwd: str = ".",
        env: Mapping[str, str] | None = None,
        limits: Limits = LASTING,
        tools: Sequence[str] = (),
    ) -> Program:
        """Start one that goes on running; of `limits`, time and output do not count. Raises SandboxError when it cannot be started.

        `tools` are real folders it must be able to read, besides what every command can. A program that cannot do its work, such as
        one that is not found, ends at once: `receive` gives b"" and `complaints` says why.
        """


@dataclass(frozen=True)
class SandboxWish:
    """What a project asks of its sandbox. `hidden` are real paths that must stay out of sight even at level `landlock`.

    With `writable` False commands see the workspace read-only (their own /tmp and home stay writable). `also` are real folders
    that commands may read and write besides it, at their own paths, even inside what is hidden: a worktree's git repository.
    (With `root` itself among them the workspace is seen at its real path too, which git asks for when it lists worktrees.)
    """

    root: str
    network: bool = False
    level: Level | None = None
    hidden: tuple[str, ...] = field(default=())
    writable: bool = True
    also: tuple[str, ...] = ()
