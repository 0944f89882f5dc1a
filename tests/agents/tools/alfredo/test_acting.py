"""`execute_command`, in a real (unconfined) sandbox; `ask_followup_question`, `attempt_completion` and the todo list."""

from __future__ import annotations

import asyncio
import time
from time import monotonic
from typing import Any

import pytest

from agents.errors import InvalidArguments, ToolError
from agents.events import Answer, CompletionAttempted, PlanReviewed, QuestionAnswered, QuestionAsked, Todo, TodosWritten
from agents.tools.alfredo.execute_command import MOST_CHARACTERS
from tests.agents.tools.hands import Hands

SECRET = "AKIAABCDEFGHIJKLMNOP"


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("echo out", "STDOUT:\nout\n\nCommand exited with code 0"),
        ("echo err >&2", "STDERR:\nerr\n\nCommand exited with code 0"),
        ("echo out; echo err >&2; exit 3", "STDOUT:\nout\n\nSTDERR:\nerr\n\nCommand exited with code 3"),
        ("true", "Command completed with no output\n\nCommand exited with code 0"),
        ("false", "Command completed with no output\n\nCommand exited with code 1"),
        ("printf '  a\\n\\n'", "STDOUT:\n  a\n\nCommand exited with code 0"),
    ],
)
async def test_what_a_command_prints_is_told_apart_and_any_exit_code_is_a_success(hands: Hands, command: str, output: str) -> None:
    result = await hands.call("execute_command", command=command)
    assert (result.error, result.output) == (None, output)
    assert result.title == f"Command (exit {result.metadata['exit_code']})"


async def test_a_command_that_takes_too_long_is_ended_with_everything_it_started_and_its_output_kept(hands: Hands) -> None:
    began = time.monotonic()
    result = await hands.call("execute_command", command="echo begun; echo bad >&2; (sleep 60; touch late) & sleep 61", timeout="1")
    assert time.monotonic() - began < 15
    assert "timed out after 1 seconds" in (result.error or "")
    assert result.output == "STDOUT:\nbegun\n\nSTDERR:\nbad"
    assert (result.metadata["timeout"], result.metadata["exit_code"], result.title) == (True, -1, "Command (timeout)")


async def test_a_command_killed_by_a_signal_says_which(hands: Hands) -> None:
    assert "SIGKILL" in str((await hands.call("execute_command", command="kill -9 $$")).error)


@pytest.mark.parametrize(("given", "seconds"), [("300", 300), (5, 5), ("soon", 120), ("", 120), ("12.5", 120), (None, 120), (" 7 ", 7)])
def test_a_timeout_that_is_no_number_is_the_usual_one(hands: Hands, given: Any, seconds: int) -> None:
    assert hands.tool("execute_command", {"command": "x", "timeout": given}).arguments()["timeout"] == seconds


@pytest.mark.parametrize("given", [0, -1, "-5", 1.5, [1]])
def test_a_timeout_that_makes_no_sense_is_refused(hands: Hands, given: Any) -> None:
    with pytest.raises(InvalidArguments, match="timeout"):
        hands.tool("execute_command", {"command": "x", "timeout": given})


async def test_a_timeout_beyond_the_most_is_cut_and_said(hands: Hands) -> None:
    result = await hands.call("execute_command", command="true", timeout=99_999)
    assert result.output.endswith("[timeout 99999 was cut to 3600 seconds, the most there is]")


async def test_of_a_long_output_the_beginning_and_the_end_are_kept_and_errors_are_never_crowded_out(hands: Hands) -> None:
    result = await hands.call("execute_command", command="seq 1 100000; echo the reason >&2")
    assert "STDOUT:\n1\n2\n" in result.output
    assert "characters left out" in result.output
    assert "\n100000\n\nSTDERR:\nthe reason\n\nCommand exited with code 0" in result.output
    flood = await hands.call("execute_command", command="head -c 9000000 /dev/zero | tr '\\0' x; echo the reason >&2")
    assert len(flood.output) < MOST_CHARACTERS + 400
    assert "STDERR:\nthe reason" in flood.output
    assert "bytes more were printed than are kept" in flood.output
    assert flood.metadata["truncated"]


async def test_secrets_are_taken_out_of_both_outputs(hands: Hands) -> None:
    result = await hands.call("execute_command", command=f"echo {SECRET}; echo {SECRET} >&2")
    assert SECRET not in result.output
    assert SECRET not in "".join(hands.shown)
    assert result.redactions == 2


async def test_output_is_shown_while_it_comes_and_a_stop_ends_the_command(hands: Hands) -> None:
    running = asyncio.create_task(hands.call("execute_command", command="echo on; sleep 60; touch late"))
    async with asyncio.timeout(20):
        while "on\n" not in "".join(hands.shown):
            await asyncio.sleep(0.02)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert hands.files() == {}


async def test_a_command_that_needs_a_terminal_is_handed_to_a_person(hands: Hands) -> None:
    result = await hands.call("execute_command", command="vim a.txt")
    assert isinstance(result.waits, QuestionAsked)
    assert hands.tool("execute_command", {"command": "vim a.txt"}).requires_permission(hands.context()) is None
    told = await hands.conclude("execute_command", answered(Answer(labels=("I ran it",), text="saved")), command="vim a.txt")
    assert "saved" in told.output


def test_people_see_the_command_before_they_allow_it(hands: Hands) -> None:
    command = hands.tool("execute_command", {"command": "make test"})
    assert (command.subject(hands.context()), command.requires_permission(hands.context())) == ("make test", "Run: make test")
    aws = hands.tool("execute_command", {"command": "aws s3 rm s3://a --recursive"})
    assert (aws.risk(hands.context()), "[AWS" in aws.prompt(hands.context())) == ("high", True)


async def test_there_are_no_commands_where_nothing_could_hold_them_back(hands: Hands) -> None:
    kept = Hands(hands.root, toolset="alfredo", writable=False)
    assert "There are no commands for you here" in str((await kept.call("execute_command", command="true")).error)
    with pytest.raises(ToolError, match="There are no commands"):
        kept.tool("execute_command", {"command": "true"}).requires_permission(kept.context())


def answered(*answers: Answer) -> QuestionAnswered:
    return QuestionAnswered(question_id="q", call_id="call-1", answers=answers)


async def test_a_question_waits_for_people_and_their_answer_is_its_result(hands: Hands) -> None:
    asked = await hands.call("ask_followup_question", question="Which folder?")
    assert isinstance(asked.waits, QuestionAsked)
    assert [item.question for item in asked.waits.questions] == ["Which folder?"]
    assert asked.output == "[AWAITING_USER_RESPONSE]\nWhich folder?"
    result = await hands.conclude("ask_followup_question", answered(Answer(text=" src ")), question="Which folder?")
    assert result.output == "Which folder?\n→ src"
    assert "(no answer)" in (await hands.conclude("ask_followup_question", answered(), question="Which?")).output
    with pytest.raises(ToolError, match="waits for an answer"):
        await hands.conclude("ask_followup_question", PlanReviewed(revision=1, hash="h", verdict="approved"), question="Which?")


async def test_a_completion_is_a_fact_and_told_with_its_command(hands: Hands) -> None:
    result = await hands.call("attempt_completion", result="Made hello.py.", command="python hello.py")
    assert result.output == "[TASK_COMPLETE]\nMade hello.py.\n\nFinal command executed: python hello.py"
    assert hands.facts == [CompletionAttempted(call_id="call-1", result="Made hello.py.", command="python hello.py")]
    leaky = await hands.call("attempt_completion", result="ghp_" + "a1B2" * 10 + " works.", command="\0")
    assert leaky.facts == (CompletionAttempted(call_id="call-1", result="[redacted] works.", command="\ufffd"),)
    assert (await hands.call("attempt_completion", result="Done.")).output == "[TASK_COMPLETE]\nDone."
    with pytest.raises(InvalidArguments, match="result"):
        hands.tool("attempt_completion", {})


LIST = """# Plan
1. [x] Find the cause
2. [~] Mend it
   in one place
3. [ ] Run the tests
- [X] And this
* [ ] and that
7) Something without a box
[ ] Without a number
Plain words
"""


async def test_a_checklist_becomes_the_sessions_todos(hands: Hands) -> None:
    written = await hands.call("write_todo_list", content=LIST)
    (fact,) = hands.facts
    assert isinstance(fact, TodosWritten)
    assert [(todo.content, todo.status) for todo in fact.todos] == [
        ("Find the cause", "completed"), ("Mend it\nin one place", "in_progress"), ("Run the tests", "pending"), ("And this", "completed"),
        ("and that", "pending"), ("Something without a box", "pending"), ("Without a number", "pending"), ("Plain words", "pending"),
    ]  # fmt: skip
    assert written.output.startswith("Todo list updated:\n\n1. [x] Find the cause\n2. [~] Mend it\n   in one place\n3. [ ] Run the tests\n")
    assert written.metadata == {"count": 8, "pending": 5, "in_progress": 1, "completed": 2}


async def test_the_list_is_read_as_people_left_it_and_can_be_written_back(hands: Hands) -> None:
    assert (await hands.call("read_todo_list")).output == "No todo list created yet."
    hands.todos = (Todo(content="By a person", status="pending"), Todo(content="Two\nlines", status="completed"))
    read = await hands.call("read_todo_list")
    assert read.output == "1. [ ] By a person\n2. [x] Two\n   lines"
    await hands.call("write_todo_list", content=read.output)
    assert [(todo.content, todo.status) for todo in hands.todos] == [("By a person", "pending"), ("Two\nlines", "completed")]


async def test_an_empty_list_clears_and_one_without_a_task_is_refused(hands: Hands) -> None:
    await hands.call("write_todo_list", content="1. [ ] x")
    assert "There is no task in this list" in str((await hands.call("write_todo_list", content="# Only a heading")).error)
    assert len(hands.todos) == 1
    assert (await hands.call("write_todo_list", content=" \n")).output == "Todo list cleared."
    assert not hands.todos


async def test_no_list_takes_long_to_understand(hands: Hands) -> None:
    began = monotonic()
    await hands.call("write_todo_list", content=" " * 200_000 + "x\n1." + " " * 200_000 + "y")
    assert monotonic() - began < 20
