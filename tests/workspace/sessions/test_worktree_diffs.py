"""What a sub-agent changed in its worktree, as the API tells it before and after people decide."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from tests.workspace.sessions.api import Api
from tests.workspace.sessions.conftest import OPENED
from workspace.accounts.models import Membership, User
from workspace.errors import Conflict
from workspace.projects import git, worktrees
from workspace.sessions import log
from workspace.sessions import protocol as p
from workspace.sessions.actions import perform
from workspace.sessions.models import Session


def test_the_diff_of_the_session_is_that_of_its_worktree(child: Session, place: Path, bob: User, charlie: User) -> None:
    (place / "elsewhere.py").write_text("not hers\n")
    path = f"sessions/{child.public_id}/diff/"
    shown = Api(bob).get(path)
    assert [file["path"] for file in shown["files"]] == ["new.py", "shelf.py"]
    assert (shown["added"], shown["removed"], shown["note"]) == (2, 1, "")
    Membership.objects.filter(user=bob).update(role="viewer")
    assert Api(bob).get(path) == shown
    Api(charlie).get(path, 404)
    assert Client().get(f"/api/{path}").status_code == 401


def test_only_what_was_looked_at_is_landed(child: Session, place: Path, alice: User) -> None:
    seen = Api(alice).get(f"sessions/{child.public_id}/diff/")["hash"]
    (worktrees.place_of(child.public_id) / "new.py").write_text("changed since\n")
    with pytest.raises(Conflict, match="changed since you looked"):
        perform(child, alice, p.LandWorktree(hash=seen))
    assert not (place / "new.py").exists()
    perform(child, alice, p.LandWorktree(hash=Api(alice).get(f"sessions/{child.public_id}/diff/")["hash"]))
    assert (place / "new.py").read_text() == "changed since\n"


def test_after_landing_the_diff_is_what_was_landed(child: Session, place: Path, alice: User) -> None:
    perform(child, alice, p.LandWorktree(hash=Api(alice).get(f"sessions/{child.public_id}/diff/")["hash"]))
    (place / "new.py").write_text("changed since\n")
    shown = Api(alice).get(f"sessions/{child.public_id}/diff/")
    assert [(file["path"], file["added"]) for file in shown["files"]] == [("new.py", 1), ("shelf.py", 1)]
    assert shown["note"]


def test_after_dropping_the_diff_is_empty_and_says_why(child: Session, alice: User) -> None:
    perform(child, alice, p.DropWorktree())
    shown = Api(alice).get(f"sessions/{child.public_id}/diff/")
    assert shown["files"] == []
    assert "dropped" in shown["note"]


def test_an_agent_in_the_worktree_of_another_tells_of_that(child: Session, alice: User) -> None:
    root = child.project.root
    tree = git.snapshot(root, git.head_tree(root), worktrees.place_of(child.public_id))
    below = Session.objects.create(project=child.project, parent=child, root=child.root, started_by_call="c2", base_tree=tree)
    log.append(below.pk, [OPENED])
    (worktrees.place_of(child.public_id) / "below.py").write_text("x\n")
    path = f"sessions/{below.public_id}/diff/"
    assert [file["path"] for file in Api(alice).get(path)["files"]] == ["below.py"]
    perform(child, alice, p.DropWorktree())
    assert Api(alice).get(path)["note"]
