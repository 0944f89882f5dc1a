"""Runs: one worker at a time, nothing written without the lease, nothing lost with a worker."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from threading import Barrier, Thread
from typing import Any

import pytest
from django.db import IntegrityError, connection
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from agents import events as e
from tests.workspace.sessions import worker
from tests.workspace.sessions.conftest import holds
from workspace.accounts.models import Membership, User
from workspace.errors import AppError, Conflict
from workspace.sessions import log, runs, tasks
from workspace.sessions import protocol as p
from workspace.sessions.actions import perform
from workspace.sessions.models import Run, Session
from workspace.sessions.runs import Lease, LeaseLost
from workspace.sessions.state import SessionState

HELLO = p.SendMessage(message_id="message-1", text="Hello")
ALLOW = p.DecideApproval(approval_id="a-c1", hash=worker.ASKED.hash, verdict="allow")


@pytest.fixture
def lease(session: Session, alice: User) -> Lease:
    """A worker's, on the run that alice started."""
    perform(session, alice, HELLO)
    return worker.take_up(session)


def run_of(lease: Lease) -> Run:
    return Run.objects.get(public_id=lease.run_id)


def go_silent(lease: Lease) -> None:
    Run.objects.filter(public_id=lease.run_id).update(lease_until=timezone.now() - timedelta(seconds=1))


def test_a_run_is_claimed_once(lease: Lease) -> None:
    assert Run.objects.claim(lease.run_id) is None


def test_a_silent_workers_run_may_be_claimed_and_its_lease_is_worth_nothing(session: Session, lease: Lease) -> None:
    go_silent(lease)
    again = Run.objects.claim(lease.run_id)
    assert again is not None
    assert again.acting_for is not None
    assert runs.renew(lease) == "lost"
    with pytest.raises(LeaseLost):
        runs.finish(lease, "done")
    with pytest.raises(LeaseLost):
        log.append(session.pk, [worker.spoke()], also=lambda: runs.held(lease))
    holds(session, SessionState())


def test_a_session_has_one_open_run(session: Session, lease: Lease) -> None:
    with pytest.raises(IntegrityError):
        Run.objects.create(session=session)


def test_the_last_fact_and_the_end_are_one(session: Session, lease: Lease) -> None:
    assert runs.finish(lease, "done", facts=[worker.spoke()], seen=4)
    assert [entry.fact.type for entry in log.read(session.pk, 4)] == ["agent.spoke", "run.finished"]
    assert (run_of(lease).state, run_of(lease).lease) == ("done", "")
    holds(session, SessionState())


def test_a_run_is_not_done_while_somebody_speaks(session: Session, bob: User, lease: Lease) -> None:
    perform(session, bob, p.SendMessage(message_id="message-2", text="Wait!"))
    assert not runs.finish(lease, "done", facts=[worker.spoke()], seen=4)
    assert run_of(lease).state == "running"
    assert runs.finish(lease, "done", seen=5)


def test_a_failure_is_told(session: Session, lease: Lease) -> None:
    runs.finish(lease, "failed", "The key is wrong.")
    assert (run_of(lease).detail, Session.objects.get().view.run.detail) == ("The key is wrong.", "The key is wrong.")


def test_a_run_given_back_is_handed_out_by_the_next_sweep(session: Session, lease: Lease) -> None:
    runs.release(lease)
    assert runs.hand_out_again(run_of(lease))
    assert not runs.hand_out_again(run_of(lease))
    assert Run.objects.claim(lease.run_id) is not None
    holds(session, SessionState())


def test_a_lost_run_is_queued_again_once(session: Session, lease: Lease) -> None:
    assert not runs.recover(run_of(lease))
    go_silent(lease)
    assert runs.recover(run_of(lease))
    assert not runs.recover(run_of(lease))
    assert [entry.fact for entry in log.read(session.pk, 4)] == [e.RunLost(run_id=lease.run_id)]
    assert run_of(lease).state == "queued"
    holds(session, SessionState())


def test_the_sweep_finds_lost_and_forgotten_runs(session: Session, lease: Lease) -> None:
    tasks.sweep()
    assert run_of(lease).state == "running"
    go_silent(lease)
    tasks.sweep()
    tasks.sweep()
    assert [entry.fact.type for entry in log.read(session.pk, 4)] == ["run.lost"]
    long_ago = timezone.now() - timedelta(minutes=1)
    Run.objects.update(changed_at=long_ago)
    tasks.sweep()
    assert run_of(lease).changed_at > long_ago


def test_a_message_reaches_the_queue_after_its_commit(
    session: Session, alice: User, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks() as after:
        perform(session, alice, HELLO)
    assert len(after) == 2


def together(*works: Callable[[], Any]) -> list[Any]:
    """Do these at the same time, each in its own thread; what each gave or raised."""
    results: list[Any] = [None] * len(works)
    start = Barrier(len(works))

    def do(place: int, work: Callable[[], Any]) -> None:
        start.wait()
        try:
            results[place] = work()
        except (AppError, LeaseLost) as refused:
            results[place] = refused
        finally:
            connection.close()

    threads = [Thread(target=do, args=pair) for pair in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


@pytest.mark.django_db(transaction=True)
def test_of_two_deciding_at_once_one_is_first(session: Session, alice: User, bob: User) -> None:
    Membership.objects.filter(user=bob).update(role="reviewer")
    perform(session, alice, HELLO)
    worker.wait_on(session, worker.ASKED)
    deny = ALLOW.model_copy(update={"verdict": "deny"})
    results = together(lambda: perform(session, alice, ALLOW), lambda: perform(session, bob, deny))
    lost = [result for result in results if isinstance(result, Conflict)]
    assert len(lost) == 1
    decided = [entry for entry in log.read(session.pk) if isinstance(entry.fact, e.ApprovalDecided)]
    assert len(decided) == 1
    assert lost[0].by is not None
    assert lost[0].by.public_id == decided[0].by
    holds(session, SessionState())


@pytest.mark.django_db(transaction=True)
def test_of_many_workers_one_gets_the_run(session: Session, alice: User) -> None:
    perform(session, alice, HELLO)
    run_id = Run.objects.get().public_id
    assert len([run for run in together(*[lambda: Run.objects.claim(run_id)] * 6) if run]) == 1


@pytest.mark.django_db(transaction=True)
def test_the_same_message_from_two_tabs_is_said_once(session: Session, alice: User) -> None:
    together(lambda: perform(session, alice, HELLO), lambda: perform(session, alice, HELLO))
    assert [entry.fact.type for entry in log.read(session.pk, 1)] == ["user.spoke", "run.queued"]


@pytest.mark.django_db(transaction=True)
def test_a_stop_and_an_approval_at_once_leave_no_run_hanging(session: Session, alice: User, bob: User) -> None:
    perform(session, alice, HELLO)
    worker.wait_on(session, worker.ASKED)
    together(lambda: perform(session, alice, ALLOW), lambda: perform(session, bob, p.StopRun()))
    assert Run.objects.get().state == "stopped"
    assert log.history(session.pk).open_calls == []
    holds(session, SessionState())


@pytest.mark.django_db(transaction=True)
def test_a_message_and_the_end_at_once_leave_no_message_unread(session: Session, alice: User, bob: User) -> None:
    perform(session, alice, HELLO)
    lease = worker.take_up(session)
    seen = Session.objects.get().head
    message = p.SendMessage(message_id="message-2", text="One more thing")
    together(lambda: runs.finish(lease, "done", seen=seen), lambda: perform(session, bob, message))
    assert Run.objects.unfinished().exists()
    holds(session, SessionState())
