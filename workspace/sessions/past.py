"""Earlier sessions of a project, for the agents of later ones: `agents.ports.Past` for the host."""

from __future__ import annotations

from collections.abc import Sequence

from channels.db import DatabaseSyncToAsync

from agents.errors import ToolError, UnknownFact
from agents.ports import PastSession
from agents.resources.retelling import retold
from agents.shell.secrets import redact
from workspace.accounts.models import User, rights_in
from workspace.sessions import log
from workspace.sessions.models import Session, SessionQuerySet

MOST_ENTRIES = 10_000
"""Entries of one session that are read, the last ones."""


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
            entries = log.read(row.pk, max(0, row.head - MOST_ENTRIES))
        except UnknownFact as unknown:
            raise ToolError(f"The session {session_id} cannot be read by this version: {unknown}") from unknown
        said_by = {entry.by for entry in entries if entry.by}
        people = {person.public_id: person.shown_name for person in User.objects.filter(public_id__in=said_by)}
        text = retold(entries, lambda by: people.get(by, "Somebody") if by else "Another agent")
        return redact(f"# {row.title or 'A session'}\n{row.status}, last active {row.active_at:%Y-%m-%d %H:%M} UTC\n\n{text}")[0]

    def _visible(self) -> SessionQuerySet:
        person = self._person
        if person is None or "view" not in rights_in(person, self._session.project.team_id):
            return Session.objects.none()
        return Session.objects.visible_to(person).filter(project=self._session.project_id)
