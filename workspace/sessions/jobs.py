"""The background jobs of one session: `agents.ports.Jobs` for the host. A job lives in the worker that started it.

Its row tells everybody where it stands. Whoever changes the row's state tells of it in the session's log, in one transaction
that takes the session's lock first.
"""

from __future__ import annotations

import asyncio
import secrets
from datetime import timedelta
from functools import partial
from typing import Literal, cast

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from agents import events as e
from agents.errors import SandboxError, ToolError
from agents.ports import Artifact, JobStatus, JobWish
from agents.sandboxes.sandbox import Sandbox
from workspace.ids import new_id
from workspace.sessions import doorbell, log, runs
from workspace.sessions.artifacts import DatabaseArtifacts
from workspace.sessions.choices import JobState
from workspace.sessions.keeping import Ended, Keeper, finish, in_thread, seconds_of
from workspace.sessions.models import JOB_LEASE, Job, KeptArtifact, Run, Session
from workspace.sessions.places import open_place
from workspace.sessions.runs import Lease

MOST = 100
"""Jobs kept of one session; the oldest make room, and are ended if need be."""
MOST_AT_ONCE = 25
"""Jobs that run at once in one tree of sessions: each holds processes and memory of the worker's machine."""
KEPT_FOR = timedelta(minutes=30)
"""How long a job that has ended can still be asked about."""
COMMAND = 500
"""Characters of its command that the log tells."""
LOST = "Its worker went away, and the job with it."


class DatabaseJobs:
    """What the agent of one run may start, and ask about."""

    def __init__(self, session: Session, run: Run) -> None:
        self.session, self.run = session, run

    async def start(self, wish: JobWish) -> JobStatus:
        """Raises LeaseLost where another worker has the run by now."""
        try:
            sandbox = await in_thread(open_place, self.session)
        except SandboxError as wrong:
            raise ToolError(f"The job could not be started: {wrong}") from wrong
        return await asyncio.shield(self._started(wish, sandbox))  # a row without a keeper would stand there until it counts as lost

    async def _started(self, wish: JobWish, sandbox: Sandbox) -> JobStatus:
        job = await in_thread(self._begun, wish)
        Keeper(job, self.session.public_id, wish, sandbox, DatabaseArtifacts(self.session)).begin()
        return status_of(job)

    async def status(self, job_id: str) -> JobStatus | None:
        job = await in_thread(self._found, job_id)
        return await in_thread(status_of, job) if job else None

    async def cancel(self, job_id: str) -> JobStatus | None:
        job = await in_thread(self._found, job_id)
        if job is not None:
            await in_thread(ask_to_end, [job])
        return await self.status(job_id)

    def _found(self, job_id: str) -> Job | None:
        return Job.objects.filter(session=self.session, job_id=job_id).first()

    def _begun(self, wish: JobWish) -> Job:
        """Its row and its fact. Raises LeaseLost, and ToolError where the run is being stopped or too many run."""
        lease = Lease(self.run.public_id, self.run.lease)
        job = Job(
            session=self.session, job_id=secrets.token_hex(4), call_id=wish.call_id, command=wish.command, terminal=wish.terminal,
            timeout=wish.seconds, lease=new_id(), lease_until=timezone.now() + JOB_LEASE,
        )  # fmt: skip
        started = e.JobStarted(
            job_id=job.job_id, call_id=wish.call_id, command=wish.command[:COMMAND], timeout=wish.seconds, terminal=wish.terminal
        )
        with transaction.atomic():
            Session.objects.locked(self.session.pk)
            runs.held(lease)
            if lease.rows.filter(stop_asked=True).exists():
                raise ToolError("The run is being stopped.")
            require_room(self.session)
            make_room(self.session)
            job.save()
            log.append(self.session.pk, [started], run=lease.run_id)
        return job


def require_room(session: Session) -> None:
    root = session.root_id or session.pk
    if Job.objects.running().filter(Q(session=root) | Q(session__root=root)).count() >= MOST_AT_ONCE:
        raise ToolError(f"{MOST_AT_ONCE} background jobs run already, which is the most. Cancel one, or wait until one has ended.")


def make_room(session: Session) -> None:
    """Forget the oldest job if there are as many as may be. One that runs is asked to end, and forgotten the next time."""
    kept = Job.objects.filter(session=session)
    for job in kept[: max(0, kept.count() - MOST + 1)]:
        if job.state == JobState.RUNNING:
            ask_to_end([job])
        else:
            job.delete()


def status_of(job: Job) -> JobStatus:
    root = job.session.root_id or job.session_id
    kept = KeptArtifact.objects.filter(session_id=root, number=job.artifact).defer("data").first() if job.artifact else None
    artifact = Artifact(kept.number, kept.name, kept.media_type, kept.size) if kept else None
    state = cast(Literal["running", "completed", "failed", "lost"], job.state)
    return JobStatus(job.job_id, job.command, state, job.output, job.error, job.exit_code, seconds_of(job), artifact)


# --- ending: from any process -------------------------------------------------------------------------------------------


def end_all(session: Session) -> None:
    """Ask all jobs of the session to end."""
    ask_to_end(list(Job.objects.running().filter(session=session)))


def ask_to_end(jobs: list[Job]) -> None:
    """Leave word for whoever keeps these jobs. He hears it at once, or within seconds where the channel layer is down."""
    for job in jobs:
        if Job.objects.running().filter(pk=job.pk, cancel_asked=False).update(cancel_asked=True):
            transaction.on_commit(partial(doorbell.ask_to_end, job.lease), robust=True)


# --- the sweep's side ---------------------------------------------------------------------------------------------------


def tidy_up() -> None:
    """Tell of the jobs whose worker went silent, and forget those that ended long ago."""
    for job in Job.objects.lost():
        finish(job, Job.objects.lost(), Ended(JobState.LOST, LOST))
    old = Job.objects.exclude(state=JobState.RUNNING).filter(ended__lt=timezone.now() - KEPT_FOR)
    if old.exists():
        old.delete()
