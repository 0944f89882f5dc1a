"""Runs: who works in a session, and how a run goes from one state to the next.

Every transition is a compare-and-set on the run's row, in one transaction with the facts that tell of it. Whoever holds a
run proves it by his lease; a lease that is lost makes the whole transaction fail.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from django.db import transaction
from django.utils import timezone

from agents import events as e
from workspace.accounts.models import User
from workspace.sessions import log, statements
from workspace.sessions.choices import RunState
from workspace.sessions.models import LEASE, PICKED_UP, LoggedFact, Run, RunQuerySet, Session

Outcome = Literal["done", "stopped", "failed", "limit"]
Hold = Literal["held", "stop", "lost"]


class LeaseLost(Exception):
    """Another worker has the run now, or it was ended; whoever sees this stops at once and writes nothing more."""


@dataclass(frozen=True)
class Lease:
    """The proof that a worker holds a run: the run's public id and a token nobody else has."""

    run_id: str
    token: str

    @property
    def rows(self) -> RunQuerySet:
        return Run.objects.held(self.token).filter(public_id=self.run_id)


# --- a worker's side ---------------------------------------------------------------------------------------------------


def renew(lease: Lease) -> Hold:
    """Say that the worker lives; hear whether it may go on, must stop, or has lost the run."""
    if not statements.renew_lease(lease.run_id, lease.token, timezone.now() + LEASE):
        return "lost"
    return "stop" if lease.rows.filter(stop_asked=True).exists() else "held"


def held(lease: Lease) -> None:
    """Renew the lease as part of a transaction. Raises LeaseLost."""
    if not statements.renew_lease(lease.run_id, lease.token, timezone.now() + LEASE):
        raise LeaseLost(lease.run_id)


def finish(lease: Lease, outcome: Outcome, detail: str = "", facts: Sequence[e.AnyFact] = (), *, seen: int | None = None) -> bool:
    """End the run, together with the last facts of its last step. Raises LeaseLost.

    `seen` is the last entry the step knew of. False: the run would be done, but somebody spoke behind `seen`; nothing was
    written, the run goes on.
    """
    with transaction.atomic():
        session = _session(lease)
        if outcome == "done" and seen is not None and _spoken_since(session, seen):
            return False
        ended = e.RunFinished(run_id=lease.run_id, outcome=outcome, detail=detail)
        also = partial(_let_go, lease, RunState(outcome), detail)
        log.append(session.pk, [*facts, ended], run=lease.run_id, also=also)
    return True


def wait(lease: Lease, calls: Sequence[str], facts: Sequence[e.AnyFact] = ()) -> bool:
    """Leave the run to people and sub-agents, together with the last facts of the step. Raises LeaseLost.

    False: one of the calls has been decided meanwhile, or a stop was asked for; nothing was written, the run goes on.
    """
    with transaction.atomic():
        session = _session(lease)
        if lease.rows.filter(stop_asked=True).exists():
            return False
        view = session.view
        asked = {ask.call_id for ask in view.asks} | set(view.pending) | {getattr(fact, "call_id", "") for fact in facts}
        if not asked.issuperset(calls):
            return False
        waits = e.RunWaiting(run_id=lease.run_id, calls=tuple(calls))
        log.append(session.pk, [*facts, waits], run=lease.run_id, also=partial(_let_go, lease, RunState.WAITING))
    return True


def release(lease: Lease) -> None:
    """Give an unfinished run back, for another worker to go on with. Raises LeaseLost."""
    with transaction.atomic():
        session = _session(lease)
        lost = e.RunLost(run_id=lease.run_id)
        log.append(session.pk, [lost], run=lease.run_id, also=partial(_let_go, lease, RunState.QUEUED))
        Run.objects.filter(public_id=lease.run_id).update(changed_at=timezone.now() - PICKED_UP)  # the next sweep hands it out


def _session(lease: Lease) -> Session:
    """The run's session, locked. Raises LeaseLost."""
    session_id = lease.rows.values_list("session_id", flat=True).first()
    if session_id is None:
        raise LeaseLost(lease.run_id)
    return Session.objects.locked(session_id)


def _spoken_since(session: Session, seen: int) -> bool:
    return LoggedFact.objects.filter(session=session, seq__gt=seen, type__in=["user.spoke", "agent.finished"]).exists()


def _let_go(lease: Lease, state: RunState, detail: str = "") -> None:
    if not _move(lease.rows, state, detail):
        raise LeaseLost(lease.run_id)


def _move(rows: RunQuerySet, state: RunState, detail: str = "") -> bool:
    return bool(rows.update(state=state, detail=detail, lease="", lease_until=None, changed_at=timezone.now()))


# --- people's side: call these with the session locked ------------------------------------------------------------------


def queue(session: Session, person: User) -> tuple[Run, e.RunQueued] | None:
    """A new run that acts for this person, and the fact to log. None where one is open: it will read the log."""
    if Run.objects.filter(session=session).unfinished().exists():
        return None
    run = Run.objects.create(session=session, acting_for=person)
    return run, e.RunQueued(run_id=run.public_id, acting_for=person.public_id)


def resume(session: Session) -> tuple[Run, e.RunResumed] | None:
    """The run that waited for people, queued again, and the fact to log. None where none waits."""
    run = Run.objects.filter(session=session, state=RunState.WAITING).first()
    if run is None or not _move(Run.objects.filter(pk=run.pk, state=RunState.WAITING), RunState.QUEUED):
        return None
    return run, e.RunResumed(run_id=run.public_id)


def end(run: Run, detail: str) -> bool:
    """Stop a run that no worker holds. False where one does."""
    return _move(Run.objects.unheld().filter(pk=run.pk), RunState.STOPPED, detail)


def ask_to_stop(run: Run) -> bool:
    """Leave word for the worker that holds the run. False where it has been left before."""
    return bool(Run.objects.filter(pk=run.pk, state=RunState.RUNNING, stop_asked=False).update(stop_asked=True))


# --- the sweep's side --------------------------------------------------------------------------------------------------


def recover(run: Run) -> bool:
    """Queue a run again whose worker went silent. False where somebody else was first, or the worker came back."""
    with transaction.atomic():
        session = Session.objects.locked(run.session_id)
        if not _move(Run.objects.lost().filter(pk=run.pk), RunState.QUEUED):
            return False
        log.append(session.pk, [e.RunLost(run_id=run.public_id)], run=run.public_id)
    return True


def hand_out_again(run: Run) -> bool:
    """Mark a forgotten run as handed to the workers now. False where somebody else was first."""
    return bool(Run.objects.forgotten().filter(pk=run.pk).update(changed_at=timezone.now()))
