"""What tools keep from call to call beside the log: file texts they have shown, whole outputs, commands that go on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

JobState = Literal["running", "completed", "failed", "lost"]


@dataclass(frozen=True)
class Snapshot:
    """The whole text of a file as this session saw it: no byte order mark, line ends "\n". `tag` is four hex digits of its hash."""

    path: str
    tag: str
    text: str


class Snapshots(Protocol):
    """What one session has seen of its workspace's files; an edit is held against it.

    Contract: blocking, for threads; safe to call from several. Paths are relative to the workspace with links resolved, as
    `Files.relative` gives them. At most 30 paths with 4 versions each and 64 Mi characters in all are kept, the ones that were
    not used for longest go first. What is kept survives the worker.
    """

    def versions(self, path: str) -> Sequence[Snapshot]:
        """Of this file, the newest first."""

    def record(self, path: str, text: str) -> Snapshot:
        """Keep the text as the newest version; one that is there already moves to the front."""

    def noted(self, key: str) -> Any:
        """The JSON value that a call of this session noted under the key, None where none did."""

    def note(self, key: str, value: Any) -> None:
        """Note a small JSON value; None takes it away."""


@dataclass(frozen=True)
class Artifact:
    """A file that this session's tools made beside the workspace. `size` in bytes."""

    number: int
    name: str
    media_type: str
    size: int

    @property
    def url(self) -> str:
        return f"artifact://{self.number}"


class Artifacts(Protocol):
    """The artifacts of a session and of its sub-agents, which share one numbering.

    Contract: text (a media type of text/…) is stripped of secrets before it is stored. One artifact is at most 16 MiB (what is
    longer is cut, and says so at its end) and a tree of sessions keeps at most 128 MiB: the oldest go first.
    """

    async def keep(self, name: str, data: bytes, media_type: str = "text/plain; charset=utf-8") -> Artifact: ...

    async def read(self, number: int) -> tuple[Artifact, bytes] | None: ...

    async def all(self) -> Sequence[Artifact]: ...


@dataclass(frozen=True)
class JobWish:
    """A command to run in the background of the session's sandbox. `seconds` is its time limit.

    `command` is what people and the model are shown; `env` may hold secrets and is kept nowhere; `hidden` are texts that must
    not be in what is shown of its output. `terminal`: it gets a terminal of its own rather than pipes.
    """

    call_id: str
    command: str
    argv: tuple[str, ...]
    cwd: str = "."
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    seconds: int = 300
    terminal: bool = False
    hidden: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class JobStatus:
    """Where a background job stands. `output` is what it said so far, readable and bounded; `artifact` the whole, once it has ended.

    `error` says why it did not end by itself: "aborted", a time limit, or that its worker was lost. `seconds` it has run.
    """

    job_id: str
    command: str
    state: JobState
    output: str = ""
    error: str = ""
    exit_code: int | None = None
    seconds: float = 0.0
    artifact: Artifact | None = None


class Jobs(Protocol):
    """The background jobs of one session.

    Contract: a job lives in the worker that started it, as long as that worker lives and no longer than its time limit; a stop
    of the session ends its jobs. At most 100 are kept, finished ones for 30 minutes. Raises ToolError where none can be started.
    """

    async def start(self, wish: JobWish) -> JobStatus: ...

    async def status(self, job_id: str) -> JobStatus | None: ...

    async def cancel(self, job_id: str) -> JobStatus | None:
        """Ask for its end, wherever it runs; it may take a moment."""
