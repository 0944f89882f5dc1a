from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from agents.errors import SandboxError
from agents.sandboxes.choose import LEVELS, notes, open_sandbox, strongest, works
from agents.sandboxes.sandbox import Level, SandboxWish


def test_the_strongest_level_is_the_first_that_works() -> None:
    assert strongest() == next(level for level in LEVELS if works(level))


async def test_the_level_can_be_chosen_inside_an_event_loop(workspace: Path) -> None:
    assert open_sandbox(SandboxWish(str(workspace))).level == strongest()


def test_a_wish_is_met_or_refused_but_never_lowered(workspace: Path) -> None:
    for level in LEVELS:
        wish = SandboxWish(str(workspace), level=level)
        if works(level):
            assert open_sandbox(wish).level == level
        else:
            with pytest.raises(SandboxError, match=level):
                open_sandbox(wish)


def test_the_mount_is_where_commands_are(workspace: Path, level: Level) -> None:
    sandbox = open_sandbox(SandboxWish(str(workspace), level=level))
    assert sandbox.root == str(workspace)
    assert sandbox.mount == ("/workspace" if level == "bubblewrap" else str(workspace))


async def test_a_workspace_that_is_gone_is_told_when_it_is_used(workspace: Path, level: Level) -> None:
    sandbox = open_sandbox(SandboxWish(str(workspace), level=level))
    workspace.rmdir()  # noqa: ASYNC240 - it is empty
    with pytest.raises(SandboxError, match="No such file or directory"):
        await sandbox.run(["true"])
    with pytest.raises(FileNotFoundError):
        sandbox.files.read("file")


def test_landlock_refuses_to_hide_a_part_of_the_workspace(workspace: Path) -> None:
    if not works("landlock"):
        pytest.skip("Landlock does not work on this machine.")
    with pytest.raises(SandboxError, match="cannot hide"):
        open_sandbox(SandboxWish(str(workspace), level="landlock", hidden=(str(workspace / ".env"),)))


def test_every_level_has_a_sentence_for_people() -> None:
    assert all(notes(level).endswith(".") for level in LEVELS)
    assert len({notes(level) for level in LEVELS}) == 3


def test_choosing_imports_nothing_heavy() -> None:
    code = "import sys, agents.sandboxes.choose; print([name for name in ('pydantic', 'django', 'httpx', 'yaml') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout == b"[]\n"
