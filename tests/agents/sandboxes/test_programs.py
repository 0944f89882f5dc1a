"""What holds for programs that go on running, at every level: they are talked with, and nothing of them stays."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from agents.errors import SandboxError
from agents.sandboxes.choose import open_sandbox
from agents.sandboxes.sandbox import LASTING, Level, Limits, Program, Sandbox, SandboxWish
from tests.agents.sandboxes.processes import Trace, soon

linux = pytest.mark.skipif(sys.platform != "linux", reason="Only Linux adopts orphans and shows processes under /proc.")

ALONE = """
import asyncio, sys
from agents.sandboxes.choose import open_sandbox
from agents.sandboxes.sandbox import SandboxWish
root, level, line = sys.argv[1:]
async def main():
    await (await open_sandbox(SandboxWish(root, level=level)).start(["/bin/sh", "-c", line])).receive()
asyncio.run(main())
"""
"""A process of ours that keeps one program."""


@asynccontextmanager
async def going(sandbox: Sandbox, *argv: str, limits: Limits = LASTING, tools: Sequence[str] = ()) -> AsyncIterator[Program]:
    program = await sandbox.start(argv, limits=limits, tools=tools)
    try:
        yield program
    finally:
        await program.end()


async def exactly(program: Program, count: int) -> bytes:
    """The next `count` bytes, or fewer when it ends before."""
    got = b""
    while len(got) < count and (more := await asyncio.wait_for(program.receive(), 10)):
        got += more
    return got


async def rest(program: Program) -> bytes:
    return await exactly(program, sys.maxsize)


async def test_it_hears_and_answers_as_often_as_one_likes(sandbox: Sandbox) -> None:
    async with going(sandbox, "cat") as program:
        for word in (b"one", bytes(range(256)), "zwölf\n".encode()):
            await program.send(word)
            assert await exactly(program, len(word)) == word


async def test_a_megabyte_goes_in_and_out_while_both_talk_at_once(sandbox: Sandbox) -> None:
    data = bytes(range(256)) * 4096
    async with going(sandbox, "cat") as program:
        sending = asyncio.create_task(program.send(data))
        assert await exactly(program, len(data)) == data
        await sending


async def test_output_that_nobody_reads_neither_fills_us_nor_keeps_it_alive(sandbox: Sandbox) -> None:
    async with going(sandbox, "/bin/sh", "-c", "yes & yes >&2") as program:
        assert await program.receive()
        assert await soon(lambda: len(program.complaints) == 8192)


async def test_its_last_complaints_are_kept(sandbox: Sandbox) -> None:
    async with going(sandbox, "/bin/sh", "-c", "seq 1 50000 >&2; echo done") as program:
        assert await rest(program) == b"done\n"
        assert await soon(lambda: program.complaints.endswith("\n50000\n"))
        assert len(program.complaints) == 8192


async def test_what_it_wrote_before_it_ended_is_still_there(sandbox: Sandbox) -> None:
    async with going(sandbox, "/bin/sh", "-c", "head -c 200000 /dev/zero; exit 3") as program:
        assert len(await rest(program)) == 200_000
        assert await program.receive() == b""


async def test_once_it_has_ended_it_takes_no_more(sandbox: Sandbox) -> None:
    async with going(sandbox, "/bin/sh", "-c", "echo broken >&2") as program:
        assert await rest(program) == b""
        assert await soon(lambda: "broken" in program.complaints)
        with pytest.raises(SandboxError, match=r"ended and takes no more input\. It said: broken"):
            await program.send(b"x" * 10_000_000)


async def test_one_that_is_not_there_ends_and_says_so(sandbox: Sandbox) -> None:
    async with going(sandbox, "no-such-program") as program:
        assert await rest(program) == b""
        assert await soon(lambda: "no-such-program" in program.complaints)


async def test_it_works_in_its_folder_with_its_variables(sandbox: Sandbox) -> None:
    sandbox.files.write("sub/file", b"")
    program = await sandbox.start(["/bin/sh", "-c", 'echo "$(pwd) $MINE"; read wait'], cwd="sub", env={"MINE": "given"})
    try:
        assert (await exactly(program, 10)).decode() == f"{sandbox.mount}/sub given\n"
    finally:
        await program.end()
    with pytest.raises(SandboxError, match="'missing'"):
        await sandbox.start(["true"], cwd="missing")
    with pytest.raises(SandboxError, match="could not be started"):
        await sandbox.start(["echo", "a\0b"])


async def test_it_reads_its_tools_and_nothing_beside_them(strong: Sandbox, tmp_path: Path) -> None:
    for folder in ("tools", "other"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "file").write_text("seen\n")
    tools = tmp_path / "tools"
    line = f"cat {tools}/file {tmp_path}/other/file; echo changed > {tools}/file"
    async with going(strong, "/bin/sh", "-c", line, tools=[str(tools)]) as program:
        assert await rest(program) == b"seen\n"
    assert (tools / "file").read_text() == "seen\n"
    assert b"seen" not in (await strong.run(["/bin/sh", "-c", line])).output


async def test_it_is_as_confined_as_any_command(strong: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("hidden")
    async with going(
        strong, "/bin/sh", "-c", f"cat {tmp_path}/secret; python3 -c 'import socket; socket.socket(17)' && echo raw"
    ) as program:
        assert await rest(program) == b""


@linux
async def test_ending_it_ends_everything_it_started(sandbox: Sandbox) -> None:
    trace = Trace()
    async with going(sandbox, "/bin/sh", "-c", f"(env -i setsid sleep 3{trace} &); trap '' TERM INT HUP; sleep 3{trace}") as program:
        assert await trace.sleeps(2)
        await program.end()
        assert await trace.is_gone()
        assert await program.receive() == b""
        await program.end()


@linux
async def test_what_it_leaves_behind_is_ended_with_it(sandbox: Sandbox) -> None:
    trace = Trace()
    async with going(sandbox, "/bin/sh", "-c", f"setsid sleep 3{trace} & (env -i nohup setsid sleep 3{trace} &); read word") as program:
        assert await trace.sleeps(2)
        await program.send(b"go\n")
        assert await rest(program) == b""
        assert await trace.is_gone()


@linux
async def test_when_we_are_killed_it_is_too(sandbox: Sandbox) -> None:
    trace = Trace()
    line = f"setsid sleep 3{trace} & sleep 3{trace}"
    us = await asyncio.create_subprocess_exec(sys.executable, "-c", ALONE, sandbox.root, sandbox.level, line)
    assert await trace.sleeps(2)
    us.kill()
    await us.wait()
    assert await trace.is_gone()


@linux
def test_when_the_event_loop_ends_it_ends(workspace: Path, level: Level) -> None:
    trace = Trace()

    async def forgotten() -> None:
        await open_sandbox(SandboxWish(str(workspace), level=level)).start(["sleep", f"3{trace}"])
        assert await trace.sleeps(1)

    asyncio.run(forgotten())
    assert asyncio.run(trace.is_gone())


@linux
@pytest.mark.parametrize("moment", range(0, 12, 4))
async def test_being_cancelled_while_starting_leaves_nothing(sandbox: Sandbox, moment: int) -> None:
    trace = Trace()
    starting = asyncio.create_task(sandbox.start(["sleep", f"3{trace}"]))
    await asyncio.wait([starting], timeout=moment / 1000)
    starting.cancel()
    await asyncio.wait([starting])
    if not starting.cancelled():
        await starting.result().end()
    assert await trace.is_gone()


@linux
async def test_a_crowd_of_processes_ends_it(sandbox: Sandbox) -> None:
    trace = Trace()
    async with going(sandbox, "/bin/sh", "-c", f"while :; do sleep 3{trace} & done", limits=Limits(processes=100)) as program:
        assert await asyncio.wait_for(rest(program), 20) == b""
        assert await trace.is_gone()
