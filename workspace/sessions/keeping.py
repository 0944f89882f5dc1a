"""Keeping a background job: its command runs on the worker's loop, its row is brought up to date, and its end is told once."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal, ParamSpec, TypeVar

from channels.layers import get_channel_layer
from django.db import transaction
from django.utils import timezone

from agents import events as e
from agents.errors import AgentError
from agents.pieces import well_formed
from agents.ports import JobWish
from agents.sandboxes.sandbox import Exit, Limits, Sandbox
from agents.shell.known import Known
from agents.shell.live import LiveText
from agents.shell.live_terminal import LiveTerminal
from agents.shell.screen import plain
from agents.shell.secrets import redact
from agents.tools.atomic.running import DRAWN, MOST_OUTPUT, SIZE, beginning, complaint, texts
from workspace.sessions import doorbell, log
from workspace.sessions.artifacts import DatabaseArtifacts
from workspace.sessions.choices import JobState
from workspace.sessions.models import JOB_LEASE, Job, JobQuerySet, Session
from workspace.sessions.showing import Growing
from workspace.sessions.threads import with_connection

logger = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

LOOK_EVERY = min(2.0, JOB_LEASE.total_seconds() / 5)
"""Seconds between two looks at the row: for its lease, for what is new of the output, for whether it shall end."""
NOTES_A_SECOND = 10
OUTPUT = 64 * 1024
"""Characters of its output that the row holds: the first ones."""
SHUT_DOWN = "The worker was shut down, and the job with it."

End = Literal["", "aborted", "lost"]
_kept: set[asyncio.Task[None]] = set()
"""The loop itself holds its tasks weakly."""


def kept() -> frozenset[asyncio.Task[None]]:
    """The jobs this process keeps now."""
    return frozenset(_kept)


@dataclass(frozen=True)
class Ended:
    """How a job ended. `output` None leaves what the row has."""

    state: JobState
    error: str = ""
    exit_code: int | None = None
    artifact: int | None = None
    output: str | None = None


async def in_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    return await asyncio.to_thread(lambda: with_connection(work, *args, **kwargs))


def finish(job: Job, rows: JobQuerySet, ended: Ended) -> bool:
    """Say in its row and in the session's log how it ended. False where it is not among `rows` any more: somebody else told."""
    now = timezone.now()
    new = {"state": ended.state, "error": ended.error, "exit_code": ended.exit_code, "artifact": ended.artifact, "ended": now}
    with transaction.atomic():
        Session.objects.locked(job.session_id)
        if not rows.filter(pk=job.pk).update(**new, **({} if ended.output is None else {"output": ended.output})):
            return False
        fact = e.JobFinished(
            job_id=job.job_id, state=_said(ended.state), error=ended.error, exit_code=ended.exit_code, artifact=ended.artifact,
            seconds=round((now - job.began).total_seconds(), 3),
        )  # fmt: skip
        log.append(job.session_id, [fact])
    return True


def _said(state: JobState) -> Literal["completed", "failed", "lost"]:
    return "completed" if state == JobState.COMPLETED else "lost" if state == JobState.LOST else "failed"


def for_row(said: str) -> str:
    """As much as a row holds of it, as every database takes it."""
    return well_formed(said[:OUTPUT])


def seconds_of(job: Job) -> float:
    """How long it has run."""
    return round(((job.ended or timezone.now()) - job.began).total_seconds(), 3)


class Keeper:
    """One job in the worker that started it."""

    def __init__(self, job: Job, session_id: str, wish: JobWish, sandbox: Sandbox, artifacts: DatabaseArtifacts) -> None:
        self.job, self.session_id, self.wish, self.sandbox, self.artifacts = job, session_id, wish, sandbox, artifacts
        self._known = Known(wish.hidden)
        self._pieces: list[str] = []
        self._at = 0
        self._growing = Growing(self._note(0, ""))
        self._unshown: list[str] = []
        self._written = 0
        """How much had been said when the row was last brought up to date."""
        self._renewed = 0.0
        self._end: End = ""

    def begin(self) -> None:
        """Run it from now on, in a task of its own on this loop."""
        task = asyncio.get_running_loop().create_task(self._keep())
        _kept.add(task)
        task.add_done_callback(_kept.discard)

    async def _keep(self) -> None:
        work = asyncio.create_task(self._run())
        beside = [asyncio.create_task(helper) for helper in (self._look(work), self._listen(work), self._show())]
        try:
            await asyncio.wait({work})
        except asyncio.CancelledError:  # the worker shuts down
            work.cancel()
            await asyncio.wait({work})
            await self._tell(Ended(JobState.LOST, SHUT_DOWN))
            raise
        finally:
            for helper in beside:
                helper.cancel()
            await asyncio.gather(*beside, return_exceptions=True)
        if self._end != "lost":
            await self._tell(await self._outcome(work))

    async def _run(self) -> Exit:
        live = LiveTerminal(self._grew, self._known) if self.wish.terminal else LiveText(self._grew, self._known)
        limits = Limits(seconds=self.wish.seconds, cpu_seconds=2 * self.wish.seconds, output=MOST_OUTPUT, newest=True)
        try:
            return await self.sandbox.run(
                self.wish.argv, cwd=self.wish.cwd, env=self.wish.env, limits=limits, on_output=beginning(live.feed),
                terminal=SIZE if self.wish.terminal else None,
            )  # fmt: skip
        finally:
            live.close()

    def _grew(self, text: str) -> None:
        self._pieces.append(text)
        self._unshown.append(text)
        self._growing.add(self._note(self._at, text))
        self._at += len(text)

    def _note(self, at: int, text: str) -> e.JobGrew:
        return e.JobGrew(job_id=self.job.job_id, at=at, text=text)

    # --- beside the command ---------------------------------------------------------------------------------------------

    async def _show(self) -> None:
        while True:
            await asyncio.sleep(1 / NOTES_A_SECOND)
            text, self._unshown = "".join(self._unshown), []
            if text:
                await doorbell.show(self.session_id, [self._note(self._at - len(text), text)])

    async def _look(self, work: asyncio.Task[Exit]) -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY)
            try:
                end = await in_thread(self._looked)
            except Exception:  # the database may answer again before the lease has run out
                logger.exception("job %s: its row cannot be reached", self.job.job_id)
                continue
            if end:
                return self._stop(end, work)

    def _looked(self) -> End:
        """Bring the row up to date; why the job must end, "" where it goes on."""
        rows = Job.objects.running().filter(pk=self.job.pk, lease=self.job.lease)
        said = self._at
        new = {"output": self._said_so_far()} if said != self._written else {}
        due = timezone.now().timestamp() - self._renewed > JOB_LEASE.total_seconds() / 5
        if new or due:
            if not rows.update(**new, lease_until=timezone.now() + JOB_LEASE):
                return "lost"
            self._written, self._renewed = said, timezone.now().timestamp()
        asked = rows.values_list("cancel_asked", flat=True).first()
        return "lost" if asked is None else "aborted" if asked else ""

    async def _listen(self, work: asyncio.Task[Exit]) -> None:
        """Hear at once that it shall end, and of those who begin to watch."""
        layer = get_channel_layer()
        groups = (doorbell.job_group(self.job.lease), doorbell.work_group(self.session_id))
        channel = await layer.new_channel()
        for group in groups:
            await layer.group_add(group, channel)
        try:
            while (message := await layer.receive(channel))["type"] != "stop":
                if self._at:
                    await doorbell.show_to(message["channel"], [self._growing.note])
            self._stop("aborted", work)
        finally:
            for group in groups:
                await layer.group_discard(group, channel)

    def _stop(self, why: End, work: asyncio.Task[Exit]) -> None:
        self._end = why
        work.cancel()

    # --- its end --------------------------------------------------------------------------------------------------------

    async def _outcome(self, work: asyncio.Task[Exit]) -> Ended:
        if work.cancelled():
            artifact = await self._artifact("".join(self._pieces)) if self._pieces else None
            return Ended(JobState.FAILED, "aborted", artifact=artifact, output=await asyncio.to_thread(self._said_so_far))
        if (wrong := work.exception()) is not None:
            return Ended(JobState.FAILED, for_row(f"The command could not be run: {str(wrong) or type(wrong).__name__}"))
        ended = work.result()
        drawn, text = await asyncio.to_thread(texts, ended, self.wish.terminal, self._known)
        error = complaint(ended, self.wish.seconds) or ""
        artifact = await self._artifact(drawn) if drawn else None
        state = JobState.FAILED if error else JobState.COMPLETED
        return Ended(state, error, ended.code, artifact, for_row(text) if not ended.dropped else None)

    def _said_so_far(self) -> str:
        said = "".join(self._pieces)
        return for_row(redact(plain(said), self._known)[0] if self.wish.terminal else said)

    async def _artifact(self, drawn: str) -> int | None:
        kind = DRAWN if self.wish.terminal else "text/plain; charset=utf-8"
        with suppress(AgentError):
            name = f"job-{self.job.job_id}.{'ansi' if self.wish.terminal else 'txt'}"
            return (await self.artifacts.keep(name, drawn.encode(errors="replace"), kind)).number
        return None

    async def _tell(self, ended: Ended) -> None:
        try:
            await in_thread(finish, self.job, Job.objects.running().filter(lease=self.job.lease), ended)
        except Exception:  # its lease runs out, and the sweep tells
            logger.exception("job %s ended, which could not be told", self.job.job_id)
