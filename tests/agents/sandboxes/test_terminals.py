"""What holds for commands at a terminal, at every level: it is a real one, nobody types there, and nothing of it stays."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from agents.sandboxes.choose import open_sandbox
from agents.sandboxes.sandbox import Exit, Level, Limits, Sandbox, SandboxWish
from tests.agents.sandboxes.processes import Trace
from tests.agents.sandboxes.test_running import linux

SIZE = (120, 40)


async def at_terminal(sandbox: Sandbox, line: str, limits: Limits = Limits(seconds=30)) -> Exit:  # noqa: B008
    return await sandbox.run(["bash", "-c", line], limits=limits, terminal=SIZE)


async def test_the_command_sees_a_terminal_of_the_size_that_was_asked_for(sandbox: Sandbox) -> None:
    ended = await at_terminal(sandbox, 'test -t 0 && test -t 1 && test -t 2 && stty size && echo "$TERM" && tty >/dev/null && echo named')
    assert (ended.code, ended.output) == (0, b"40 120\r\nxterm-256color\r\nnamed\r\n")


async def test_without_one_the_command_sees_none(sandbox: Sandbox) -> None:
    ended = await sandbox.run(["bash", "-c", "test -t 1 || (: </dev/tty) 2>&1 || echo none; echo $TERM"])
    assert ended.output.endswith(b"none\ndumb\n")


async def test_it_is_the_commands_controlling_terminal(sandbox: Sandbox) -> None:
    ended = await at_terminal(sandbox, "exec </dev/null >/dev/null 2>&1; echo still here >/dev/tty")
    assert ended.output == b"still here\r\n"


async def test_whoever_reads_there_finds_the_end_of_the_input_every_time(sandbox: Sandbox) -> None:
    ended = await at_terminal(sandbox, "cat; cat; read -p 'Name: ' name; echo \"[$name]\"")
    assert (ended.code, ended.timed_out, ended.output) == (0, False, b"Name: []\r\n")


async def test_a_program_that_takes_single_keys_gets_the_end_of_the_input_as_a_key(sandbox: Sandbox) -> None:
    ended = await at_terminal(sandbox, "stty -icanon -echo; head -c 2 | od -An -c")
    assert (ended.code, ended.timed_out, ended.output.split()[-1]) == (0, False, b"004")


async def test_job_control_works(sandbox: Sandbox) -> None:
    ended = await at_terminal(sandbox, "set -m; (exit 4) & wait $!; echo $?")
    assert b"4\r\n" in ended.output


async def test_variables_can_name_another_kind_of_terminal(sandbox: Sandbox) -> None:
    ended = await sandbox.run(["bash", "-c", "echo $TERM"], env={"TERM": "vt100"}, terminal=SIZE)
    assert ended.output == b"vt100\r\n"


async def test_nobody_has_to_turn_pages(sandbox: Sandbox) -> None:
    lines = "git init -q . && seq 200 > a && git add a && git -c user.name=a -c user.email=a@b commit -qm 'Add a' && git log -p"
    ended = await at_terminal(sandbox, lines, Limits(seconds=15))
    assert (ended.code, ended.timed_out) == (0, False)
    assert ended.output.rstrip().endswith(b"200\x1b[m")


async def test_input_for_somewhere_nobody_types_is_refused(sandbox: Sandbox) -> None:
    with pytest.raises(ValueError, match="Nobody types"):
        await sandbox.run(["cat"], stdin=b"hello", terminal=SIZE)


async def test_all_that_was_written_before_the_end_arrives(sandbox: Sandbox) -> None:
    ended = await at_terminal(sandbox, "seq 1 100000")
    assert ended.output.split() == [str(number).encode() for number in range(1, 100_001)]


async def test_output_is_bounded(sandbox: Sandbox) -> None:
    ended = await at_terminal(sandbox, "seq 1 100000", Limits(seconds=30, output=1000))
    assert (len(ended.output), ended.code) == (1000, 0)
    assert ended.dropped > 500_000


async def test_how_it_ended_is_told(sandbox: Sandbox) -> None:
    assert (await at_terminal(sandbox, "exit 3")).code == 3
    assert (await at_terminal(sandbox, "kill -9 $$")).signal == 9
    assert (await sandbox.run(["no-such-command"], terminal=SIZE)).code == 127


@linux
async def test_nothing_of_it_stays(sandbox: Sandbox) -> None:
    trace = Trace()
    ended = await at_terminal(sandbox, f"sleep 3{trace} & setsid sleep 3{trace} & (trap '' HUP; exec sleep 3{trace}) & exit 0")
    assert ended.code == 0
    assert await trace.is_gone()


@linux
async def test_its_time_limit_ends_the_whole_tree(sandbox: Sandbox) -> None:
    trace = Trace()
    ended = await at_terminal(sandbox, f"trap '' HUP TERM INT; setsid sleep 3{trace} & sleep 3{trace}", Limits(seconds=0.5))
    assert ended.timed_out
    assert await trace.is_gone()


@linux
async def test_being_cancelled_ends_the_whole_tree(sandbox: Sandbox) -> None:
    trace = Trace()
    running = asyncio.create_task(at_terminal(sandbox, f"sleep 3{trace}"))
    assert await trace.sleeps(1)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert await trace.is_gone()


PUSH = "python3 -c 'import fcntl, termios; fcntl.ioctl(0, termios.TIOCSTI, b\"x\")'"


async def test_nothing_can_be_typed_for_somebody_else(strong: Sandbox) -> None:
    ended = await at_terminal(strong, PUSH)
    assert ended.code == 1
    assert b"Operation not permitted" in ended.output


async def test_two_at_once_cannot_reach_each_others(workspace: Path, strong_level: Level) -> None:
    sandbox = open_sandbox(SandboxWish(str(workspace), level=strong_level))
    first = asyncio.create_task(at_terminal(sandbox, "touch here; until test -e done; do sleep 0.02; done"))
    other = await at_terminal(
        sandbox,
        "until test -e here; do sleep 0.02; done; own=$(tty)\n"
        'for one in /dev/pts/[0-9]*; do test "$one" = "$own" || (echo intruding >"$one") 2>/dev/null; done; touch done',
    )
    assert other.code == 0
    assert (await first).output == b""


async def test_a_folder_of_tools_can_be_read_by_one_command_alone(strong: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "word").write_text("found")
    line = ["cat", str(tmp_path / "tools" / "word")]
    assert (await strong.run(line, tools=[str(tmp_path / "tools")])).output == b"found"
    assert (await strong.run(line)).code != 0
