"""What a page loads first, as ready JSON text: the stored state is pasted, and of the log only the end is read."""

from __future__ import annotations

import json

from django.db.models import Q

from agents.providers.catalog import PROVIDERS, known_window
from workspace.accounts.models import User
from workspace.accounts.rights import ALL_RIGHTS, Right
from workspace.projects.confinement import confinement_of
from workspace.sessions import doors, log
from workspace.sessions.models import Session
from workspace.sessions.protocol import Person
from workspace.sessions.state import SessionState


def snapshot_json(session: Session, rights: frozenset[Right], limit: int) -> str:
    """A Snapshot. The session's row and what is read of the log belong together: entries behind its head are left to the socket."""
    state = session.view
    first = max(1, state.head - limit + 1)
    entries = log.read_wire(session.pk, first - 1, state.head - first + 1) if state.head else []
    about = {
        "session_id": session.public_id,
        "project_id": session.project.public_id,
        "project_name": session.project.name,
        "team_id": session.project.team.public_id,
        "created_by": session.created_by.public_id if session.created_by else None,
        "rights": [right for right in ALL_RIGHTS if right in rights],
        "people": [person.model_dump() for person in people_of(session, state)],
        "first": first if first > 1 else 0,
        "sandbox": confinement_of(session.project).level,
        "provider_note": PROVIDERS[state.provider].note if state.provider in PROVIDERS else "",
        "context_window": known_window(state.provider, state.model),
    }
    return f'{json.dumps(about)[:-1]}, "state": {state.model_dump_json()}, "entries": [{",".join(text for _, text in entries)}]}}'


def people_of(session: Session, state: SessionState) -> list[Person]:
    """The team, and whoever else had a part in the session: entries name them by id."""
    had_a_part = session.facts.exclude(by=None).values("by").distinct()
    members = Q(memberships__team=session.project.team_id)
    return [doors.person(user) for user in User.objects.filter(members | Q(pk__in=had_a_part)).distinct().order_by("pk")]
