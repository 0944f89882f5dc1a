"""Worktrees of sub-agents: what they begin with, what is told of them, and how they go."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.workspace.projects.trees import by_hand, land, landed
from workspace.errors import Unavailable
from workspace.ids import new_id
from workspace.projects import worktrees
from workspace.projects.models import Project


def test_a_worktree_holds_the_workspace_as_it_is(place: Project) -> None:
    (place.root / "shelf.py").write_text("one\nchanged\n")
    (place.root / "new file.py").write_text("new\n")
    (place.root / "noise.log").write_text("noise\n")
    before = by_hand(place.root, "status", "--porcelain", "--branch")
    made = worktrees.make(place, new_id())
    assert (made.path / "shelf.py").read_text() == "one\nchanged\n"
    assert (made.path / "new file.py").read_text() == "new\n"
    assert not (made.path / "noise.log").exists()
    assert by_hand(place.root, "status", "--porcelain", "--branch") == before
    assert by_hand(made.path, "status", "--porcelain") == ""
    assert by_hand(made.path, "log", "--format=%s").splitlines() == [f"Where agent {made.name} began", "Countersign: start"]
    assert by_hand(made.path, "rev-parse", "--abbrev-ref", "HEAD").strip() == made.branch
    assert by_hand(made.path, "fsck", "--full").strip() == ""


def test_what_the_sub_agent_changed_is_told(place: Project, made: worktrees.Worktree) -> None:
    (made.path / "shelf.py").write_text("one\n2\nthree\n")
    by_hand(made.path, "commit", "-qam", "Write a digit")
    (made.path / "new.py").write_text("new\n")
    found = {change.path: change.change for change in worktrees.changes(place, made.path.name, made.base)}
    assert found == {"shelf.py": "modified", "new.py": "created"}
    text = worktrees.diff(place, made.path.name, made.base)
    assert "+2\n" in text
    assert "b/new.py" in text


def test_dropping_leaves_nothing_and_can_be_done_twice(place: Project, made: worktrees.Worktree) -> None:
    (made.path / "shelf.py").write_text("changed\n")
    by_hand(made.path, "commit", "-qam", "Mine")
    by_hand(place.root, "pack-refs", "--all")
    (made.path / "locked").mkdir()
    (made.path / "locked" / "file").write_text("x")
    (made.path / "locked").chmod(0o500)
    for _ in range(2):
        worktrees.drop(place, made.path.name)
        assert not made.path.exists()
        assert by_hand(place.root, "branch", "--format=%(refname:short)") == "main\n"
        assert len(by_hand(place.root, "worktree", "list").splitlines()) == 1
    assert (place.root / "shelf.py").read_text() == "one\ntwo\nthree\n"


def test_a_second_attempt_begins_anew(place: Project, made: worktrees.Worktree) -> None:
    (made.path / "half.py").write_text("half\n")
    again = worktrees.make(place, made.path.name)
    assert worktrees.changes(place, made.path.name, again.base) == ()


def test_two_worktrees_stand_side_by_side(place: Project, made: worktrees.Worktree) -> None:
    other = worktrees.make(place, new_id())
    (made.path / "one.py").write_text("1\n")
    (other.path / "two.py").write_text("2\n")
    landed(place, made)
    assert landed(place, other) == {"two.py": "created"}


def test_a_worktree_can_begin_from_another(place: Project, made: worktrees.Worktree) -> None:
    (made.path / "one.py").write_text("1\n")
    inner = worktrees.make(place, new_id(), made.path)
    assert (inner.path / "one.py").read_text() == "1\n"
    assert by_hand(inner.path, "status", "--porcelain") == ""
    (inner.path / "two.py").write_text("2\n")
    assert landed(place, inner) == {"two.py": "created"}


def test_git_keeps_a_worktree_it_cannot_see(place: Project, made: worktrees.Worktree) -> None:
    made.path.rename(made.path.with_name("elsewhere"))
    by_hand(place.root, "worktree", "prune", "--expire", "now")
    made.path.with_name("elsewhere").rename(made.path)
    assert by_hand(made.path, "status", "--porcelain") == ""


def test_a_project_without_a_commit_has_worktrees_too(project: Project) -> None:
    by_hand(project.root, "init", "-q")
    (project.root / "shelf.py").write_text("one\n")
    made = worktrees.make(project, new_id())
    assert by_hand(made.path, "status", "--porcelain") == ""
    (made.path / "shelf.py").write_text("two\n")
    assert landed(project, made) == {"shelf.py": "modified"}


def test_without_a_repository_there_is_no_worktree(project: Project) -> None:
    with pytest.raises(Unavailable, match="git init"):
        worktrees.make(project, new_id())


@pytest.mark.parametrize("broken", ["link", "file", "objects", "sha256"])
def test_a_broken_repository_is_refused(place: Project, broken: str, tmp_path: Path, home: Path) -> None:
    folder = place.root / ".git"
    if broken == "sha256":
        (folder / "config").write_text("[extensions]\n\tobjectFormat = sha256\n")
    elif broken == "objects":
        (folder / "objects").rename(tmp_path / "objects")
        (folder / "objects").symlink_to(tmp_path / "objects")
    else:
        folder.rename(tmp_path / "elsewhere")
        folder.symlink_to(tmp_path / "elsewhere") if broken == "link" else folder.write_text(f"gitdir: {tmp_path}/elsewhere\n")
    with pytest.raises(Unavailable, match="git repository"):
        worktrees.make(place, new_id())
    assert not list(home.glob("worktrees/[!.]*"))


def test_links_in_the_repository_do_not_lead_us_outside(place: Project, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (place.root / ".git" / "worktrees").symlink_to(tmp_path / "outside")
    with pytest.raises(Unavailable):
        worktrees.make(place, new_id())
    assert list((tmp_path / "outside").iterdir()) == []
    assert by_hand(place.root, "branch", "--format=%(refname:short)") == "main\n"


def test_an_archived_project_has_no_new_worktrees(place: Project) -> None:
    place.archived = True
    with pytest.raises(Unavailable, match="archived"):
        worktrees.make(place, new_id())


def test_a_disk_that_cannot_be_written_is_told(place: Project, home: Path) -> None:
    (home / "worktrees").write_text("in the way")
    with pytest.raises(Unavailable, match="The worktree could not be"):
        worktrees.make(place, new_id())
    assert by_hand(place.root, "branch", "--format=%(refname:short)") == "main\n"


def test_a_worktree_that_is_gone_is_told(place: Project, made: worktrees.Worktree) -> None:
    worktrees.drop(place, made.path.name)
    with pytest.raises(Unavailable, match="gone"):
        worktrees.changes(place, made.path.name, made.base)
    with pytest.raises(Unavailable, match="gone"):
        land(place, made)


def test_nothing_that_the_project_names_is_ever_run(place: Project, tmp_path: Path) -> None:
    trap, proof = tmp_path / "trap", tmp_path / "proof"
    trap.write_text(f"#!/bin/sh\necho caught >> {proof}\ncat\n")
    trap.chmod(0o755)
    (place.root / ".gitattributes").write_text("* filter=trap diff=trap merge=trap\n")
    (place.root / ".git" / "hooks").mkdir(exist_ok=True)
    for hook in ("pre-commit", "post-checkout", "post-index-change", "reference-transaction", "post-commit"):
        (place.root / ".git" / "hooks" / hook).symlink_to(trap)
    with (place.root / ".git" / "config").open("a") as config:
        config.write(f"[core]\n fsmonitor = {trap}\n hooksPath = .git/hooks\n pager = {trap}\n")
        config.write(f'[filter "trap"]\n clean = {trap}\n smudge = {trap}\n[merge "trap"]\n driver = {trap}\n[diff]\n external = {trap}\n')
    made = worktrees.make(place, new_id())
    (made.path / "shelf.py").write_text("one\ntwo\nthree\nfour\n")
    (place.root / "shelf.py").write_text("zero\none\ntwo\nthree\n")
    worktrees.changes(place, made.path.name, made.base)
    landed(place, made)
    worktrees.drop(place, made.path.name)
    assert not proof.exists()


def test_leftovers_are_pruned_once_they_are_old(place: Project, made: worktrees.Worktree, home: Path) -> None:
    kept = worktrees.make(place, new_id())
    assert worktrees.prune(lambda child_id: child_id == kept.path.name) == 0
    for note in (home / "worktrees" / ".projects").iterdir():
        os.utime(note, (0, 0))
    assert worktrees.prune(lambda child_id: child_id == kept.path.name) == 1
    assert (made.path.exists(), kept.path.exists()) == (False, True)
    place.delete()
    assert worktrees.prune(lambda child_id: False) == 1
    assert not kept.path.exists()
