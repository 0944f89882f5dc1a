"""The log: the truth of every session. Appending is the only way anything happens in one."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial, reduce

from django.db import transaction
from django.utils import timezone
from pydantic import ValidationError

from agents import events as e
from agents.history import History
from workspace.accounts.models import User
from workspace.sessions import doorbell, statements
from workspace.sessions.folds import fold, rebuild
from workspace.sessions.reports import report_due
from workspace.sessions.state import SessionState, state_after
from workspace.sessions.wire import Row, entry_json

Ring = Callable[[str, int], None]
"""Called after the commit with the session's public id and its new head."""


def append(
    session_id: int,
    facts: Sequence[e.AnyFact],
    *,
    by: User | None = None,
    run: str = "",
    also: Callable[[], None] | None = None,
    ring: Ring = doorbell.ring,
) -> list[e.Entry]:
    """Keep these facts behind whatever the log holds, in one transaction with everything that follows from them.

    `session_id` is the row's primary key, `by` the person who caused the facts (None: the engine), `run` a run's public id.
    What `also` does is part of the transaction; when it raises, nothing was said. A sub-agent's session also reports to the
    root of its tree: whoever writes to two sessions at once locks the lower one first.
    """
    if not facts:
        return []
    with transaction.atomic():
        public_id, kept, root_id = statements.lock_session(session_id)
        before = SessionState.model_validate_json(kept)
        entries = _placed(before.head, facts, by, run)
        statements.add_facts(session_id, by.pk if by else None, (_row(entry) for entry in entries))
        state = reduce(state_after, entries, before)
        statements.change_session(session_id, entries[-1].at, columns(state))
        if root_id is not None and (report := report_due(before, state, public_id)):
            append(root_id, [report], ring=ring)
        for entry in entries:
            fold(session_id, entry, by.pk if by else None)
        if also is not None:
            also()
        transaction.on_commit(partial(ring, public_id, state.head), robust=True)
    return entries


def _placed(head: int, facts: Sequence[e.AnyFact], by: User | None, run: str) -> list[e.Entry]:
    now, person = timezone.now(), by.public_id if by else None
    return [e.Entry(seq=seq, at=now, fact=fact, by=person, run_id=run or None) for seq, fact in enumerate(facts, head + 1)]


def _row(entry: e.Entry) -> tuple[Row, str]:
    fact = entry.fact
    row = Row(entry.seq, entry.at, entry.by, entry.run_id or "", fact.type, e.SCHEMA_VERSION, fact.model_dump_json())
    return row, fact.message_id if isinstance(fact, e.UserSpoke) else ""


def columns(state: SessionState) -> dict[str, object]:
    """What the session's row holds of its state."""
    return {
        "head": state.head,
        "state": state.model_dump_json(),
        "title": state.title[:200],
        "status": state.run.state,
        "archived": state.archived,
        "asks": len(state.asks) + sum(len(agent.asks) for agent in state.agents),
        "cost": state.usage.cost,
    }


def refold(session_id: int) -> None:
    """Make everything that is folded from the session's log anew, as this version folds it. Raises UnknownFact."""
    with transaction.atomic():
        statements.lock_session(session_id)
        entries = read(session_id)
        if entries:
            state = reduce(state_after, entries, SessionState())
            statements.change_session(session_id, entries[-1].at, columns(state))
        rebuild(session_id, entries)


def read(session_id: int, since: int = 0, limit: int | None = None) -> list[e.Entry]:
    """The entries behind `since`, in order. Raises UnknownFact where this version cannot read one."""
    return [_entry(row) for row in statements.read_facts(session_id, since, limit)]


def history(session_id: int) -> History:
    """The session as the agent knows it, folded from its whole log."""
    return caught_up(History(), session_id)


def caught_up(history: History, session_id: int) -> History:
    """The same history, told of what happened since."""
    for entry in read(session_id, history.seq):
        history.apply(entry)
    return history


def read_wire(session_id: int, since: int = 0, limit: int | None = None) -> list[tuple[int, str]]:
    """(seq, WireEntry as JSON text) of the entries behind `since`; never raises for what they hold."""
    return [(row.seq, entry_json(row)) for row in statements.read_facts(session_id, since, limit)]


def one_wire(session_id: int, seq: int) -> str | None:
    """The entry at `seq` as a WireEntry with nothing cut, or None where there is none."""
    return next((entry_json(row, whole=True) for row in statements.read_facts(session_id, seq - 1, 1) if row.seq == seq), None)


def _entry(row: Row) -> e.Entry:
    return e.Entry(seq=row.seq, at=row.at, fact=_fact(row), by=row.by, run_id=row.run_id or None)


def _fact(row: Row) -> e.AnyFact:
    if row.version == e.SCHEMA_VERSION:
        try:
            return e.facts.validate_json(row.data)
        except ValidationError:
            pass  # open_fact says what is wrong
    return e.open_fact(row.type, row.version, json.loads(row.data))
