"""The supervisor, with real processes that are small Python programs."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path

import pytest

from workspace.supervision import Program, Supervisor

LIVES = "import time\nprint('alive', flush=True)\ntime.sleep(60)"
STUBBORN = "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nprint('alive', flush=True)\ntime.sleep(60)"
TELLS_ITS_ID = "import os, time\nprint(os.getpid(), flush=True)\ntime.sleep(60)"
HAS_A_CHILD = (
    "import subprocess, sys, time\n"
    "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
    "print(child.pid, flush=True)\ntime.sleep(60)"
)


@pytest.fixture
def lines() -> list[str]:
    return []


@pytest.fixture
async def supervisor(tmp_path: Path, lines: list[str]) -> AsyncIterator[Supervisor]:
    supervisor = Supervisor(tmp_path, lines.append)
    yield supervisor
    await supervisor.stop()


def program(name: str, code: str, *, last: bool = False, quiet: bool = False) -> Program:
    return Program(name, (sys.executable, "-c", code), last=last, quiet=quiet)


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not true():
            await asyncio.sleep(0.01)


def alive(process: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(process, 0)
        return not Path(f"/proc/{process}/stat").exists() or Path(f"/proc/{process}/stat").read_text().split()[2] != "Z"
    return False


def said(lines: list[str]) -> list[str]:
    return [line.split("| ", 1)[1] for line in lines]


async def test_lines_are_marked_with_the_programs_name_and_kept_in_its_log(
    supervisor: Supervisor, lines: list[str], tmp_path: Path
) -> None:
    supervisor.start(program("web", LIVES))
    await until(lambda: bool(lines))
    assert lines == ["      web | alive"]
    assert (tmp_path / "web.log").read_text().endswith(" alive\n")


async def test_a_quiet_program_speaks_to_its_log_only(supervisor: Supervisor, lines: list[str], tmp_path: Path) -> None:
    supervisor.start(program("redis", LIVES, quiet=True))
    await until(lambda: "alive" in (tmp_path / "redis.log").read_text())
    assert lines == []


async def test_a_killed_program_is_started_again(supervisor: Supervisor, lines: list[str]) -> None:
    supervisor.start(program("worker", TELLS_ITS_ID))
    await until(lambda: len(lines) == 1)
    first = int(said(lines)[0])
    os.kill(first, signal.SIGKILL)
    await until(lambda: len(lines) == 3)
    assert said(lines)[1].startswith("was ended by SIGKILL; starting it again")
    assert int(said(lines)[2]) != first


async def test_the_pause_grows_while_a_program_keeps_crashing(supervisor: Supervisor, lines: list[str]) -> None:
    supervisor.start(program("web", "raise SystemExit(3)"))
    await until(lambda: len(lines) == 2)
    assert said(lines) == ["ended with exit code 3; starting it again in 0.5 s", "ended with exit code 3; starting it again in 1 s"]


async def test_a_program_that_is_not_there_is_said_and_tried_again(supervisor: Supervisor, lines: list[str]) -> None:
    supervisor.start(Program("web", ("/nowhere/at/all",)))
    await until(lambda: len(lines) == 2)
    assert said(lines)[0].startswith("cannot be started: ")
    assert said(lines)[1].startswith("did not start; starting it again")


async def test_stopping_ends_a_program_that_ignores_being_asked(tmp_path: Path) -> None:
    lines: list[str] = []
    supervisor = Supervisor(tmp_path, lines.append, grace=0.3)
    supervisor.start(program("worker", STUBBORN))
    await until(lambda: bool(lines))
    await asyncio.wait_for(supervisor.stop(), 5)
    assert said(lines) == ["alive"]


async def test_stopping_during_the_pause_starts_nothing_more(tmp_path: Path) -> None:
    lines: list[str] = []
    supervisor = Supervisor(tmp_path, lines.append)
    supervisor.start(program("web", "raise SystemExit(3)"))
    await until(lambda: len(lines) == 1)
    await asyncio.wait_for(supervisor.stop(), 5)
    assert len(lines) == 1


async def test_what_others_need_is_ended_last(tmp_path: Path) -> None:
    order: list[str] = []
    ends = "import signal, sys, time\nsignal.signal(signal.SIGTERM, lambda *_: (print('ends', flush=True), sys.exit()))\n"
    supervisor = Supervisor(tmp_path, order.append)
    supervisor.start(program("redis", ends + LIVES, last=True))
    supervisor.start(program("web", ends + LIVES))
    await until(lambda: len(order) == 2)
    await supervisor.stop()
    assert [line.strip() for line in order[2:]] == ["web | ends", "redis | ends"]


async def test_children_of_a_program_end_with_it(tmp_path: Path) -> None:
    lines: list[str] = []
    supervisor = Supervisor(tmp_path, lines.append)
    supervisor.start(program("worker", HAS_A_CHILD))
    await until(lambda: bool(lines))
    child = int(said(lines)[0])
    assert alive(child)
    await supervisor.stop()
    await until(lambda: not alive(child))


async def test_a_line_without_end_is_cut_instead_of_collected(supervisor: Supervisor, lines: list[str]) -> None:
    supervisor.start(program("web", "print('x' * 300_000, flush=True)\nimport time\ntime.sleep(60)"))
    await until(lambda: sum(map(len, said(lines))) >= 300_000)
    assert len(lines) > 1


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends children with their parent")
async def test_programs_do_not_outlive_a_killed_supervisor(tmp_path: Path) -> None:
    code = (
        "import asyncio, sys\nfrom pathlib import Path\nfrom workspace.supervision import Program, Supervisor\n"
        "async def main():\n"
        f"    supervisor = Supervisor(Path({str(tmp_path)!r}), lambda line: print(line, flush=True))\n"
        f"    supervisor.start(Program('web', (sys.executable, '-c', {TELLS_ITS_ID!r})))\n"
        "    await asyncio.sleep(60)\n"
        "asyncio.run(main())"
    )
    parent = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stdout=asyncio.subprocess.PIPE)
    assert parent.stdout is not None
    child = int((await parent.stdout.readline()).split(b"| ")[1])
    parent.kill()
    await parent.wait()
    await until(lambda: not alive(child))
