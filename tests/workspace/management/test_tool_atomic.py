"""`manage.py tool --toolset atomic`: what its tools keep belongs to one session, and outlasts a process that has a home."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
Json = dict[str, Any]
Door = Callable[..., list[Json]]
COPY = "[a.txt#{tag}]\n1:one\n2:two\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    root.mkdir()
    return root


@pytest.fixture
def door(root: Path) -> Door:
    """One process that is given these lines; what it answers."""

    def through(*lines: Json, home: Path | None = None) -> list[Json]:
        raw = b"\n".join(json.dumps(line).encode() for line in lines)
        command = [sys.executable, "manage.py", "tool", "--toolset", "atomic", "--root", str(root), "--sandbox", "local"]
        command += ["--home", str(home)] if home else []
        done = subprocess.run(command, cwd=ROOT, input=raw, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    return through


def write(path: str, content: str, session: str = "s1") -> Json:
    return {"name": "write", "args": {"path": path, "content": content}, "session": session}


def tag_of(line: Json) -> str:
    return str(line["metadata"]["tag"])


def test_what_one_session_was_shown_no_other_knows(door: Door, root: Path) -> None:
    (first,) = door(write("a.txt", "one\ntwo\n"))
    copied = COPY.format(tag=tag_of(first))
    lines = door(
        write("a.txt", "one\ntwo\n"), write("b.txt", copied), write("c.txt", copied, session="s2"),
    )  # fmt: skip
    assert [line["metadata"]["stripped"] for line in lines] == [False, True, False]
    assert (root / "b.txt").read_text() == "one\ntwo\n"
    assert (root / "c.txt").read_text() == copied


def test_a_home_keeps_what_each_session_was_shown(door: Door, root: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    (first,) = door(write("a.txt", "one\ntwo\n"), home=home)
    copied = COPY.format(tag=tag_of(first))
    lines = door(write("b.txt", copied), write("c.txt", copied, session="s2"), home=home)
    assert [line["metadata"]["stripped"] for line in lines] == [True, False]
    (later,) = door(write("d.txt", copied))
    assert later["metadata"]["stripped"] is False


def test_a_home_keeps_the_numbers_of_conflicts(door: Door, root: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    conflict = "<<<<<<< a\n{0}\n=======\nx\n>>>>>>> b\n"
    (root / "a.txt").write_text("".join(conflict.format(number) for number in (1, 2, 3)))
    door(write("conflict://1", "@ours"), home=home)
    door(write("conflict://3", "@ours"), home=home)
    assert (root / "a.txt").read_text() == f"1\n{conflict.format(2)}3\n"


def test_a_home_that_was_meddled_with_is_said(root: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "s1.seen.json").write_text('{"texts": 3}')
    command = [sys.executable, "manage.py", "tool", "--toolset", "atomic", "--root", str(root), "--home", str(home)]
    done = subprocess.run(command, cwd=ROOT, input=json.dumps(write("a.txt", "")).encode(), capture_output=True, check=False)
    assert done.returncode == 1
    assert b"s1.seen.json" in done.stderr
    assert not (root / "a.txt").exists()
