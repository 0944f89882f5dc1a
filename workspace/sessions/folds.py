"""Folds of the log that are kept as tables, so that they can be queried: one function a fact, in one table of them.

A fold never refuses a fact: the log has already spoken.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from agents import events as e
from workspace.accounts.models import User
from workspace.sessions.choices import AskState
from workspace.sessions.models import TITLE, Approval, PlanComment, PlanReview, PlanRevision, Question, Spoken

SEARCHED = 20_000
"""Characters of one entry's words that search can find."""


@dataclass(frozen=True)
class Place:
    """Where and by whom a fact was said. `by` is the person's primary key."""

    session_id: int
    seq: int
    at: datetime
    by: int | None


def fold(session_id: int, entry: e.Entry, by: int | None) -> None:
    """Bring the tables up to this entry."""
    kept = FOLDS.get(type(entry.fact))
    if kept is not None:
        kept(Place(session_id, entry.seq, entry.at, by), entry.fact)


def rebuild(session_id: int, entries: Sequence[e.Entry]) -> None:
    """Throw the session's folded rows away and make them again from its whole log. Call it in a transaction."""
    people = dict(User.objects.filter(public_id__in={entry.by for entry in entries if entry.by}).values_list("public_id", "pk"))
    for table in (Approval, Question, PlanRevision, PlanReview, PlanComment, Spoken):
        table.objects.filter(session_id=session_id).delete()
    for entry in entries:
        fold(session_id, entry, people.get(entry.by or ""))


def _asked(place: Place, fact: e.ApprovalAsked | e.QuestionAsked | e.PlanProposed) -> dict[str, Any]:
    """An open ask. The same id may be asked about again: models number their calls as they like."""
    return {"call_id": fact.call_id, "seq": place.seq, "state": AskState.OPEN, "decided_by": None, "decided_seq": None}


def _approval_asked(place: Place, fact: e.ApprovalAsked) -> None:
    Approval.objects.update_or_create(
        session_id=place.session_id,
        approval_id=fact.approval_id,
        defaults={**_asked(place, fact), "tool": fact.tool, "subject": fact.subject, "hash": fact.hash, "scope": "", "reason": ""},
    )


def _approval_decided(place: Place, fact: e.ApprovalDecided) -> None:
    Approval.objects.filter(session_id=place.session_id, approval_id=fact.approval_id).update(
        state=fact.verdict, scope=fact.scope, reason=fact.reason, decided_by=place.by, decided_seq=place.seq
    )


def _question_asked(place: Place, fact: e.QuestionAsked) -> None:
    Question.objects.update_or_create(
        session_id=place.session_id,
        question_id=fact.question_id,
        defaults={**_asked(place, fact), "asked": len(fact.questions)},
    )


def _question_answered(place: Place, fact: e.QuestionAnswered) -> None:
    Question.objects.filter(session_id=place.session_id, question_id=fact.question_id).update(
        state=AskState.ANSWERED, decided_by=place.by, decided_seq=place.seq
    )


def _ask_canceled(place: Place, fact: e.AskCanceled) -> None:
    table: Any = {"approval": Approval, "question": Question, "plan": PlanRevision}[fact.ask]
    table.objects.filter(session_id=place.session_id, call_id=fact.call_id).unanswered().update(
        state=AskState.CANCELED, decided_by=place.by, decided_seq=place.seq
    )


def _plan_proposed(place: Place, fact: e.PlanProposed) -> None:
    _end_revisions(place, AskState.REPLACED)
    written = {"text": fact.text, "summary": fact.summary, "hash": fact.hash, "plan_file": fact.plan_file}
    PlanRevision.objects.update_or_create(
        session_id=place.session_id,
        revision=fact.revision,
        defaults={**_asked(place, fact), **written, "at": place.at, "by_id": place.by},
    )
    _spoken(place, fact)


def _plan_reviewed(place: Place, fact: e.PlanReviewed) -> None:
    PlanRevision.objects.filter(session_id=place.session_id, revision=fact.revision).update(
        state=fact.verdict, decided_by=place.by, decided_seq=place.seq
    )
    said = {"revision": fact.revision, "verdict": fact.verdict, "message": fact.message}
    PlanReview.objects.create(session_id=place.session_id, **said, seq=place.seq, at=place.at, by_id=place.by)


def _plan_commented(place: Place, fact: e.PlanCommented) -> None:
    said = fact.model_dump(exclude={"type"})
    PlanComment.objects.create(session_id=place.session_id, **said, seq=place.seq, at=place.at, by_id=place.by)


def _plan_left(place: Place, fact: e.PlanLeft) -> None:
    _end_revisions(place, AskState.LEFT)


def _end_revisions(place: Place, how: AskState) -> None:
    PlanRevision.objects.filter(session_id=place.session_id).unanswered().update(state=how, decided_by=place.by, decided_seq=place.seq)


def _titled(place: Place, fact: e.SessionOpened | e.SessionRenamed) -> None:
    Spoken.objects.update_or_create(session_id=place.session_id, seq=TITLE, defaults={"text": fact.title})


def _spoken(place: Place, fact: e.AnyFact) -> None:
    if words := words_of(fact):
        Spoken.objects.create(session_id=place.session_id, seq=place.seq, text=words[:SEARCHED])


def words_of(fact: e.AnyFact) -> str:
    """What people or the agent said in it, for search."""
    match fact:
        case e.AgentSpoke():
            return "\n\n".join(part.text for part in fact.parts if isinstance(part, e.Text)).strip()
        case e.UserSpoke() | e.CommentAdded() | e.PlanProposed():
            return fact.text
        case e.CompletionAttempted():
            return fact.result
    return ""


FOLDS: dict[type[e.Fact], Callable[[Place, Any], None]] = {
    e.SessionOpened: _titled,
    e.SessionRenamed: _titled,
    e.UserSpoke: _spoken,
    e.AgentSpoke: _spoken,
    e.CommentAdded: _spoken,
    e.ApprovalAsked: _approval_asked,
    e.ApprovalDecided: _approval_decided,
    e.QuestionAsked: _question_asked,
    e.QuestionAnswered: _question_answered,
    e.AskCanceled: _ask_canceled,
    e.PlanProposed: _plan_proposed,
    e.PlanReviewed: _plan_reviewed,
    e.PlanCommented: _plan_commented,
    e.PlanLeft: _plan_left,
}
