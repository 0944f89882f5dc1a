"""Language servers that are kept, shared, lost, hung and ended, with a fake one that really runs in the sandbox."""

from __future__ import annotations

import asyncio
import shutil
import time
from pathlib import Path

import pytest

from agents.code.finding import Choices
from agents.code.pool import Pool
from agents.code.workspace import WorkspaceCode
from agents.errors import ToolError
from agents.sandboxes.choose import open_sandbox
from agents.sandboxes.sandbox import Sandbox, SandboxWish
from tests.agents.code.conftest import QUICK, Opened, manners
from tests.agents.sandboxes.processes import Trace, soon


async def who(code: WorkspaceCode, path: str = "a.py") -> str:
    """Which server answers."""
    return (await code.query("hover", path=path))[0]


async def ready(code: WorkspaceCode) -> bool:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        if await code.diagnostics("a.py") is not None:
            return True
        await asyncio.sleep(0.02)
    return False


async def test_one_server_is_kept_for_a_workspace_and_shared(code: Opened, sandbox: Sandbox, pool: Pool) -> None:
    one, other = code("good"), WorkspaceCode(sandbox, pool, manners(sandbox, "good"))
    answers = await asyncio.gather(who(one), who(other), who(one))
    assert len({*answers, await who(other)}) == 1


async def test_another_workspace_has_a_server_of_its_own(code: Opened, pool: Pool, workspace: Path, tmp_path: Path) -> None:
    other = open_sandbox(SandboxWish(str(shutil.copytree(workspace, tmp_path / "other"))))
    assert await who(code("good")) != await who(WorkspaceCode(other, pool, manners(other, "good")))


async def test_a_server_that_crashes_is_an_error_with_its_last_words_and_started_anew(code: Opened) -> None:
    for _ in range(2):
        with pytest.raises(ToolError, match=r"(?s)python3 ended; the next call starts it anew.*I do not feel well"):
            await who(code("crash"))


async def test_a_server_that_hangs_is_an_error_in_time_and_in_the_end_started_anew(code: Opened, workspace: Path, pool: Pool) -> None:
    patient = code("hang")
    began = time.monotonic()
    with pytest.raises(ToolError, match="did not answer textDocument/hover within 3 s"):
        await who(patient)
    with pytest.raises(ToolError, match="did not answer"):
        await who(patient)
    assert time.monotonic() - began < 10
    (workspace / "server.txt").write_text((workspace / "server.txt").read_text().replace('"hang"', '"never"'))
    assert "I am" in await who(patient)


@pytest.mark.parametrize(
    ("manner", "said"),
    [
        ("deaf", "did not answer initialize within 3 s"),
        ("garbage", "does not speak the protocol"),
        ("refuse", "refused: not today"),
        ("odd", "does not fit the protocol"),
    ],
)
async def test_whatever_a_server_does_is_a_clear_error(code: Opened, manner: str, said: str) -> None:
    with pytest.raises(ToolError, match=said):
        await code(manner).query("references", path="a.py")


async def test_one_that_cannot_be_started_says_why(sandbox: Sandbox, pool: Pool) -> None:
    broken = WorkspaceCode(sandbox, pool, Choices({"python": ["python3", "/no/such/server.py"]}))
    with pytest.raises(ToolError, match=r"(?s)python3 ended.*no/such/server"):
        await who(broken)


async def test_a_question_that_is_cancelled_harms_nobody(code: Opened) -> None:
    late = code("late")
    asking = asyncio.create_task(who(late))
    await asyncio.sleep(0)
    assert await late.diagnostics("a.py") is None
    asking.cancel()
    await asyncio.wait([asking])
    assert asking.cancelled()
    assert "I am" in await who(late)


async def test_an_edit_never_waits_for_a_server_to_start(code: Opened) -> None:
    late = code("late")
    began = time.monotonic()
    assert await late.diagnostics("a.py") is None
    assert time.monotonic() - began < 1
    assert await ready(late)


async def test_an_edit_starts_no_server_unless_that_is_wanted(code: Opened) -> None:
    lazy = code("good", eager=False)
    assert await lazy.diagnostics("a.py") is None
    assert await lazy.diagnostics("a.py") is None
    await who(lazy)
    assert await lazy.diagnostics("a.py") == ()


async def test_diagnostics_are_of_the_file_as_it_is_now(code: Opened, workspace: Path) -> None:
    good = code("good")
    assert (await good.query("diagnostics", path="a.py"))[0] == "No diagnostics."
    (workspace / "a.py").write_text("fine\nso 🎼 BAD\n")
    found = await good.diagnostics("a.py")
    assert found
    assert [(one.line, one.column, one.severity, one.message, one.source) for one in found] == [(2, 5, "error", "this is BAD", "fake")]
    (workspace / "a.py").write_text("fine\n")
    assert await good.diagnostics("a.py") == ()


async def test_nothing_is_known_of_what_is_no_code_or_not_there(code: Opened) -> None:
    good = code("good")
    await who(good)
    assert await good.diagnostics("missing.py") is None
    assert await good.diagnostics("server.txt") is None


async def test_a_hundred_workspace_symbols_are_shown(code: Opened) -> None:
    text, metadata = await code("good").query("workspace_symbols", query="s")
    lines = text.splitlines()
    assert (lines[0], lines[-1], len(lines)) == ("- s0 (kind=12) /elsewhere/x.py:1:1", "… and 50 more", 101)
    assert metadata["count"] == 150


async def test_an_idle_server_is_ended_and_one_in_use_is_not(sandbox: Sandbox) -> None:
    pool = Pool(idle=0.2, patience=QUICK)
    code = WorkspaceCode(sandbox, pool, manners(sandbox, "good"))
    first = await who(code)
    assert await gone(pool, code)
    assert await who(code) != first
    await pool.close()


async def gone(pool: Pool, code: WorkspaceCode) -> bool:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        if not pool.count:
            return True
        await asyncio.sleep(0.02)
    return False


async def test_no_more_servers_run_than_may(workspace: Path, sandbox: Sandbox) -> None:
    pool = Pool(most=1, patience=QUICK)
    (workspace / "b.rs").write_text("")
    choices = {**manners(sandbox, "good").servers, "rust": ["python3", f"{sandbox.mount}/server.txt", "late"]}
    code = WorkspaceCode(sandbox, pool, Choices(choices))
    first = await who(code)
    late = asyncio.create_task(who(code, "b.rs"))
    assert await soon(lambda: pool.count == 1)
    assert await late != first
    assert await who(code) != first
    assert pool.count == 1
    await pool.close()


async def test_when_all_that_may_run_are_busy_that_is_told(workspace: Path, sandbox: Sandbox) -> None:
    pool = Pool(most=1, patience=QUICK)
    (workspace / "b.rs").write_text("")
    choices = {"python": ["python3", f"{sandbox.mount}/server.txt", "deaf"], "rust": ["python3", f"{sandbox.mount}/server.txt", "good"]}
    code = WorkspaceCode(sandbox, pool, Choices(choices))
    busy = asyncio.create_task(who(code))
    assert await soon(lambda: pool.count == 1)
    with pytest.raises(ToolError, match="All 1 language servers"):
        await who(code, "b.rs")
    busy.cancel()
    await asyncio.wait([busy])
    await pool.close()


def test_when_the_event_loop_ends_the_servers_end(sandbox: Sandbox) -> None:
    trace, pool = Trace(), Pool(patience=QUICK)
    choices = Choices({"python": ["python3", f"{sandbox.mount}/server.txt", "good", str(trace)]})

    async def forgotten() -> None:
        await who(WorkspaceCode(sandbox, pool, choices))
        assert trace.alive()

    asyncio.run(forgotten())
    assert asyncio.run(trace.is_gone())
    asyncio.run(forgotten())
