from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from agents.errors import AgentError
from agents.host import InMemoryArtifacts
from workspace.management.hand_kept import HandArtifacts, HandSnapshots


def test_snapshots_come_back_in_their_order(tmp_path: Path) -> None:
    path = tmp_path / "seen.json"
    store = HandSnapshots(path)
    for name, text in (("a", "1"), ("b\udcff", "x\udc80\0"), ("a", "2")):
        store.record(name, text)
    store.note("key", [1, None])
    store.save()
    again = HandSnapshots(path)
    assert again.texts() == [("b\udcff", ["x\udc80\0"]), ("a", ["1", "2"])]
    assert again.noted("key") == [1, None]


def test_nothing_new_is_not_written_again(tmp_path: Path) -> None:
    path = tmp_path / "seen.json"
    store = HandSnapshots(path)
    store.save()
    assert not path.exists()
    store.record("a", "1")
    store.save()
    before = path.stat()
    store.record("a", "1")
    store.save()
    HandSnapshots(path).save()
    assert path.stat() == before


async def test_artifacts_come_back_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "artifacts.json"
    store = HandArtifacts(path)
    await store.keep("picture", b"\x89PNG\0\xff", "image/png")
    await store.keep("text", b"ok")
    store.save()
    again = HandArtifacts(path)
    assert again.kept == store.kept
    assert (await again.keep("more", b"x")).number == 3


def test_without_a_home_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    snapshots, artifacts = HandSnapshots(None), HandArtifacts(None)
    snapshots.record("a", "1")
    asyncio.run(artifacts.keep("text", b"ok"))
    snapshots.save()
    artifacts.save()
    assert isinstance(artifacts, InMemoryArtifacts)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", ["", "[]", "{", '{"texts": [["a"]]}', '{"artifacts": [["a", "b", "x"]]}', "\xff"])
def test_a_file_of_another_kind_is_told(tmp_path: Path, content: str) -> None:
    path = tmp_path / "kept.json"
    path.write_bytes(content.encode("latin-1"))
    kind = HandArtifacts if "artifacts" in content else HandSnapshots
    with pytest.raises(AgentError, match=r"kept\.json"):
        kind(path)
