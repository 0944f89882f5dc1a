from __future__ import annotations

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from workspace.projects import git


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "place"
    root.mkdir()
    (root / "shelf.py").write_text("one\ntwo\n")
    (root / "logo.png").write_bytes(b"\x89PNG\0\0")
    (root / ".gitignore").write_text("*.log\n")
    git.begin(root)
    return root


def by_hand(root: Path, *arguments: str) -> str:
    env = {**git.ENVIRONMENT, "PATH": os.environ["PATH"]}
    return subprocess.run(["git", "-C", str(root), *arguments], check=True, capture_output=True, text=True, env=env).stdout


def test_the_first_commit_holds_everything(root: Path) -> None:
    assert by_hand(root, "log", "--format=%s") == "Countersign: start\n"
    assert by_hand(root, "status", "--porcelain") == ""


def test_the_same_files_give_the_same_tree(root: Path) -> None:
    assert git.snapshot(root) == git.snapshot(root) == git.head_tree(root)


def test_a_diff_tells_what_was_made_changed_removed_and_renamed(root: Path) -> None:
    (root / "long.txt").write_text("".join(f"line {n}\n" for n in range(50)))
    before = git.snapshot(root)
    (root / "shelf.py").write_text("one\nthree\nfour\n")
    (root / "new.py").write_text("hello\n")
    (root / ".gitignore").unlink()
    (root / "long.txt").rename(root / "longer.txt")
    found = {change.path: change for change in git.diff(root, before)}
    assert {path: change.change for path, change in found.items()} == {
        "shelf.py": "modified", "new.py": "created", ".gitignore": "deleted", "longer.txt": "renamed",
    }  # fmt: skip
    assert (found["shelf.py"].added, found["shelf.py"].removed) == (2, 1)
    assert "-two\n+three\n+four\n" in found["shelf.py"].diff
    assert "rename from long.txt" in found["longer.txt"].diff


def test_two_snapshots_can_be_compared_later(root: Path) -> None:
    first = git.snapshot(root)
    (root / "shelf.py").write_text("changed\n")
    second = git.snapshot(root)
    (root / "shelf.py").write_text("changed again\n")
    assert "+changed\n" in git.diff(root, first, second)[0].diff


def test_ignored_files_are_left_out(root: Path) -> None:
    before = git.snapshot(root)
    (root / "noise.log").write_text("noise")
    assert git.diff(root, before) == []


def test_a_file_that_was_committed_although_ignored_is_compared(root: Path) -> None:
    (root / "kept.log").write_text("kept\n")
    by_hand(root, "add", "-f", "kept.log")
    by_hand(root, "commit", "-qm", "Keep it")
    assert git.diff(root, git.head_tree(root)) == []
    (root / "kept.log").write_text("changed\n")
    assert [change.path for change in git.diff(root, git.head_tree(root))] == ["kept.log"]


def test_a_binary_file_is_marked_as_one(root: Path) -> None:
    before = git.snapshot(root)
    (root / "logo.png").write_bytes(b"\x89PNG\0\1")
    assert "Binary files a/logo.png and b/logo.png differ" in git.diff(root, before)[0].diff


def test_a_repository_within_the_workspace_is_looked_into(root: Path) -> None:
    before = git.snapshot(root)
    (root / "inner").mkdir()
    by_hand(root / "inner", "init", "-q")
    (root / "inner" / "hidden.py").write_text("x = 1\n")
    assert [change.path for change in git.diff(root, before)] == ["inner/hidden.py"]


def test_odd_names_come_back_as_they_are(root: Path) -> None:
    before = git.snapshot(root)
    names = ["-q", "with space", "tab\tand\nline", "ümlaut.txt", 'quo"te']
    for name in names:
        (root / name).write_text("x\n")
    assert sorted(change.path for change in git.diff(root, before)) == sorted(names)


def test_a_very_long_diff_is_cut_at_a_line(root: Path) -> None:
    before = git.snapshot(root)
    (root / "long.txt").write_text("a line of some length\n" * 20_000)
    change = git.diff(root, before)[0]
    assert change.added == 20_000
    assert len(change.diff) < 110_000
    assert change.diff.endswith("left out)\n")


def test_nothing_that_the_workspace_names_is_ever_run(root: Path, tmp_path: Path) -> None:
    """Programs named in the repository's configuration, hooks and attributes stay where they are."""
    trap, proof = tmp_path / "trap", tmp_path / "proof"
    trap.write_text(f"#!/bin/sh\necho caught >> {proof}\ncat\n")
    trap.chmod(0o755)
    before = git.snapshot(root)
    (root / ".gitattributes").write_text("* filter=trap diff=trap\n")
    (root / ".git" / "hooks").mkdir(exist_ok=True)
    for hook in ("pre-commit", "post-index-change", "fsmonitor-watchman"):
        (root / ".git" / "hooks" / hook).symlink_to(trap)
    with (root / ".git" / "config").open("a") as config:
        config.write(f"[core]\n fsmonitor = {trap}\n hooksPath = .git/hooks\n pager = {trap}\n")
        config.write(f'[filter "trap"]\n clean = {trap}\n smudge = {trap}\n')
        config.write(f'[diff]\n external = {trap}\n[diff "trap"]\n textconv = {trap}\n command = {trap}\n')
    (root / "shelf.py").write_text("changed\n")
    assert {change.path for change in git.diff(root, before)} == {"shelf.py", ".gitattributes"}
    assert {change.path for change in git.diff(root, git.head_tree(root))} == {"shelf.py", ".gitattributes"}
    assert not proof.exists()


def test_a_missing_or_broken_head_counts_as_empty(root: Path) -> None:
    for text in ("nonsense", "ref: refs/heads/../../config", "ref: refs/heads/none", "0" * 40):
        (root / ".git" / "HEAD").write_text(text)
        assert git.head_tree(root) == git.EMPTY_TREE
    assert {change.change for change in git.diff(root, git.EMPTY_TREE)} == {"created"}


def test_a_head_in_packed_refs_is_found(root: Path) -> None:
    tree = git.head_tree(root)
    by_hand(root, "pack-refs", "--all")
    assert git.head_tree(root) == tree


def test_links_are_taken_as_links(root: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("the secret")
    before = git.snapshot(root)
    (root / "link").symlink_to(tmp_path / "secret")
    change = git.diff(root, before)[0]
    assert "the secret" not in change.diff
    assert str(tmp_path / "secret") in change.diff


def test_files_that_cannot_be_taken_do_not_stop_the_others(root: Path) -> None:
    before = git.snapshot(root)
    os.mkfifo(root / "pipe")
    with (root / "huge.bin").open("wb") as huge:
        huge.truncate(git.FILE_LIMIT + 1)
    (root / "new.py").write_text("x\n")
    assert [change.path for change in git.diff(root, before)] == ["new.py"]


def test_two_who_need_our_repository_at_the_same_moment_both_get_it(tmp_path: Path) -> None:
    for number in range(5):
        root = tmp_path / str(number) / "place"
        root.mkdir(parents=True)
        (root / "a.txt").write_text("x")
        with ThreadPoolExecutor(4) as threads:
            trees = list(threads.map(lambda _, root=root: git.snapshot(root), range(4)))
        assert len(set(trees)) == 1
        assert [path.name for path in (root.parent / ".snapshots").iterdir()] == ["place.git"]
