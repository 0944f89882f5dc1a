"""Earlier sessions of a project, for the agents of later ones: `agents.ports.Past` for the host."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from channels.db import DatabaseSyncToAsync

from agents.errors import ToolError, UnknownFact
from agents.events import Entry
from agents.ports import PastSession
from agents.resources.retelling import NameOf, retold
from agents.shell.secrets import redact
from workspace.accounts.models import User, rights_in
from workspace.sessions import log
from workspace.sessions.models import Session, SessionQuerySet

MOST_ENTRIES = 10_000
"""Entries of one session that are read, the last ones."""
AT_ONCE = 200


class DatabasePast:
    """What `person`, for whom the run of `session` acts, may see in its project. Read afresh at each call: a demotion counts at once."""

    def __init__(self, session: Session, person: User | None) -> None:
        self._session, self._person = session, person

    async def sessions(self, limit: int = 100) -> Sequence[PastSession]:
        found: Sequence[PastSession] = await DatabaseSyncToAsync(self._sessions, thread_sensitive=False)(limit)
        return found

    async def transcript(self, session_id: str) -> str | None:
        found: str | None = await DatabaseSyncToAsync(self._transcript, thread_sensitive=False)(session_id)
        return found

    def _sessions(self, limit: int) -> Sequence[PastSession]:
        others = self._visible().roots().exclude(pk=self._session.root_id or self._session.pk).order_by("-active_at", "-pk")
        return [PastSession(row.public_id, row.title, row.status, row.active_at) for row in others[:limit]]

    def _transcript(self, session_id: str) -> str | None:
        row = self._visible().filter(public_id=session_id).first()
        if row is None:
            return None
        try:
            text = retold(_entries(row), _names())
        except UnknownFact as unknown:
            raise ToolError(f"The session {session_id} cannot be read by this version: {unknown}") from unknown
        return redact(f"# {row.title or 'A session'}\n{row.status}, last active {row.active_at:%Y-%m-%d %H:%M} UTC\n\n{text}")[0]

    def _visible(self) -> SessionQuerySet:
        person = self._person
        if person is None or "view" not in rights_in(person, self._session.project.team_id):
            return Session.objects.none()
        return Session.objects.visible_to(person).filter(project=self._session.project_id)


def _entries(row: Session) -> Iterator[Entry]:
    """The last ones, some at a time: whole outputs stand in them."""
    since = max(0, row.head - MOST_ENTRIES)
    while chunk := log.read(row.pk, since, AT_ONCE):
        yield from chunk
        since = chunk[-1].seq


def _names() -> NameOf:
    """Each person is looked up once."""

    @cache
    def name_of(public_id: str | None) -> str:
        if public_id is None:
            return "Another agent"
        person = User.objects.filter(public_id=public_id).first()
        return person.shown_name if person else "Somebody"

    return name_of
