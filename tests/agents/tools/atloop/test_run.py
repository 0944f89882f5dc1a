"""run in a real (unconfined) sandbox: what came on stderr decides, the exit code is told."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import Any

import pytest

from agents.errors import ToolError
from agents.events import Answer, QuestionAnswered, QuestionAsked
from agents.host import InMemoryArtifacts
from agents.sandboxes.choose import strongest
from agents.tools.reach import Nesting
from agents.tools.registry import toolset
from tests.agents.sandboxes.processes import Trace
from tests.agents.tools.hands import Hands

SECRET = "AKIAABCDEFGHIJKLMNOP"


@pytest.mark.parametrize(
    ("cmd", "output", "code", "failed"),
    [
        ("echo hi", "hi\n[exit code 0]", 0, False),
        ("echo hi; exit 3", "hi\n[exit code 3]", 3, False),
        ("false", "[exit code 1]", 1, False),
        ("echo out; echo warn >&2", "out\n[stderr]\nwarn\n[exit code 0]", 0, True),
        ("echo warn >&2; exit 2", "[stderr]\nwarn\n[exit code 2]", 2, True),
        ("{ echo out; echo warn >&2; } 2>&1", "out\nwarn\n[exit code 0]", 0, False),
        ("printf '\\n \\n' >&2", "[exit code 0]", 0, False),
        ("printf 'no newline'", "no newline\n[exit code 0]", 0, False),
    ],
)
async def test_stderr_decides_and_the_exit_code_is_told(cmd: str, output: str, code: int, failed: bool, hands: Hands) -> None:
    result = await hands.call("run", cmd=cmd)
    assert (result.output, result.metadata["exit_code"], result.error is not None) == (output, code, failed)
    assert result.title == f"Run (exit {code})"
    assert not failed or f"(exit code {code})" in str(result.error)


async def test_what_is_known_of_it_stands_in_the_metadata(hands: Hands) -> None:
    result = await hands.call("run", cmd="true")
    assert result.metadata.pop("duration_ms") >= 0
    assert result.metadata == {"cmd": "true", "exit_code": 0, "timeout": False, "stderr": False, "truncated": False}


async def test_a_command_that_takes_too_long_is_ended_with_all_it_started_and_its_output_kept(hands: Hands) -> None:
    trace = Trace()
    began = time.monotonic()
    result = await hands.call("run", cmd=f"echo begun; echo oops >&2; sleep 3{trace} & sleep 61", timeout_sec=1)
    assert time.monotonic() - began < 10
    assert result.output == "begun\n[stderr]\noops\n[no exit code: it was ended]"
    assert (result.title, result.metadata["exit_code"], result.metadata["timeout"]) == ("Run (timeout)", None, True)
    assert "timed out after 1 seconds" in str(result.error)
    assert await trace.is_gone()


async def test_a_command_killed_by_a_signal_failed_whatever_it_said(hands: Hands) -> None:
    result = await hands.call("run", cmd="kill -9 $$")
    assert "SIGKILL" in str(result.error)
    assert result.title == "Run (killed)"


async def test_of_a_long_output_the_end_is_shown_and_the_whole_kept(hands: Hands) -> None:
    hands.reach = replace(hands.reach, artifacts=InMemoryArtifacts())
    result = await hands.call("run", cmd="seq 1 20000; seq 5 >&2")
    assert "\n20000\n[Showing lines" in result.output
    assert "artifact://1]\n[stderr]\n1\n2\n3\n4\n5\n[exit code 0]" in result.output
    assert "\n1\n2\n3\n4\n5\n6\n" not in result.output
    assert result.metadata["truncated"]


async def test_a_flood_of_output_does_not_drown_what_comes_on_stderr(hands: Hands) -> None:
    result = await hands.call("run", cmd="head -c 40000000 /dev/zero | tr '\\0' x; echo the end; echo bad >&2")
    assert len(result.output) < 100_000
    assert "the end\n" in result.output
    assert "The rest was not kept" in result.output
    assert (result.error is not None, "[stderr]\nbad\n" in result.output) == (True, True)


async def test_output_is_shown_while_it_comes(hands: Hands) -> None:
    running = asyncio.create_task(hands.call("run", cmd="echo first; while [ ! -e go ]; do sleep 0.05; done; echo second >&2"))
    async with asyncio.timeout(20):
        while "first" not in "".join(hands.shown):
            await asyncio.sleep(0.01)
    hands.put({"go": ""})
    await running
    assert "".join(hands.shown) == "first\nsecond\n"


async def test_secrets_are_not_shown(hands: Hands) -> None:
    result = await hands.call("run", cmd=f"echo {SECRET}; echo {SECRET} >&2")
    assert SECRET not in result.output + "".join(hands.shown)
    assert result.redactions == 2


async def test_a_limit_beyond_the_most_is_cut_and_told(hands: Hands) -> None:
    assert "timeout_sec 999999 was cut to 3600 seconds" in (await hands.call("run", cmd="true", timeout_sec=999_999)).output


@pytest.mark.parametrize(
    "args", [{}, {"cmd": ""}, {"cmd": "true", "timeout_sec": 0}, {"cmd": "true", "timeout_sec": "soon"}, {"cmd": ["ls"]}]
)
async def test_arguments_that_make_no_sense_are_refused(args: dict[str, Any], hands: Hands) -> None:
    assert "Invalid arguments for run" in str((await hands.call("run", **args)).error)


async def test_a_command_with_nul_is_refused(hands: Hands) -> None:
    assert "NUL" in str((await hands.call("run", cmd="echo \0")).error)


async def test_a_sub_agents_commands_run_where_it_works(hands: Hands) -> None:
    hands.put({"sub/x.txt": "here"})
    hands.nesting = Nesting(1, working_dir="sub")
    assert (await hands.call("run", cmd="cat x.txt")).output == "here\n[exit code 0]"
    hands.nesting = Nesting(1, working_dir="gone")
    assert "gone" in str((await hands.call("run", cmd="true")).error)


async def test_a_stopped_call_takes_its_processes_along(hands: Hands) -> None:
    trace = Trace()
    running = asyncio.create_task(hands.call("run", cmd=f"echo on; sleep 3{trace} & sleep 60"))
    async with asyncio.timeout(20):
        while not hands.shown:
            await asyncio.sleep(0.01)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert await trace.is_gone()


async def test_what_needs_a_terminal_is_handed_to_a_person(hands: Hands) -> None:
    assert hands.tool("run", {"cmd": "vim a.txt"}).requires_permission(hands.context()) is None
    result = await hands.call("run", cmd="vim a.txt")
    assert isinstance(result.waits, QuestionAsked)
    answer = QuestionAnswered(question_id="q", call_id="call-1", answers=(Answer(labels=("I ran it",), text="saved"),))
    assert "saved" in (await hands.conclude("run", answer, cmd="vim a.txt")).output


def test_people_are_asked_with_the_command(hands: Hands) -> None:
    context = hands.context()
    assert hands.tool("run", {"cmd": "ls"}).requires_permission(context) == "Run: ls"
    assert hands.tool("run", {"cmd": "ls"}).subject(context) == "ls"
    aws = hands.tool("run", {"cmd": "aws ec2 terminate-instances --instance-ids i-1"})
    assert "[AWS," in aws.prompt(context)
    assert (aws.risk(context), hands.tool("run", {"cmd": "ls"}).risk(context)) == ("high", "medium")
    assert toolset("atloop")["run"].subject_is_command


async def test_an_agent_that_nothing_holds_back_gets_no_commands(hands: Hands) -> None:
    bound = Hands(hands.root, toolset="atloop", writable=False)
    with pytest.raises(ToolError, match="no sandbox works"):
        bound.tool("run", {"cmd": "true"}).requires_permission(bound.context())
    assert "no sandbox works" in str((await bound.call("run", cmd="true")).error)


async def test_in_the_strongest_sandbox_it_is_the_same(hands: Hands) -> None:
    confined = Hands(hands.root, strongest(), toolset="atloop")
    result = await confined.call("run", cmd="pwd; echo bad >&2; exit 4")
    assert result.output == f"{confined.sandbox.mount}\n[stderr]\nbad\n[exit code 4]"
