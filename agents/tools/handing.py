"""Commands that are handed to a person, because they need one at a terminal; and commands that cannot be held back."""

from __future__ import annotations

import uuid
from typing import Any

from agents.errors import ToolError
from agents.events import Option, QuestionAnswered, QuestionAsked, QuestionItem
from agents.tools.tool import Decision, ToolContext, ToolResult

TITLE = "Bash (by hand)"
DONE = Option(label="I ran it", description="Its output, or what came of it, goes into the text below.")
SKIPPED = Option(label="Skip it", description="The agent goes on without it.")


def refuse_unheld(context: ToolContext) -> None:
    """Raises ToolError where this agent may change nothing and no sandbox would keep its commands from it."""
    if context.sandbox.level == "local" and not context.sandbox.writable:
        raise ToolError("There are no commands for you here: you may change nothing, and no sandbox works that could hold a command back.")


def handed_over(command: str, reason: str, context: ToolContext) -> ToolResult:
    """The question whether the person has run it."""
    asked = f"This needs a terminal: {reason}. Please run it yourself, and paste what matters of its output."
    text = f"{asked}\n\n```sh\n{command}\n```"
    item = QuestionItem(question=text, header="By hand", options=(DONE, SKIPPED))
    ask = QuestionAsked(question_id=uuid.uuid4().hex, call_id=context.call_id, questions=(item,))
    return ToolResult(TITLE, text, {"command": command, "by_hand": True, "awaiting_response": True}, waits=ask)


def taken_back(command: str, decision: Decision) -> ToolResult:
    """The result, from what the person said."""
    if not isinstance(decision, QuestionAnswered):
        raise ToolError("This call waits for a person to run the command, not for anything else.")
    answer = decision.answers[0]
    told = f"\nThey say:\n{answer.text.strip()}" if answer.text.strip() else ""
    metadata: dict[str, Any] = {"command": command, "by_hand": True, "exit_code": None}
    if answer.labels == (SKIPPED.label,):
        return ToolResult(TITLE, told.strip(), metadata, "The person did not run this command. Go on without it, or ask how.")
    return ToolResult(TITLE, f"The person ran the command in a terminal of their own.{told}", metadata)
