"""Background jobs as the host keeps them: their rows, their facts, and whoever ends them."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer

from agents import events as e
from agents.errors import ToolError
from agents.ports import JobStatus, JobWish
from tests.agents.sandboxes.processes import Trace
from tests.workspace.sessions import worker
from tests.workspace.sessions.conftest import holds
from tests.workspace.sessions.driving import of, until
from workspace.accounts.models import User
from workspace.sessions import actions, doorbell, keeping, log, protocol, runs
from workspace.sessions.artifacts import DatabaseArtifacts
from workspace.sessions.choices import JobState
from workspace.sessions.jobs import DatabaseJobs
from workspace.sessions.models import Job, Run, Session
from workspace.sessions.state import SessionState

pytestmark = pytest.mark.django_db(transaction=True)


def wish(command: str, **more: Any) -> JobWish:
    return replace(JobWish("c1", command, ("bash", "-c", command), seconds=60), **more)


async def hands_of(session: Session) -> DatabaseJobs:
    lease = await sync_to_async(worker.take_up)(session)
    return DatabaseJobs(session, await Run.objects.aget(public_id=lease.run_id))


async def ended(hands: DatabaseJobs, job_id: str) -> JobStatus:
    async def is_over() -> bool:
        status = await hands.status(job_id)
        return status is not None and status.state != "running"

    await until(is_over)
    status = await hands.status(job_id)
    assert status is not None
    return status


async def ended_by_going(hands: DatabaseJobs, session: Session, job_id: str) -> JobStatus:
    (Path(session.project.root) / "go").touch()
    return await ended(hands, job_id)


async def finished(session: Session) -> e.JobFinished:
    (fact,) = await of(e.JobFinished, session)
    assert isinstance(fact, e.JobFinished)
    return fact


async def test_a_job_goes_on_and_tells_its_end(started: Session) -> None:
    hands = await hands_of(started)
    begun = await hands.start(wish("echo out; echo err >&2; test -e go; echo last"))
    assert (begun.state, begun.command) == ("running", "echo out; echo err >&2; test -e go; echo last")
    status = await ended(hands, begun.job_id)
    assert (status.state, status.exit_code, status.error, status.output) == ("completed", 0, "", "out\nerr\nlast\n")
    assert status.artifact is not None
    fact = await finished(started)
    assert (fact.job_id, fact.state, fact.exit_code, fact.artifact) == (begun.job_id, "completed", 0, status.artifact.number)
    assert [one.job_id for one in await of(e.JobStarted, started)] == [begun.job_id]
    await sync_to_async(holds)(started, SessionState())


@pytest.mark.parametrize(
    ("command", "more", "error", "code"),
    [
        ("echo x; exit 3", {}, "Command exited with code 3", 3),
        ("sleep 600", {"seconds": 1}, "timed out after 1 seconds", None),
        ("kill -9 $$", {}, "SIGKILL", None),
    ],
)
async def test_a_job_that_fails_says_why(started: Session, command: str, more: dict[str, Any], error: str, code: int | None) -> None:
    hands = await hands_of(started)
    status = await ended(hands, (await hands.start(wish(command, **more))).job_id)
    assert (status.state, status.exit_code) == ("failed", code)
    assert error in status.error


async def test_its_output_can_be_read_while_it_goes_on(started: Session) -> None:
    hands = await hands_of(started)
    begun = await hands.start(wish("echo first; until test -e go; do sleep 0.05; done"))

    async def has_said() -> bool:
        return (await Job.objects.aget(job_id=begun.job_id)).output == "first\n"

    await until(has_said)
    await hands.cancel(begun.job_id)
    assert (await ended(hands, begun.job_id)).output == "first\n"


async def test_whoever_watches_is_shown_what_it_says_and_who_comes_late_too(started: Session) -> None:
    hands, layer = await hands_of(started), get_channel_layer()
    channel = await layer.new_channel()
    await layer.group_add(doorbell.session_group(started.public_id), channel)
    begun = await hands.start(wish("echo first; until test -e go; do sleep 0.05; done"))

    async def notes() -> list[dict[str, Any]]:
        while (message := await layer.receive(channel))["type"] != "notes":
            continue
        told: list[dict[str, Any]] = message["notes"]
        return told

    said = {"type": "job.grew", "job_id": begun.job_id, "at": 0, "text": "first\n"}
    assert await notes() == [said]
    await doorbell.begin_to_watch(started.public_id, channel)
    assert await notes() == [said]
    await hands.cancel(begun.job_id)
    await ended(hands, begun.job_id)


async def test_secrets_are_in_nothing_that_is_kept(started: Session) -> None:
    hands = await hands_of(started)
    secret = wish('echo "<$WORD>"; echo AKIAABCDEFGHIJKLMNOP', env={"WORD": "hunter two"}, hidden=("hunter two",))
    begun = await hands.start(secret)
    status = await ended(hands, begun.job_id)
    assert status.output == "<[redacted]>\nAKIA****************\n"
    row = await Job.objects.filter(job_id=begun.job_id).values().aget()
    assert "hunter" not in str(row)


async def test_every_database_can_hold_what_it_says(started: Session) -> None:
    hands = await hands_of(started)
    begun = await hands.start(wish("printf 'a\\0b\\377\\n'; until test -e go; do sleep 0.05; done"))

    async def output() -> str:
        return (await Job.objects.aget(job_id=begun.job_id)).output

    async def has_said() -> bool:
        return bool(await output())

    await until(has_said)
    assert await output() == "a\ufffdb\ufffd\n"
    status = await ended_by_going(hands, started, begun.job_id)
    assert (status.state, status.output) == ("completed", "a\ufffdb\ufffd\n")


async def test_what_a_terminal_shows_tells_no_secret_that_was_drawn_in_pieces(started: Session) -> None:
    hands = await hands_of(started)
    begun = await hands.start(
        wish("printf 'hunter-2.\\b two\\n'; until test -e go; do sleep 0.05; done", terminal=True, hidden=("hunter-2 two",))
    )

    async def has_said() -> bool:
        return bool((await Job.objects.aget(job_id=begun.job_id)).output)

    await until(has_said)
    assert (await Job.objects.aget(job_id=begun.job_id)).output == "[redacted]\n"
    await hands.cancel(begun.job_id)
    assert (await ended(hands, begun.job_id)).output == "[redacted]\n"


async def test_a_job_at_a_terminal_is_told_in_plain_text_and_kept_as_it_was_drawn(started: Session) -> None:
    hands = await hands_of(started)
    begun = await hands.start(wish("test -t 1 && printf '\\033[31m10%%\\r20%%\\033[0m\\n'", terminal=True))
    status = await ended(hands, begun.job_id)
    assert status.output == "20%\n"
    assert status.artifact is not None
    assert status.artifact.media_type.startswith("text/x-ansi")


async def test_a_canceled_job_is_aborted_with_all_it_started(started: Session) -> None:
    hands, trace = await hands_of(started), Trace()
    begun = await hands.start(wish(f"sleep 3{trace} & setsid sleep 3{trace}"))
    assert await trace.sleeps(2)
    assert await hands.cancel(begun.job_id) is not None
    status = await ended(hands, begun.job_id)
    assert (status.state, status.error, status.artifact) == ("failed", "aborted", None)
    assert await trace.is_gone()
    assert (await finished(started)).error == "aborted"


async def test_all_that_a_canceled_job_has_shown_is_kept(started: Session) -> None:
    hands = await hands_of(started)
    begun = await hands.start(wish("seq 20000; sleep 600"))

    async def has_said() -> bool:
        return len((await Job.objects.aget(job_id=begun.job_id)).output) == keeping.OUTPUT

    await until(has_said)
    await hands.cancel(begun.job_id)
    status = await ended(hands, begun.job_id)
    assert status.artifact is not None
    kept = await DatabaseArtifacts(started).read(status.artifact.number)
    assert kept is not None
    assert kept[1].endswith(b"19999\n20000\n")
    assert (await finished(started)).artifact == status.artifact.number


async def test_a_cancel_whose_bell_was_lost_is_seen_all_the_same(started: Session) -> None:
    hands = await hands_of(started)
    begun = await hands.start(wish("sleep 600"))
    await Job.objects.filter(job_id=begun.job_id).aupdate(cancel_asked=True)
    assert (await ended(hands, begun.job_id)).error == "aborted"


async def test_a_job_of_another_session_is_not_there(started: Session, alice: User) -> None:
    hands = await hands_of(started)
    begun = await hands.start(wish("true"))
    other = DatabaseJobs(await Session.objects.acreate(project_id=started.project_id), hands.run)
    assert await other.status(begun.job_id) is None
    assert await other.cancel(begun.job_id) is None
    await ended(hands, begun.job_id)


async def test_a_stop_ends_the_jobs_of_the_session_and_of_its_agents(started: Session, alice: User) -> None:
    hands = await hands_of(started)
    child = await Session.objects.acreate(project_id=started.project_id, parent=started, root=started, created_by=alice)
    await sync_to_async(log.append)(child.pk, [e.SessionOpened(title="x", toolset="atomic", provider="scripted", model="demo")])
    run = await Run.objects.acreate(session=child, acting_for=alice)
    below = DatabaseJobs(child, (await sync_to_async(Run.objects.claim)(run.public_id)) or run)
    mine, theirs = await hands.start(wish("sleep 600")), await below.start(wish("sleep 600"))
    await sync_to_async(actions.perform)(started, alice, protocol.StopRun())
    assert (await ended(hands, mine.job_id)).error == "aborted"
    assert (await ended(below, theirs.job_id)).error == "aborted"


async def test_a_stop_also_ends_jobs_that_outlived_their_run(started: Session, alice: User) -> None:
    hands = await hands_of(started)
    begun = await hands.start(wish("sleep 600"))
    lease = runs.Lease(hands.run.public_id, hands.run.lease)
    assert await sync_to_async(runs.finish)(lease, "done")
    assert (await hands.status(begun.job_id)).state == "running"  # type: ignore[union-attr]
    await sync_to_async(actions.perform)(started, alice, protocol.StopRun())
    assert (await ended(hands, begun.job_id)).error == "aborted"


async def test_none_is_started_once_the_run_is_being_stopped_or_another_workers(started: Session) -> None:
    hands = await hands_of(started)
    await Run.objects.filter(pk=hands.run.pk).aupdate(stop_asked=True)
    with pytest.raises(ToolError, match="being stopped"):
        await hands.start(wish("true"))
    await Run.objects.filter(pk=hands.run.pk).aupdate(stop_asked=False, lease="another")
    with pytest.raises(runs.LeaseLost):
        await hands.start(wish("true"))
    assert not await Job.objects.aexists()
    assert await of(e.JobStarted, started) == []


async def test_a_worker_that_shuts_down_ends_its_jobs_and_says_so(started: Session) -> None:
    hands, trace = await hands_of(started), Trace()
    begun = await hands.start(wish(f"echo said; sleep 3{trace}"))
    assert await trace.sleeps(1)
    (task,) = keeping.kept()
    task.cancel()
    await asyncio.wait({task})
    status = await hands.status(begun.job_id)
    assert status is not None
    assert (status.state, status.error) == ("lost", keeping.SHUT_DOWN)
    assert await trace.is_gone()
    assert (await finished(started)).state == "lost"


async def test_a_keeper_whose_job_was_given_up_ends_the_command_and_writes_nothing(started: Session) -> None:
    hands, trace = await hands_of(started), Trace()
    begun = await hands.start(wish(f"sleep 3{trace}"))
    assert await trace.sleeps(1)
    await Job.objects.filter(job_id=begun.job_id).aupdate(state=JobState.LOST, error="given up")
    assert await trace.is_gone()
    status = await hands.status(begun.job_id)
    assert status is not None
    assert (status.state, status.error) == ("lost", "given up")
    assert await of(e.JobFinished, started) == []
