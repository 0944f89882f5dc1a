"""Finding sessions: by what was said in them, the best first, and what of it a list should show.

What a sub-agent's session says is found with the root of its tree, which is what lists show.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import connection
from django.db.models import BigIntegerField, F, QuerySet, Value
from django.db.models.expressions import RawSQL
from django.db.models.functions import Coalesce

from agents.words import placed, root_of
from workspace.errors import Invalid
from workspace.fulltext.terms import Term, read_terms
from workspace.sessions.choices import STATUSES
from workspace.sessions.models import SPOKEN, TITLE, Session, SessionQuerySet, Spoken

BEFORE, BEHIND = 32, 120
"""Characters that a snippet shows before and behind what was found: a narrow line must still show the words themselves."""
MOST_WORDS = 8
MOST_RANKED = 2_000
"""Entries whose relevance counts; sessions that have only lesser ones come behind, the newest first."""
STEPS = 10
"""Relevance is told apart in so many steps below the best; within one the newest comes first."""
TITLE_WEIGHS = 3


def found(sessions: SessionQuerySet, wanted: Mapping[str, str]) -> SessionQuerySet:
    """The sessions that fit `q`, `project`, `person`, `status` and `archived` (1: only those, 0: only the others). Raises Invalid.

    Each has its `relevance` for `q`, from 0 to STEPS.
    """
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
    return _saying(sessions, terms_in(wanted))


def terms_in(wanted: Mapping[str, str]) -> tuple[Term, ...]:
    return read_terms(wanted.get("q", ""))[:MOST_WORDS]


def is_search(wanted: Mapping[str, str]) -> bool:
    return bool(terms_in(wanted))


def _saying(sessions: SessionQuerySet, terms: Sequence[Term]) -> SessionQuerySet:
    """Those in which every term stands somewhere, in the title or in what was said, and none that is excluded.

    Step by step, each by its index: told all at once, a database may take a way that is a thousand times longer.
    """
    wanted = [term for term in terms if not term.excluded]
    if unwanted := [term for term in terms if term.excluded]:
        sessions = sessions.exclude(pk__in=_listed(_speaking(unwanted)))
    if not wanted:
        return sessions.annotate(relevance=Value(0, BigIntegerField()))
    speaking = set[int].intersection(*(_speaking([term]) for term in wanted))
    visible = set(sessions.filter(pk__in=_listed(speaking)).order_by().values_list("pk", flat=True))
    return sessions.filter(pk__in=_listed(visible)).annotate(relevance=_kept(_relevance(visible, wanted)))


def _speaking(terms: Sequence[Term]) -> set[int]:
    """The trees in which one of the terms stands, by their roots' primary keys."""
    return set(_in_trees(Spoken.objects.filter(pk__in=SPOKEN.holding(terms))).order_by().values_list("tree", flat=True).distinct())


def _in_trees(spoken: QuerySet[Spoken]) -> QuerySet[Any]:
    """Each with the `tree` in which it was said, by its root's primary key."""
    return spoken.annotate(tree=Coalesce(F("session__root"), F("session")))


def _listed(numbers: Iterable[int]) -> RawSQL:
    """The numbers for `__in`, however many there are."""
    lite = connection.vendor == "sqlite"
    unfolded = "SELECT value FROM json_each(%s)" if lite else "SELECT CAST(jsonb_array_elements_text(CAST(%s AS jsonb)) AS bigint)"
    return RawSQL(unfolded, [json.dumps(sorted(numbers))])  # noqa: S611 — the numbers are ours


def _relevance(sessions: Iterable[int], terms: Sequence[Term]) -> dict[int, int]:
    """Of each of the sessions that is among the best, its best entry's relevance in steps."""
    spoken = _in_trees(SPOKEN.ranked(Spoken.objects.all(), terms)).filter(tree__in=_listed(sessions))
    best: dict[int, int] = {}
    for session, seq, relevance in spoken.order_by("-relevance").values_list("tree", "seq", "relevance")[:MOST_RANKED]:
        best[session] = max(best.get(session, 0), relevance * (TITLE_WEIGHS if seq == TITLE else 1))
    most = max(best.values(), default=0) or 1
    return {session: relevance * STEPS // most for session, relevance in best.items()}


def _kept(relevance: Mapping[int, int]) -> RawSQL:
    """The relevance as a column of the sessions' rows."""
    row = "workspace_sessions_session.id"
    if connection.vendor == "sqlite":
        looked_up = f"json_extract(%s, '$.\"' || {row} || '\"')"
    else:
        looked_up = f"CAST(CAST(%s AS jsonb) ->> CAST({row} AS text) AS bigint)"
    return RawSQL(f"COALESCE({looked_up}, 0)", [json.dumps(relevance)], BigIntegerField())  # noqa: S611 — the numbers are ours


def snippets(sessions: Iterable[Session], terms: Sequence[Term]) -> dict[int, str]:
    """Of each session the newest words around what was searched for; nothing where only its title has it."""
    first = next((term for term in terms if not term.excluded), None)
    if first is None:
        return {}
    said = _in_trees(Spoken.objects.filter(pk__in=SPOKEN.holding([first]), seq__gt=TITLE)).filter(tree__in=[row.pk for row in sessions])
    return {tree: snippet(text, first.words[0]) for tree, text in said.order_by("seq").values_list("tree", "text")}


def snippet(text: str, word: str) -> str:
    """The text around the first place of the word or of another form of it, on one line."""
    root = root_of(word)
    places = ((start, end) for start, end, other in placed(text) if other.startswith(root))
    start, end = next(places, (0, 0))
    begin, stop = max(0, start - BEFORE), end + BEHIND
    middle = " ".join(text[begin:stop].split())
    return f"{'… ' if begin else ''}{middle}{' …' if stop < len(text) else ''}"
