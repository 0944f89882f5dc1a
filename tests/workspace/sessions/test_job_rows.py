"""Jobs as rows: what the sweep makes of them, how many there may be, and what they keep from being done."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from agents import events as e
from agents.errors import ToolError
from workspace.accounts.models import User
from workspace.errors import Conflict
from workspace.sessions import actions, jobs, keeping, log, protocol
from workspace.sessions.choices import JobState
from workspace.sessions.jobs import MOST
from workspace.sessions.models import Job, Session

pytestmark = pytest.mark.django_db(transaction=True)


def a_job(session: Session, job_id: str = "a1", **more: Any) -> Job:
    soon = timezone.now() + timedelta(hours=1)
    return Job.objects.create(
        **{"session": session, "job_id": job_id, "call_id": "c1", "command": "x", "timeout": 9, "lease": job_id, "lease_until": soon} | more
    )


def test_a_job_whose_worker_went_silent_is_lost_once(session: Session) -> None:
    job = a_job(session, lease_until=timezone.now() - timedelta(seconds=1), output="so far")
    log.append(session.pk, [e.JobStarted(job_id="a1", call_id="c1", command="x", timeout=9)])
    jobs.tidy_up()
    jobs.tidy_up()
    job.refresh_from_db()
    assert (job.state, job.error, job.output) == (JobState.LOST, jobs.LOST, "so far")
    session.refresh_from_db()
    assert [one.state for one in session.view.jobs] == ["lost"]
    assert session.facts.filter(type="job.finished").count() == 1


def test_the_sweep_leaves_jobs_alone_that_live_and_forgets_those_that_ended_long_ago(session: Session) -> None:
    now = timezone.now()
    a_job(session, "lives")
    a_job(session, "fresh", state=JobState.FAILED, ended=now)
    a_job(session, "old", state=JobState.COMPLETED, ended=now - timedelta(minutes=31))
    jobs.tidy_up()
    assert [job.job_id for job in Job.objects.all()] == ["lives", "fresh"]


def test_the_oldest_job_makes_room(session: Session) -> None:
    a_job(session, "runs")
    for number in range(MOST - 1):
        a_job(session, f"job {number}", state=JobState.COMPLETED, ended=timezone.now())
    jobs.make_room(session)
    assert Job.objects.get(job_id="runs").cancel_asked
    Job.objects.filter(job_id="runs").update(state=JobState.FAILED)
    jobs.make_room(session)
    assert Job.objects.count() == MOST - 1


def test_a_session_rests_in_the_archive_only_once_its_jobs_have_ended(session: Session, alice: User) -> None:
    job = a_job(session)
    with pytest.raises(Conflict, match="background job"):
        actions.perform(session, alice, protocol.ArchiveSession(archived=True))
    assert keeping.finish(job, Job.objects.running(), keeping.Ended(JobState.COMPLETED))
    actions.perform(session, alice, protocol.ArchiveSession(archived=True))


def test_only_so_many_run_at_once_in_a_tree_of_sessions(session: Session) -> None:
    child = Session.objects.create(project=session.project, parent=session, root=session)
    for number in range(jobs.MOST_AT_ONCE):
        jobs.require_room(session)
        a_job([session, child][number % 2], f"job {number}")
    for one in (session, child):
        with pytest.raises(ToolError, match="which is the most"):
            jobs.require_room(one)
    Job.objects.filter(job_id="job 0").update(state=JobState.COMPLETED)
    jobs.require_room(child)
