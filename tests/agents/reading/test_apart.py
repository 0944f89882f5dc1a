from __future__ import annotations

import os
from pathlib import Path

import pytest

from agents.errors import PathRefused, ToolError
from agents.reading.apart import Work, apart
from agents.reading.inside import opened
from agents.sandboxes.choose import LEVELS, open_sandbox, works
from agents.sandboxes.sandbox import Level, Limits, Sandbox, SandboxWish
from tests.agents.reading import samples


@pytest.fixture(params=LEVELS)
def sandbox(request: pytest.FixtureRequest, tmp_path: Path) -> Sandbox:
    level: Level = request.param
    if not works(level):
        pytest.skip(f"{level} does not work on this machine.")
    root = tmp_path / "workspace"
    root.mkdir()
    return open_sandbox(SandboxWish(str(root), level=level))


def put(sandbox: Sandbox, archive: bytes) -> None:
    Path(sandbox.root, "a.zip").write_bytes(archive)


async def listing(sandbox: Sandbox, limits: Limits, path: str = "a.zip") -> list[str]:
    told, _ = await apart(sandbox, Work("archives", "The archive", limits), {"do": "read", "path": path, "member": ""})
    return [name for name, _ in told["entries"]]


async def test_work_is_done_at_every_level(sandbox: Sandbox) -> None:
    put(sandbox, samples.zipped({"b": "", "a/c": ""}))
    assert await listing(sandbox, Limits()) == ["a/", "b"]


async def test_the_program_at_work_is_stopped_when_it_takes_too_long(sandbox: Sandbox) -> None:
    put(sandbox, samples.zipped({"b": ""}))
    with pytest.raises(ToolError, match="The archive took longer than 0 seconds"):
        await listing(sandbox, Limits(seconds=0))


async def test_a_program_at_work_has_no_more_memory_than_its_limit(sandbox: Sandbox) -> None:
    put(sandbox, samples.zipped({"zeros": bytes(30 * 2**20)}))
    work = Work("archives", "The archive", Limits(memory=48 * 2**20))
    with pytest.raises(ToolError, match="needs more than 48 MB of memory"):
        await apart(sandbox, work, {"do": "read", "path": "a.zip", "member": "zeros"})


async def test_what_it_gives_is_bounded(sandbox: Sandbox) -> None:
    put(sandbox, samples.zipped({"long": "x" * 3 * 2**20}))
    work = Work("archives", "The archive", Limits(output=2 * 2**20))
    with pytest.raises(ToolError, match="gives more than 2 MB"):
        await apart(sandbox, work, {"do": "read", "path": "a.zip", "member": "long"})


async def test_a_program_that_breaks_is_told_of(sandbox: Sandbox) -> None:
    with pytest.raises(ToolError, match=r"The archive cannot be read: what reads it broke off \(exit code 1\)\. KeyError"):
        await apart(sandbox, Work("archives", "The archive", Limits()), {})


async def test_a_link_that_takes_the_place_of_a_file_is_not_followed(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "secret.zip").write_bytes(samples.zipped({"secret": ""}))
    os.symlink(tmp_path / "secret.zip", f"{sandbox.root}/a.zip")  # noqa: PTH211
    with pytest.raises(ToolError):
        await listing(sandbox, Limits())


def test_no_part_of_a_path_may_be_a_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "file").write_bytes(b"text")
    (tmp_path / "folder").symlink_to("real")
    with opened("real/file") as file:
        assert file.read() == b"text"
    with pytest.raises(ToolError, match="folder/file"):
        opened("folder/file")


def test_a_pipe_is_no_plain_file_and_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    with pytest.raises(PathRefused, match="no plain file"):
        opened("pipe")
