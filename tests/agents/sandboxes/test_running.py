"""What holds for commands at every level: their output, their end, their limits, and that nothing of them stays."""

from __future__ import annotations

import asyncio
import signal
import sys
import time

import pytest

from agents.errors import PathRefused, SandboxError
from agents.sandboxes.sandbox import Exit, Limits, Sandbox
from tests.agents.sandboxes.processes import Trace

linux = pytest.mark.skipif(sys.platform != "linux", reason="Only Linux adopts orphans and shows processes under /proc.")


ALONE = """
import asyncio, sys
from agents.sandboxes.choose import open_sandbox
from agents.sandboxes.sandbox import SandboxWish
root, level, line = sys.argv[1:]
asyncio.run(open_sandbox(SandboxWish(root, level=level)).run(["/bin/sh", "-c", line]))
"""
"""A process of ours that runs one command."""


async def sh(sandbox: Sandbox, line: str, limits: Limits = Limits(seconds=20), **options: str | bytes | bool | dict[str, str]) -> Exit:  # noqa: B008
    return await sandbox.run(["/bin/sh", "-c", line], limits=limits, **options)  # type: ignore[arg-type]


async def test_output_and_errors_come_merged_as_they_were_written(sandbox: Sandbox) -> None:
    ended = await sh(sandbox, "echo one; echo two >&2; echo three")
    assert (ended.code, ended.output, ended.errors) == (0, b"one\ntwo\nthree\n", b"")


async def test_output_and_errors_can_be_kept_apart(sandbox: Sandbox) -> None:
    ended = await sh(sandbox, "echo one; echo two >&2", merge=False)
    assert (ended.output, ended.errors) == (b"one\n", b"two\n")


@pytest.mark.parametrize("code", [0, 1, 2, 126, 255])
async def test_the_exit_code_is_told(sandbox: Sandbox, code: int) -> None:
    assert (await sh(sandbox, f"exit {code}")).code == code


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGSEGV])
async def test_a_signal_is_told(sandbox: Sandbox, number: signal.Signals) -> None:
    ended = await sh(sandbox, f"echo before; kill -{number.value} $$")
    assert (ended.code, ended.signal, ended.output) == (None, number, b"before\n")


async def test_a_program_whose_reader_has_gone_ends_without_a_word(sandbox: Sandbox) -> None:
    ended = await sandbox.run(["bash", "-c", "yes | head -1"], merge=False)
    assert (ended.errors, ended.output) == (b"", b"y\n")


async def test_a_command_that_is_not_there_is_the_commands_failure(sandbox: Sandbox) -> None:
    ended = await sandbox.run(["no-such-command"])
    assert ended.code == 127
    assert b"no-such-command" in ended.output


async def test_arguments_arrive_as_they_are(sandbox: Sandbox) -> None:
    words = ["", " ", "a b", "$HOME", "*", "quote'\"", "new\nline", "ünïcode-名前", "-n", "\\"]
    ended = await sandbox.run(["printf", "%s|", *words])
    assert ended.output.decode() == "".join(f"{word}|" for word in words)


async def test_bytes_go_in_and_out_unchanged(sandbox: Sandbox) -> None:
    data = bytes(range(256)) * 1000
    assert (await sandbox.run(["cat"], stdin=data)).output == data


async def test_stdin_is_empty_when_nothing_is_given(sandbox: Sandbox) -> None:
    assert (await sh(sandbox, "cat; read line || echo nothing")).output == b"nothing\n"


async def test_the_environment_is_clean(sandbox: Sandbox) -> None:
    ended = await sandbox.run(["env"], env={"MINE": "given"})
    names = {line.split("=")[0] for line in ended.output.decode().splitlines()}
    assert names - {"PWD", "SHLVL", "_"} == {"PATH", "HOME", "TMPDIR", "LANG", "TERM", "GIT_CONFIG_NOSYSTEM", "MINE"}


async def test_commands_share_the_workspace_with_its_files(sandbox: Sandbox) -> None:
    sandbox.files.write("sub dir/in", b"from us")
    ended = await sh(sandbox, "pwd; cat in; echo from them > out", cwd="sub dir")
    assert ended.output.decode() == f"{sandbox.mount}/sub dir\nfrom us"
    assert sandbox.files.read("sub dir/out") == b"from them\n"
    sandbox.files.write("sub dir/out", b"ours again")
    assert (await sh(sandbox, 'echo again >> "sub dir/out" && rm -r "sub dir"')).code == 0


async def test_temporary_files_and_home_outlast_a_command_and_stay_out_of_the_workspace(sandbox: Sandbox) -> None:
    if sandbox.level == "local":
        pytest.skip("At this level they are the machine's own.")
    assert (await sh(sandbox, 'echo one > "$TMPDIR/file" && echo two > ~/.file')).code == 0
    assert (await sh(sandbox, 'cat "$TMPDIR/file" ~/.file')).output == b"one\ntwo\n"
    assert sandbox.files.entries(".") == []


async def test_a_folder_that_cannot_be_worked_in_is_told_clearly(sandbox: Sandbox) -> None:
    sandbox.files.write("file", b"")
    with pytest.raises(PathRefused, match="outside the workspace"):
        await sandbox.run(["true"], cwd="..")
    with pytest.raises(SandboxError, match="'missing'"):
        await sandbox.run(["true"], cwd="missing")
    with pytest.raises(SandboxError, match="not a folder"):
        await sandbox.run(["true"], cwd="file")


async def test_a_command_that_is_no_command_line_is_told_clearly(sandbox: Sandbox) -> None:
    with pytest.raises(SandboxError, match="could not be started"):
        await sandbox.run(["echo", "a\0b"])
    with pytest.raises(SandboxError, match="could not be started"):
        await sandbox.run(["echo", "x" * 10_000_000])


async def test_output_beyond_the_limit_is_counted_not_kept(sandbox: Sandbox) -> None:
    seen: list[bytes] = []
    limits = Limits(seconds=60, output=10_000)
    ended = await sandbox.run(["head", "-c", "50000000", "/dev/zero"], limits=limits, on_output=seen.append)
    assert (ended.code, len(ended.output), ended.dropped) == (0, 10_000, 49_990_000)
    assert b"".join(seen) == ended.output


async def test_endless_output_ends_with_the_time(sandbox: Sandbox) -> None:
    ended = await sh(sandbox, "yes", Limits(seconds=0.5, output=1000))
    assert ended.timed_out
    assert ended.output == b"y\n" * 500
    assert ended.dropped > 0


async def test_output_is_shown_while_the_command_runs(sandbox: Sandbox) -> None:
    seen = asyncio.Event()
    run = asyncio.create_task(sandbox.run(["/bin/sh", "-c", "echo now; sleep 30"], on_output=lambda data: seen.set()))
    await asyncio.wait_for(seen.wait(), 10)
    assert not run.done()
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run


@linux
async def test_a_timeout_ends_everything_and_keeps_what_was_written(sandbox: Sandbox) -> None:
    trace = Trace()
    began = time.monotonic()
    ended = await sh(sandbox, f"echo written; (setsid sleep 3{trace} &); env -i setsid sleep 3{trace} & sleep 3{trace}", Limits(seconds=1))
    assert (ended.timed_out, ended.code, ended.signal, ended.output) == (True, None, None, b"written\n")
    assert time.monotonic() - began < 20
    assert await trace.is_gone()


@linux
async def test_being_cancelled_ends_everything_first(sandbox: Sandbox) -> None:
    trace = Trace()
    run = asyncio.create_task(sh(sandbox, f"(env -i setsid sleep 3{trace} &); trap '' TERM INT HUP; sleep 3{trace}"))
    assert await trace.sleeps(2)
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    assert await trace.is_gone()


@linux
@pytest.mark.parametrize("moment", range(0, 12, 2))
async def test_being_cancelled_while_starting_ends_everything_too(sandbox: Sandbox, moment: int) -> None:
    trace = Trace()
    run = asyncio.create_task(sh(sandbox, f"(env -i setsid sleep 3{trace} &); sleep 3{trace}"))
    assert await trace.is_there()
    with pytest.raises(asyncio.TimeoutError):
        await asyncio.wait_for(run, moment / 1000)
    assert await trace.is_gone()


@linux
async def test_when_we_are_killed_our_commands_are_too(sandbox: Sandbox) -> None:
    trace = Trace()
    us = await asyncio.create_subprocess_exec(
        sys.executable, "-c", ALONE, sandbox.root, sandbox.level, f"setsid sleep 3{trace} & sleep 3{trace}"
    )
    assert await trace.sleeps(2)
    us.kill()
    await us.wait()
    assert await trace.is_gone()


@linux
async def test_what_stays_in_the_background_is_ended_and_not_waited_for(sandbox: Sandbox) -> None:
    trace = Trace()
    began = time.monotonic()
    ended = await sh(sandbox, f"setsid sleep 3{trace} & (env -i nohup setsid sleep 3{trace} &); echo done; exit 5")
    assert (ended.code, ended.output) == (5, b"done\n")
    assert time.monotonic() - began < 20
    assert await trace.is_gone()


@linux
async def test_a_crowd_of_processes_is_ended(sandbox: Sandbox) -> None:
    trace = Trace()
    crowd = f"i=0; while [ $i -lt 150 ]; do (setsid sleep 3{trace} &) ; i=$((i+1)); done; sleep 3{trace}"
    assert (await sh(sandbox, crowd, Limits(seconds=2))).timed_out
    assert await trace.is_gone()


@linux
async def test_a_fork_bomb_is_stopped(sandbox: Sandbox) -> None:
    """As root by being noticed, else by the limit of processes; in both ways long before its time is over."""
    trace = Trace()
    bomb = f"while :; do sleep 3{trace} & done"
    ended = await sh(sandbox, bomb, Limits(seconds=20, processes=100))
    assert not ended.timed_out
    assert ended.code != 0
    assert await trace.is_gone()


async def test_many_commands_run_side_by_side(sandbox: Sandbox) -> None:
    ended = await asyncio.gather(*(sh(sandbox, f"echo {number}; exit {number}") for number in range(20)))
    assert [(one.code, one.output) for one in ended] == [(number, f"{number}\n".encode()) for number in range(20)]


async def test_a_memory_bomb_is_stopped(sandbox: Sandbox) -> None:
    bomb = "data = bytearray(900_000_000); print(len(data))"
    ended = await sandbox.run(["python3", "-c", bomb], limits=Limits(seconds=20, memory=300_000_000))
    assert ended.code != 0
    assert b"900000000" not in ended.output


async def test_processor_time_is_limited(sandbox: Sandbox) -> None:
    ended = await sh(sandbox, "while :; do :; done", Limits(seconds=30, cpu_seconds=1))
    assert (ended.timed_out, ended.code) == (False, None)
    assert ended.signal in (signal.SIGXCPU, signal.SIGKILL)


async def test_the_size_of_files_is_limited(sandbox: Sandbox) -> None:
    ended = await sh(sandbox, "head -c 3000000 /dev/zero > big", Limits(seconds=20, file_size=1_000_000))
    assert ended.code != 0
    assert sandbox.files.stat("big").size <= 1_000_000


async def test_of_too_much_output_the_end_can_be_kept(sandbox: Sandbox) -> None:
    came: list[bytes] = []
    limits = Limits(seconds=20, output=1000, newest=True)
    ended = await sandbox.run(["seq", "1", "100000"], limits=limits, on_output=came.append)
    assert (len(ended.output), len(b"".join(came))) == (1000, 1000)
    assert b"".join(came).startswith(b"1\n2\n")
    assert ended.output.endswith(b"\n99999\n100000\n")
    assert ended.dropped == len("\n".join(map(str, range(1, 100_001)))) + 1 - 1000
