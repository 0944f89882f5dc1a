"""The statements on the way of every step and every frame, in SQL: the ORM would put each together anew, for ten times its cost.

They say nothing that the models do not: the tests read what these write, and the other way round.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.db import connection
from django.utils import timezone

from workspace.sessions.wire import Row

MANY = 2**31


def lock_session(session_id: int) -> tuple[str, str, int | None]:
    """The session's public id, its state and its root's primary key, its row held until the transaction ends."""
    # SQLite has no row locks and needs none: its transactions begin IMMEDIATE, so that one at a time writes.
    lock = " FOR UPDATE" if connection.features.has_select_for_update else ""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT public_id, state, root_id FROM workspace_sessions_session WHERE id = %s{lock}", [session_id])  # noqa: S608
        public_id, state, root_id = cursor.fetchone()
    return public_id, state, root_id


FACT = "session_id, seq, at, by_id, run_id, type, version, message_id, data"


def add_facts(session_id: int, by: int | None, rows: Iterable[tuple[Row, str]]) -> None:
    """Write entries. The text beside each is the sender's id of a message, "" of anything else."""
    values = [
        (session_id, row.seq, moment(row.at), by, row.run_id, row.type, row.version, message_id, row.data) for row, message_id in rows
    ]
    with connection.cursor() as cursor:
        cursor.executemany(f"INSERT INTO workspace_sessions_loggedfact ({FACT}) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)", values)  # noqa: S608


def change_session(session_id: int, active_at: datetime, columns: Mapping[str, Any]) -> None:
    """Write the session's row. `columns` are named by the code, never by anybody's input."""
    assigned = ", ".join(f"{name} = %s" for name in columns)
    with connection.cursor() as cursor:
        sql = f"UPDATE workspace_sessions_session SET active_at = %s, {assigned} WHERE id = %s"  # noqa: S608
        cursor.execute(sql, [moment(active_at), *columns.values(), session_id])


READ = """
SELECT fact.seq, fact.at, person.public_id, fact.run_id, fact.type, fact.version, fact.data
FROM workspace_sessions_loggedfact fact LEFT JOIN accounts_user person ON person.id = fact.by_id
WHERE fact.session_id = %s AND fact.seq > %s ORDER BY fact.seq LIMIT %s
"""


def read_facts(session_id: int, since: int, limit: int | None) -> list[Row]:
    """The entries behind `since`, in order."""
    with connection.cursor() as cursor:
        cursor.execute(READ, [session_id, since, MANY if limit is None else limit])
        return [Row(seq, _aware(at), *rest) for seq, at, *rest in cursor.fetchall()]


def renew_lease(run_id: str, token: str, until: datetime) -> bool:
    """Prolong the lease of a running run. False where it is not this one any more."""
    with connection.cursor() as cursor:
        sql = "UPDATE workspace_sessions_run SET lease_until = %s WHERE public_id = %s AND lease = %s AND state = 'running'"
        cursor.execute(sql, [moment(until), run_id, token])
        return bool(cursor.rowcount == 1)


class Standing(NamedTuple):
    """All that decides whether somebody may stay. `proof` changes when a sign-in may have ended, so that it is looked at again."""

    active: bool
    role: str | None
    proof: tuple[object, ...]


STANDING = """
SELECT person.is_active, member.role, person.password, person.sign_in_round, browser.session_data, token.id
FROM accounts_user person
LEFT JOIN accounts_membership member ON member.user_id = person.id AND member.team_id = %s
LEFT JOIN django_session browser ON browser.session_key = %s AND browser.expire_date > %s
LEFT JOIN accounts_apitoken token ON token.id = %s AND token.user_id = person.id
WHERE person.id = %s
"""


def standing(user_id: int, team_id: int, request_session: str, token: int | None) -> Standing | None:
    """None where the person is gone altogether."""
    with connection.cursor() as cursor:
        cursor.execute(STANDING, [team_id, request_session, moment(timezone.now()), token, user_id])
        found: tuple[Any, ...] | None = cursor.fetchone()
    return Standing(bool(found[0]), found[1], found[2:]) if found else None


def moment(at: datetime) -> Any:
    """A time as this database takes it."""
    return connection.ops.adapt_datetimefield_value(at)


def _aware(at: datetime) -> datetime:
    return at if at.tzinfo else at.replace(tzinfo=UTC)
