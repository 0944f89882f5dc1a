"""bash in a real (unconfined) sandbox."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from agents.events import Answer, QuestionAnswered, QuestionAsked
from agents.tools.oats.bash import MOST_CHARACTERS
from tests.agents.tools.hands import Hands

SECRET = "AKIAABCDEFGHIJKLMNOP"


async def test_a_failing_command_is_an_error_that_keeps_its_output(hands: Hands) -> None:
    result = await hands.call("bash", command="echo out; exit 3")
    assert (result.title, result.output, result.error) == ("Bash (exit 3)", "out\n", "Command exited with code 3")
    assert result.metadata == {
        "command": "echo out; exit 3", "exit_code": 3, "working_dir": ".", "truncated": False, "timeout": False,
    }  # fmt: skip


async def test_it_is_bash_in_the_folder_asked_for(hands: Hands) -> None:
    hands.put({"sub/x.txt": "here"})
    result = await hands.call("shell", command="[[ -n x ]] && cat x.txt", working_dir="sub", timeout="20")
    assert (result.error, result.output) == (None, "here")


async def test_a_command_that_takes_too_long_is_ended_and_its_output_kept(hands: Hands) -> None:
    began = time.monotonic()
    result = await hands.call("bash", command="echo begun; sleep 60 & sleep 61", timeout=1)
    assert time.monotonic() - began < 10
    assert (result.title, result.output, result.metadata["exit_code"]) == ("Bash (timeout)", "begun\n", -1)
    assert result.metadata["timeout"]
    assert "timed out after 1 seconds" in str(result.error)


async def test_a_command_killed_by_a_signal_says_which(hands: Hands) -> None:
    assert "SIGKILL" in str((await hands.call("bash", command="kill -9 $$")).error)


async def test_long_output_is_cut_and_says_how_much_is_left_out(hands: Hands) -> None:
    result = await hands.call("bash", command="seq 1 6000")
    assert result.output.endswith("\n5000\n\n[Output cut: 1000 more lines (4981 characters) were left out]".replace("4981", "5001"))
    assert result.metadata["truncated"]
    assert (await hands.call("bash", command="seq 1 5000")).output.endswith("5000")


async def test_one_endless_line_is_cut_too(hands: Hands) -> None:
    result = await hands.call("bash", command="head -c 50000000 /dev/zero | tr '\\0' x")
    assert len(result.output) < MOST_CHARACTERS + 200
    assert "more bytes" in result.output
    assert sum(map(len, hands.shown)) <= MOST_CHARACTERS


async def test_output_is_shown_while_it_comes(hands: Hands) -> None:
    running = asyncio.create_task(hands.call("bash", command="echo first; while [ ! -e go ]; do sleep 0.05; done; echo second"))
    async with asyncio.timeout(20):
        while not hands.shown:
            await asyncio.sleep(0.02)
    assert not running.done()
    hands.put({"go": ""})
    assert (await running).output == "first\nsecond\n" == "".join(hands.shown)


async def test_secrets_are_hidden_live_and_in_the_result(hands: Hands) -> None:
    result = await hands.call("bash", command=f"echo key {SECRET}; printf '%s' {SECRET}")
    assert SECRET not in result.output + "".join(hands.shown)
    assert result.redactions == 2


async def test_being_stopped_ends_the_command(hands: Hands) -> None:
    running = asyncio.create_task(hands.call("bash", command="echo on; sleep 60; touch late"))
    async with asyncio.timeout(20):
        while not hands.shown:
            await asyncio.sleep(0.02)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert "late" not in hands.files()


async def test_invalid_bytes_are_shown_as_such(hands: Hands) -> None:
    assert (await hands.call("bash", command="printf 'a\\xffb'")).output == "a\N{REPLACEMENT CHARACTER}b"


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        ({"command": "true", "timeout": 0}, "timeout"),
        ({"command": "true", "timeout": -5}, "timeout"),
        ({"command": "true", "timeout": "soon"}, "timeout"),
        ({"command": ""}, "command"),
        ({"command": "a\0b"}, "NUL"),
        ({"command": "true", "working_dir": "gone"}, "gone"),
        ({"command": "true", "working_dir": "file"}, "not a folder"),
        ({"command": "true", "working_dir": ".."}, ".."),
        ({"command": "true", "working_dir": "/"}, "/"),
    ],
)
async def test_what_cannot_be_run_says_why(args: dict[str, Any], reason: str, hands: Hands) -> None:
    hands.put({"file": ""})
    assert reason in str((await hands.call("bash", **args)).error)


async def test_a_timeout_above_the_most_is_cut_and_said(hands: Hands) -> None:
    assert "[timeout 9999 was cut to 600 seconds" in (await hands.call("bash", command="true", timeout=9999)).output


async def test_a_command_that_needs_a_terminal_is_handed_to_the_person(hands: Hands) -> None:
    asked = await hands.call("bash", command="gh auth login")
    assert isinstance(asked.waits, QuestionAsked)
    assert "```sh\ngh auth login\n```" in asked.waits.questions[0].question
    assert hands.tool("bash", {"command": "gh auth login"}).requires_permission(hands.context()) is None
    told = await hands.conclude("bash", _answer("I ran it", "Logged in as bob"), command="gh auth login")
    assert (told.error, told.metadata["by_hand"]) == (None, True)
    assert "Logged in as bob" in told.output
    skipped = await hands.conclude("bash", _answer("Skip it"), command="gh auth login")
    assert "did not run" in str(skipped.error)


def _answer(label: str, text: str = "") -> QuestionAnswered:
    return QuestionAnswered(question_id="q", call_id="call-1", answers=(Answer(labels=(label,), text=text),))


async def test_the_prompt_for_an_aws_command_says_what_it_would_do(hands: Hands) -> None:
    tool = hands.tool("bash", {"command": "aws s3 rm s3://b --recursive"})
    assert "[AWS, mutate: aws s3 rm changes something]" in tool.prompt(hands.context())
    assert tool.risk(hands.context()) == "high"
    assert hands.tool("bash", {"command": "aws s3 ls"}).risk(hands.context()) == "low"
    assert hands.tool("bash", {"command": "ls"}).risk(hands.context()) == "medium"


async def test_what_aws_printed_is_told_without_its_credentials(hands: Hands) -> None:
    hands.put({"aws": f"#!/bin/sh\necho '{SECRET}'\n"})
    result = await hands.call("bash", command="chmod +x aws; ./aws sts get-caller-identity")
    assert (SECRET in result.output, result.redactions) == (False, 1)
    assert result.metadata["aws"] == {"risk": "read", "service": "sts", "operation": "get-caller-identity"}
