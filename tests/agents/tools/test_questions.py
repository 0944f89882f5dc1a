"""Questions: what people are shown, and what the agent reads when they have answered."""

from __future__ import annotations

from typing import Any

import pytest

from agents.errors import ToolError
from agents.events import Answer, PlanReviewed, QuestionAnswered, QuestionAsked
from tests.agents.tools.hands import Hands

APPROACH = {
    "question": "Which approach?", "header": "Approach", "multiSelect": True,
    "options": [{"label": "A", "description": "Option A"}, {"label": "B", "description": "Option B"}],
}  # fmt: skip
NAME = {"question": "Which name?", "options": [{"label": "x"}, {"label": "y"}]}


def answered(*answers: Answer) -> QuestionAnswered:
    return QuestionAnswered(question_id="q", call_id="call-1", answers=answers)


async def test_a_question_waits_and_carries_what_the_page_needs(hands: Hands) -> None:
    result = await hands.call("question", questions=[APPROACH, NAME])
    assert isinstance(result.waits, QuestionAsked)
    assert [(item.header, item.multi_select) for item in result.waits.questions] == [("Approach", True), ("", False)]
    assert "1. [Approach] Which approach? (several may be chosen)\n   a) A\n      Option A" in result.output


async def test_answers_stand_with_their_questions(hands: Hands) -> None:
    decision = answered(Answer(labels=("A", "B"), text="both,\nplease"), Answer())
    result = await hands.conclude("question", decision, questions=[APPROACH, NAME])
    assert result.output == "1. Which approach?\n   → A, B — both,\n     please\n\n2. Which name?\n   → (no answer)"


async def test_one_question_shows_its_default_with_a_star(hands: Hands) -> None:
    result = await hands.call("ask_user", question="Which color?", options=["red", "blue"], default="blue")
    assert result.output == "Question: Which color?\n\nOptions:\n   1. red\n  *2. blue\n\nDefault: blue"


async def test_an_empty_answer_means_the_default(hands: Hands) -> None:
    args: dict[str, Any] = {"question": "Color?", "default": "blue"}
    assert "→ blue (nothing was answered" in (await hands.conclude("ask_user", answered(Answer()), **args)).output
    assert (await hands.conclude("ask_user", answered(Answer(text="red")), **args)).output == "Color?\n→ red"


async def test_a_header_too_long_is_cut_rather_than_refused(hands: Hands) -> None:
    result = await hands.call("question", questions=[{**NAME, "header": "An endless header"}])
    assert isinstance(result.waits, QuestionAsked)
    assert result.waits.questions[0].header == "An endless …"


@pytest.mark.parametrize(
    "questions", [[], [NAME] * 5, [{**NAME, "options": [{"label": "x"}]}], [{**NAME, "options": [{"label": "x"}] * 5}], ["text"]]
)
async def test_a_set_of_questions_has_its_bounds(questions: list[Any], hands: Hands) -> None:
    assert "Invalid arguments for question" in str((await hands.call("question", questions=questions)).error)


async def test_a_review_is_no_answer(hands: Hands) -> None:
    with pytest.raises(ToolError, match="waits for an answer"):
        await hands.conclude("question", PlanReviewed(revision=1, hash="", verdict="approved"), questions=[NAME])
