"""The tools `question` and `ask_user`: the agent asks, the call waits, people's answer is its result."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from agents.errors import ToolError
from agents.events import Answer, Option, QuestionAnswered, QuestionAsked, QuestionItem
from agents.tools.tool import Decision, Tool, ToolContext, ToolResult

LONGEST_HEADER = 12


class OptionInput(BaseModel):
    """One answer to choose."""

    label: str = Field(min_length=1, description="The answer in a few words.")
    description: str = Field("", description="What choosing it means.")


class QuestionInput(BaseModel):
    """One question with its answers."""

    model_config = ConfigDict(populate_by_name=True)

    question: str = Field(min_length=1, description="The whole question.")
    header: str = Field("", description=f"A label for it, at most {LONGEST_HEADER} characters.")
    options: list[OptionInput] = Field(min_length=2, max_length=4, description="Two to four answers; people may also write their own.")
    multi_select: bool = Field(False, alias="multiSelect", description="Whether several answers may be chosen.")

    def item(self) -> QuestionItem:
        options = tuple(Option(label=option.label, description=option.description) for option in self.options)
        header = self.header if len(self.header) <= LONGEST_HEADER else f"{self.header[: LONGEST_HEADER - 1]}…"
        return QuestionItem(question=self.question, header=header, options=options, multi_select=self.multi_select)


class Question(Tool):
    """One to four questions with two to four answers each; waits until a person has answered."""

    name: ClassVar[str] = "question"
    description: ClassVar[str] = (
        "Ask the people one to four questions with two to four answers each, and wait for what they say; they may also answer in their "
        "own words. Ask only what you cannot find out and what changes what you do."
    )
    keywords: ClassVar[tuple[str, ...]] = ("ask", "choose", "clarify", "user", "options")
    mutates: ClassVar[bool] = False
    asks: ClassVar[Literal["allow", "ask"]] = "allow"
    always_load: ClassVar[bool] = True

    questions: list[QuestionInput] = Field(min_length=1, max_length=4, description="The questions.")

    async def run(self, context: ToolContext) -> ToolResult:
        items = tuple(question.item() for question in self.questions)
        text = "\n\n".join(_lettered(number, item) for number, item in enumerate(items, 1))
        return asking(context, f"Question{'s' * (len(items) > 1)}", text, items)

    async def conclude(self, decision: Decision, context: ToolContext) -> ToolResult:
        answers = answers_of(decision)
        items = [question.item() for question in self.questions]
        lines = [f"{number}. {item.question}\n   → {answer_in_words(nth_answer(answers, number))}" for number, item in enumerate(items, 1)]
        return ToolResult("Answered", "\n\n".join(lines), told_of(answers))


class AskUser(Tool):
    """One question, with or without answers to choose; the default holds when a person leaves it empty."""

    name: ClassVar[str] = "ask_user"
    description: ClassVar[str] = "Ask the people one question, with answers to choose or free text, and wait for what they say."
    keywords: ClassVar[tuple[str, ...]] = ("ask", "clarify", "user", "input")
    mutates: ClassVar[bool] = False
    asks: ClassVar[Literal["allow", "ask"]] = "allow"

    question: str = Field(min_length=1, description="The whole question.")
    options: list[str] = Field(default_factory=list, max_length=26, description="Answers to choose; none for free text.")
    default: str = Field("", description="What holds when the person answers nothing.")

    async def run(self, context: ToolContext) -> ToolResult:
        item = QuestionItem(question=self.question, options=tuple(Option(label=label) for label in self.options))
        parts = [f"Question: {self.question}"]
        if self.options:
            stars = ("*" if option == self.default else " " for option in self.options)
            listed = [f"  {star}{number}. {option}" for number, (star, option) in enumerate(zip(stars, self.options, strict=True), 1)]
            parts.append("\n".join(["Options:", *listed]))
        else:
            parts.append("(Any text may be the answer.)")
        parts += [f"Default: {self.default}"] if self.default else []
        return asking(context, "Question", "\n\n".join(parts), (item,), self.default)

    async def conclude(self, decision: Decision, context: ToolContext) -> ToolResult:
        answers = answers_of(decision)
        answer = nth_answer(answers, 1)
        if not answer.labels and not answer.text.strip() and self.default:
            text = f"{self.question}\n→ {self.default} (nothing was answered, so the default holds)"
            return ToolResult("Answered", text, told_of(answers))
        return ToolResult("Answered", f"{self.question}\n→ {answer_in_words(answer)}", told_of(answers))


def asking(context: ToolContext, title: str, text: str, items: tuple[QuestionItem, ...], default: str | None = None) -> ToolResult:
    """The result that puts these questions to people; `text` is for a host without any."""
    ask = QuestionAsked(question_id=uuid.uuid4().hex, call_id=context.call_id, questions=items, default=default or "")
    metadata = {"awaiting_response": True} | ({} if default is None else {"default": default})
    return ToolResult(title, text, metadata, waits=ask)


def _lettered(number: int, item: QuestionItem) -> str:
    header = f"[{item.header}] " if item.header else ""
    several = " (several may be chosen)" if item.multi_select else ""
    lines = [f"{number}. {header}{item.question}{several}"]
    for letter, option in zip("abcd", item.options, strict=False):
        lines.append(f"   {letter}) {option.label}")
        if option.description:
            lines.append(f"      {option.description}")
    return "\n".join(lines)


def answers_of(decision: Decision) -> tuple[Answer, ...]:
    """What people said. Raises ToolError for a decision that is no answer."""
    if not isinstance(decision, QuestionAnswered):
        raise ToolError("This call waits for an answer, not for the review of a plan.")
    return decision.answers


def nth_answer(answers: tuple[Answer, ...], number: int) -> Answer:
    return answers[number - 1] if number <= len(answers) else Answer()


def answer_in_words(answer: Answer) -> str:
    """Choices first, then the person's own words; every line belongs to the answer."""
    spoken = ", ".join(answer.labels)
    text = answer.text.strip().replace("\n", "\n     ")
    return " — ".join(part for part in (spoken, text) if part) or "(no answer)"


def told_of(answers: tuple[Answer, ...]) -> dict[str, Any]:
    """What is kept of the answers beside their text."""
    return {"awaiting_response": False, "answers": [answer.model_dump(mode="json") for answer in answers]}
