"""The tool `ask_followup_question`."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from agents.events import QuestionItem
from agents.tools.alfredo.worded import Worded
from agents.tools.oats.questions import answer_in_words, answers_of, asking, nth_answer, told_of
from agents.tools.tool import Decision, ToolContext, ToolResult


class AskFollowupQuestion(Worded):
    """One question in free words; the call waits until a person has answered."""

    name: ClassVar[str] = "ask_followup_question"
    description: ClassVar[str] = (
        "Ask the people one question and wait for their answer, which is the result. Ask for what you cannot find out with your other "
        "tools and what changes what you do, such as a decision that is theirs."
    )
    keywords: ClassVar[tuple[str, ...]] = ("ask", "clarify", "user", "question", "input")
    mutates: ClassVar[bool] = False
    asks: ClassVar[Literal["allow", "ask"]] = "allow"

    question: str = Field(min_length=1, description="The whole question, such that it can be answered without having followed your work.")

    async def run(self, context: ToolContext) -> ToolResult:
        return asking(context, "Question", f"[AWAITING_USER_RESPONSE]\n{self.question}", (QuestionItem(question=self.question),))

    async def conclude(self, decision: Decision, context: ToolContext) -> ToolResult:
        answers = answers_of(decision)
        return ToolResult("Answered", f"{self.question}\n→ {answer_in_words(nth_answer(answers, 1))}", told_of(answers))
