"""Telling a parent how its sub-agent ended: once, whoever was lost on the way.

A sub-agent has ended when its run has and all that it started has ended too. Whoever sees it first takes it by
`Session.told`; the sweep looks for those that nobody saw.
"""

from __future__ import annotations

import json
from contextlib import suppress
from functools import partial

from django.db import transaction
from django.db.models import Exists, OuterRef

from agents import events as e
from workspace.errors import AppError
from workspace.projects import worktrees
from workspace.sessions import access, log, queueing, runs
from workspace.sessions.agents import below
from workspace.sessions.choices import ENDED, RunState
from workspace.sessions.endings import ending
from workspace.sessions.models import Job, LoggedFact, Run, Session, SessionQuerySet


def untold() -> SessionQuerySet:
    """Sub-agents that have ended, with all that they started, and whose parents do not know yet."""
    ended = Session.objects.filter(parent__isnull=False, told=False, status__in=ENDED)
    return ended.exclude(Exists(Session.objects.filter(parent=OuterRef("pk"), told=False)))


def tell_after(run_id: str) -> None:
    """Tell whatever the end of a worker's task on this run leaves to be told."""
    session = Session.objects.filter(runs__public_id=run_id).first()
    if session is None:
        return
    for child in untold().filter(parent=session):  # they ended before this one began to wait for them
        tell(child.pk)
    tell(session.pk)


def tell(session_pk: int) -> None:
    """Tell this sub-agent's parent if it is time, and then whoever is above it if that was the last it waited for."""
    at: int | None = session_pk
    while at is not None:
        at = _tell(at)


def _tell(session_pk: int) -> int | None:
    """The parent's primary key if it was told now."""
    child = untold().select_related("project").filter(pk=session_pk).first()
    if child is None or child.parent_id is None or not _is_expected(child):
        return None
    _drop_unchanged(child)
    finished = ending(child)
    with transaction.atomic():
        if not untold().filter(pk=child.pk).update(told=True):
            return None
        parent = Session.objects.locked(child.parent_id)
        goes_on = _wake(parent) if finished.background else runs.resume(parent)
        log.append(parent.pk, [finished, *([goes_on[1]] if goes_on else [])], run=goes_on[0].public_id if goes_on else "")
        if goes_on is not None:
            transaction.on_commit(partial(queueing.queue, goes_on[0].public_id))
    return child.parent_id


def _is_expected(child: Session) -> bool:
    """Whether the parent's log has come so far: it tells of the sub-agent's start, or the call is over without that."""
    said = LoggedFact.objects.filter(session=child.parent_id)
    call = json.dumps(child.started_by_call, ensure_ascii=False)
    return (
        said.filter(type="agent.started", data__contains=child.public_id).exists()
        or said.filter(type="tool.finished", data__contains=f'"call_id":{call}').exists()
    )


def _drop_unchanged(child: Session) -> None:
    """Take a worktree away in which nothing has changed: there is nothing for people to look at."""
    worktree = child.view.worktree
    if worktree is None or worktree.state != "open" or Job.objects.running().filter(session__in=[child, *below(child)]).exists():
        return  # what still runs there may yet change something
    try:
        if worktrees.changes(child.project, child.public_id, worktree.base):
            return
    except AppError:
        return  # people see it, and may drop it
    with transaction.atomic():
        held = Session.objects.locked(child.pk).view
        if held.worktree is None or held.worktree.state != "open" or held.run.state not in ENDED:
            return
        log.append(child.pk, [e.WorktreeDropped(reason="Nothing in it had changed.")])
    child.refresh_from_db()
    with suppress(AppError):  # what cannot be removed now is, when a worker next tidies up
        worktrees.drop(child.project, child.public_id)


def _wake(parent: Session) -> tuple[Run, e.RunQueued] | None:
    """A new run that hears of a background agent's end, for whom the last one acted. None where one is open, or nobody may ask for it.

    A run that was stopped, failed or reached a limit waits for a person; the end of an agent is no reason to go on.
    """
    last = Run.objects.filter(session=parent).select_related("acting_for").last()
    if last is None or last.state != RunState.DONE or parent.archived:
        return None
    person = last.acting_for
    if person is None or not person.is_active or "prompt" not in access.rights(person, parent):
        return None
    return runs.queue(parent, person)
