"""Stopping a run, with every sub-agent below it and every job that goes on."""

from __future__ import annotations

from functools import partial

from django.db import transaction
from django.db.models import Exists, OuterRef

from agents import events as e
from agents.history import History, closing_facts
from workspace.accounts.models import User
from workspace.sessions import doorbell, jobs, log, queueing, runs
from workspace.sessions.agents import below
from workspace.sessions.choices import RunState
from workspace.sessions.models import Run, Session, SessionQuerySet


def stop(held: Session, known: History, by: User | None, reason: str) -> e.Entry | None:
    """Stop the open run of a session whose lock is held; on commit also what is below it. None where there was nothing to do.

    A worker that holds the run is told; otherwise it ends here and now. `known` is the session's history, read before the lock
    was taken: nobody should wait for that.
    """
    transaction.on_commit(partial(stop_below, held, by, reason), robust=True)
    return _stop(held, known, by, reason)


def stop_below(session: Session, by: User | None, reason: str) -> None:
    """Stop every sub-agent below, the upper ones first: so none is woken by the end of one that it started."""
    for child in below(session):
        stop_agent(child, by, reason)


def left_behind() -> SessionQuerySet:
    """Sub-agents still at work, though the run above them was stopped since they began."""
    stopped = Run.objects.filter(session=OuterRef("parent"), state=RunState.STOPPED, changed_at__gte=OuterRef("opened_at"))
    working = Run.objects.unfinished().filter(session=OuterRef("pk"), stop_asked=False)
    return Session.objects.filter(Exists(stopped), Exists(working), parent__isnull=False, told=False)


def stop_agent(child: Session, by: User | None, reason: str) -> None:
    """Stop one sub-agent in a transaction of its own, with the jobs it has started."""
    jobs.end_all(child)
    if not Run.objects.filter(session=child).unfinished().exists():
        return
    known = log.history(child.pk)
    with transaction.atomic():
        _stop(Session.objects.locked(child.pk), known, by, reason)


def _stop(held: Session, known: History, by: User | None, reason: str) -> e.Entry | None:
    jobs.end_all(held)
    run = Run.objects.filter(session=held).unfinished().first()
    if run is None:
        return None
    asked = e.StopAsked(run_id=run.public_id)
    if not runs.end(run, reason):
        return log.append(held.pk, [asked], by=by)[0] if _leave_word(run) else None
    (entry,) = log.append(held.pk, [asked], by=by)
    ended = e.RunFinished(run_id=run.public_id, outcome="stopped", detail=reason)
    log.append(held.pk, [*closing_facts(log.caught_up(known, held.pk), reason), ended], by=by, run=run.public_id)
    if held.parent_id is not None:
        transaction.on_commit(partial(queueing.queue_telling, held.pk))
    return entry


def _leave_word(run: Run) -> bool:
    transaction.on_commit(partial(doorbell.ask_to_stop, run.public_id))
    return runs.ask_to_stop(run)
