"""Finding sessions: by what was said in them, and what of it a list should show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db.models import Q

from workspace.errors import Invalid
from workspace.sessions.choices import STATUSES
from workspace.sessions.models import Session, SessionQuerySet, Spoken

BEFORE, BEHIND = 32, 120
"""Characters that a snippet shows before and behind what was found: a narrow line must still show the words themselves."""


def found(sessions: SessionQuerySet, wanted: Mapping[str, str]) -> SessionQuerySet:
    """The sessions that fit `q`, `project`, `person`, `status` and `archived` (1: only those, 0: only the others). Raises Invalid."""
    status = wanted.get("status", "")
    if status and status not in STATUSES:
        raise Invalid("No such status", f"A session is one of: {', '.join(STATUSES)}.", fields={"status": ["It is unknown."]})
    narrowed = {
        "project__public_id": wanted.get("project", ""),
        "created_by__public_id": wanted.get("person", ""),
        "status": status,
    }
    sessions = sessions.filter(**{field: value for field, value in narrowed.items() if value})
    if wanted.get("archived", "") in ("0", "1"):
        sessions = sessions.filter(archived=wanted["archived"] == "1")
    return sessions.saying(words_in(wanted))


def words_in(wanted: Mapping[str, str]) -> list[str]:
    return wanted.get("q", "").replace("\0", "").split()[:8]


def snippets(sessions: Iterable[Session], words: list[str]) -> dict[int, str]:
    """Of each session the newest words around what was searched for; nothing where only its title has it."""
    if not words:
        return {}
    said = Spoken.objects.filter(Q(session__in=list(sessions)), text__icontains=words[0]).order_by("seq")
    return {session_id: snippet(text, words[0]) for session_id, text in said.values_list("session_id", "text")}


def snippet(text: str, word: str) -> str:
    """The text around the word's first place, on one line."""
    place = max(0, text.lower().find(word.lower()))
    start, end = max(0, place - BEFORE), place + len(word) + BEHIND
    middle = " ".join(text[start:end].split())
    return f"{'… ' if start else ''}{middle}{' …' if end < len(text) else ''}"
