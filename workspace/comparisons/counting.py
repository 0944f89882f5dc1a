"""Counting what the logs of sessions say without reading a log twice: each look reads only what is new since the last one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime

from workspace.comparisons.models import Tally
from workspace.sessions.models import LoggedFact, Session

AT_ONCE = 2000
"""Facts of one session that one look takes in; the next one goes on."""
COUNTED = ("run.started", "run.waiting", "run.lost", "run.finished", "tool.finished", "reply.refused")
FOLDED = ("seq", "calls", "failed", "refused", "seconds", "working_since")


def trees(roots: Sequence[Session]) -> dict[int, list[Session]]:
    """Primary key of a root → it and all sub-agents below it."""
    found = {root.pk: [root] for root in roots}
    for below in Session.objects.filter(root__in=found).order_by("pk"):
        assert below.root_id is not None  # noqa: S101 — the query says so
        found[below.root_id].append(below)
    return found


def tallies(sessions: Sequence[Session]) -> Mapping[int, Tally]:
    """Primary key of a session → its tally, brought up to the session's head."""
    known = {tally.session_id: tally for tally in Tally.objects.filter(session__in=sessions)}
    missing = [Tally(session=session) for session in sessions if session.pk not in known]
    if missing:
        Tally.objects.bulk_create(missing, ignore_conflicts=True)  # somebody else may look at the same moment
        known = {tally.session_id: tally for tally in Tally.objects.filter(session__in=sessions)}
    for session in sessions:
        _bring_up(known[session.pk], session.head)
    return known


def _bring_up(tally: Tally, head: int) -> None:
    if tally.seq >= head:
        return
    before = tally.seq
    new = LoggedFact.objects.filter(session=tally.session_id, seq__gt=before, seq__lte=head, type__in=COUNTED)
    facts = list(new.order_by("seq").values_list("seq", "at", "type", "data")[:AT_ONCE])
    for _, at, kind, data in facts:
        _count(tally, at, kind, data)
    tally.seq = facts[-1][0] if len(facts) == AT_ONCE else head
    # Whoever comes second writes nothing: both have read the same.
    Tally.objects.filter(pk=tally.pk, seq=before).update(**{name: getattr(tally, name) for name in FOLDED})


def _count(tally: Tally, at: datetime, kind: str, data: str) -> None:
    match kind:
        case "tool.finished":
            tally.calls += 1
            tally.failed += json.loads(data).get("error") is not None
        case "reply.refused":
            tally.refused += 1
        case "run.started":
            tally.working_since = at
        case _:
            tally.seconds, tally.working_since = worked(tally, at), None


def worked(tally: Tally, now: datetime) -> float:
    """Seconds of work until `now`."""
    return tally.seconds + (max(0.0, (now - tally.working_since).total_seconds()) if tally.working_since else 0.0)
