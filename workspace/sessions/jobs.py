"""The background jobs of one session: `agents.ports.Jobs` for the host. A job lives in the worker that started it."""

from __future__ import annotations

from agents.errors import ToolError
from agents.ports import JobStatus, JobWish
from workspace.sessions.models import Run, Session


class DatabaseJobs:
    """What the agent of one run may start, and ask about."""

    def __init__(self, session: Session, run: Run) -> None:
        self.session, self.run = session, run

    async def start(self, wish: JobWish) -> JobStatus:
        raise ToolError("Background jobs are not there yet.")

    async def status(self, job_id: str) -> JobStatus | None:
        return None

    async def cancel(self, job_id: str) -> JobStatus | None:
        return None
