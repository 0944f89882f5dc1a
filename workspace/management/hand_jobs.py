"""Background jobs of tools worked by hand: they live in this process and end with it."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass, field
from time import monotonic

from agents.errors import AgentError
from agents.ports import Artifact, Artifacts, JobStatus, JobWish
from agents.ports.kept import JobState
from agents.sandboxes.sandbox import Exit, Limits, Sandbox
from agents.shell.known import Known
from agents.shell.live_terminal import without_secrets
from agents.shell.screen import plain
from agents.shell.secrets import redact

MOST = 100
KEPT_FOR = 30 * 60.0
"""Seconds for which a job that has ended can still be asked about."""
MOST_OUTPUT = 16 * 2**20
MOST_SHOWN = 2**20
"""Bytes of its output, the last ones, that are told of a job."""
SIZE = (120, 40)
"""Columns and rows of a job's terminal."""


@dataclass
class HandJob:
    """One job; its command runs in a task of its own, so that whoever ends it does not end the telling of it."""

    job_id: str
    wish: JobWish
    began: float = field(default_factory=monotonic)
    ended: float = 0.0
    output: bytearray = field(default_factory=bytearray)
    state: JobState = "running"
    error: str = ""
    exit_code: int | None = None
    artifact: Artifact | None = None
    command: asyncio.Future[Exit] = field(init=False, repr=False)

    def begin(self, sandbox: Sandbox) -> None:
        wish = self.wish
        limits = Limits(seconds=wish.seconds, cpu_seconds=2 * wish.seconds, output=MOST_OUTPUT)
        terminal = SIZE if wish.terminal else None
        self.command = asyncio.ensure_future(
            sandbox.run(wish.argv, cwd=wish.cwd, env=wish.env, limits=limits, on_output=self.output.extend, terminal=terminal)
        )

    async def followed(self, artifacts: Artifacts) -> None:
        """Wait for its end, and keep how it ended."""
        try:
            ended = await self.command
            self.exit_code, self.error = ended.code, _complaint(ended, self.wish.seconds)
        except asyncio.CancelledError:
            self.error = "aborted"
        except (AgentError, OSError) as wrong:
            self.error = str(wrong)
        if self.output:
            self.artifact = await artifacts.keep(f"job-{self.job_id}.txt", (await asyncio.to_thread(self.text)).encode())
        self.ended = monotonic()
        self.state = "completed" if self.exit_code == 0 else "failed"

    def text(self, size: int = MOST_OUTPUT) -> str:
        """The last bytes of what it said, readable, without secrets."""
        said, known = bytes(self.output[-size:]).decode(errors="replace"), Known(self.wish.hidden)
        return redact(plain(without_secrets(said, known)) if self.wish.terminal else said, known)[0]

    async def status(self) -> JobStatus:
        text, seconds = await asyncio.to_thread(self.text, MOST_SHOWN), (self.ended or monotonic()) - self.began
        return JobStatus(self.job_id, self.wish.command, self.state, text, self.error, self.exit_code, round(seconds, 3), self.artifact)


def _complaint(ended: Exit, seconds: int) -> str:
    if ended.timed_out:
        return f"timed out after {seconds} seconds"
    return f"ended by signal {ended.signal}" if ended.code is None else ""


class HandJobs:
    """The jobs of one session: `agents.ports.Jobs` for one process."""

    def __init__(self, sandbox: Sandbox, artifacts: Artifacts) -> None:
        self._sandbox, self._artifacts = sandbox, artifacts
        self._by_id: dict[str, HandJob] = {}
        self._followed: set[asyncio.Task[None]] = set()

    async def start(self, wish: JobWish) -> JobStatus:
        self._forget_old()
        while len(self._by_id) >= MOST:
            self._by_id.pop(next(iter(self._by_id))).command.cancel()
        job = HandJob(secrets.token_hex(4), wish)
        job.begin(self._sandbox)
        self._by_id[job.job_id] = job
        following = asyncio.create_task(job.followed(self._artifacts))
        self._followed.add(following)
        following.add_done_callback(self._followed.discard)
        return await job.status()

    async def status(self, job_id: str) -> JobStatus | None:
        self._forget_old()
        job = self._by_id.get(job_id)
        return await job.status() if job else None

    async def cancel(self, job_id: str) -> JobStatus | None:
        if job := self._by_id.get(job_id):
            job.command.cancel()
        return await self.status(job_id)

    def _forget_old(self) -> None:
        now = monotonic()
        self._by_id = {job_id: job for job_id, job in self._by_id.items() if not job.ended or now - job.ended < KEPT_FOR}
