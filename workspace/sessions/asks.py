"""Deciding what is open: once, by whoever is first, and only for exactly what was looked at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from django.db.models import QuerySet

from agents.events import Answer, QuestionItem
from workspace.accounts.models import User
from workspace.errors import AppError, Conflict, Invalid, Missing
from workspace.sessions.choices import AskState
from workspace.sessions.models import Ask, Question, Session

A = TypeVar("A", bound=Ask)

DECIDED: dict[str, str] = {
    AskState.ALLOWED: "allowed it",
    AskState.DENIED: "declined it",
    AskState.ANSWERED: "answered it",
    AskState.APPROVED: "approved it",
    AskState.CHANGES: "asked for changes",
    AskState.REPLACED: "put up a newer revision",
    AskState.LEFT: "ended plan mode",
    AskState.CANCELED: "stopped the run",
}


def decide(found: QuerySet[A], person: User, state: AskState, seen: str | None = None) -> A:
    """Take the one ask found from open to this state and give it.

    Raises Missing where there is none, Conflict where it was decided before or its hash is not the one that was `seen`.
    """
    still = found.filter(state=AskState.OPEN)
    if seen is not None:
        still = still.filter(hash=seen)
    won = still.update(state=state, decided_by=person)
    ask = found.select_related("decided_by").first()
    if ask is None:
        raise Missing("Nothing like this was asked here", "Reload the session: it may be an old link.")
    if not won:
        raise _too_late(ask)
    return ask


def _too_late(ask: Ask) -> AppError:
    if ask.state == AskState.OPEN:
        return Conflict("This has changed since you looked", "Look at it again before you decide.")
    who = ask.decided_by.shown_name if ask.decided_by else "The agent"
    return Conflict("Somebody was first", f"{who} {DECIDED[ask.state]}.", by=ask.decided_by)


def check_answers(session: Session, question: Question, answers: Sequence[Answer]) -> None:
    """Raises Invalid unless there is an answer to each question, made of labels it offers or of words."""
    asked = next(ask.question.questions for ask in session.view.asks if ask.question and ask.call_id == question.call_id)
    if len(asked) != len(answers):
        raise Invalid("Every question needs an answer", f"There are {len(asked)} questions and {len(answers)} answers.")
    for item, answer in zip(asked, answers, strict=True):
        _check_answer(item, answer)


def _check_answer(item: QuestionItem, answer: Answer) -> None:
    offered = [option.label for option in item.options]
    strange = [label for label in answer.labels if label not in offered]
    if strange:
        raise Invalid(f"{strange[0]!r} is not among the answers", f"{item.question} offers: {', '.join(offered) or 'free text only'}.")
    if len(answer.labels) > 1 and not item.multi_select:
        raise Invalid("Choose one answer", f"{item.question} takes a single choice.")
    if not answer.labels and not answer.text.strip():
        raise Invalid("Every question needs an answer", f"Nothing was chosen or written for: {item.question}")
