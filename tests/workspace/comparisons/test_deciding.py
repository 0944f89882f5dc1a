"""Keeping one side, or neither: once, by somebody who may, with all told as landing tells it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from agents import events as e
from workspace.accounts.models import Membership, User
from workspace.comparisons.actions import drop, keep
from workspace.comparisons.figures import figures_of
from workspace.comparisons.models import Comparison
from workspace.errors import Conflict, Forbidden, Missing
from workspace.projects import worktrees
from workspace.projects.models import Project
from workspace.sessions import log
from workspace.sessions import protocol as p
from workspace.sessions.actions import perform
from workspace.sessions.models import Session
from workspace.sessions.worktree import changed_in


def folder(session: Session) -> Path:
    return worktrees.place_of(session.public_id)


@pytest.fixture
def done(ended: Comparison) -> Comparison:
    """The left side mended the last line and added a file, the right one mended the first."""
    (folder(ended.left) / "shelf.py").write_text("one\ntwo\n3\n")
    (folder(ended.left) / "new.py").write_text("new\n")
    (folder(ended.right) / "shelf.py").write_text("1\ntwo\nthree\n")
    return ended


def seen(session: Session) -> str:
    return changed_in(session).hash


def states(comparison: Comparison) -> list[str]:
    found = Comparison.objects.get(pk=comparison.pk)
    return [session.view.worktree.state for session in (found.left, found.right) if session.view.worktree]


def test_the_side_that_is_kept_is_landed_and_the_other_dropped(done: Comparison, place: Path, alice: User) -> None:
    keep(done, alice, "left", seen(done.left))
    assert states(done) == ["landed", "dropped"]
    assert (place / "shelf.py").read_text() == "one\ntwo\n3\n"
    assert (place / "new.py").read_text() == "new\n"
    assert not folder(done.left).exists()
    assert not folder(done.right).exists()
    dropped = log.read(done.right.pk)[-1]
    assert isinstance(dropped.fact, e.WorktreeDropped)
    assert (dropped.fact.reason, dropped.by) == ("“Fix the shelf. · OATS” was kept.", alice.public_id)


def test_the_right_side_can_be_kept_as_well(done: Comparison, place: Path, alice: User) -> None:
    keep(done, alice, "right", seen(done.right))
    assert states(done) == ["dropped", "landed"]
    assert (place / "shelf.py").read_text() == "1\ntwo\nthree\n"
    assert not (place / "new.py").exists()


def test_conflicts_are_told_as_landing_tells_them_and_leave_both_sides(done: Comparison, place: Path, alice: User) -> None:
    (place / "shelf.py").write_text("one\ntwo\nthird\n")
    with pytest.raises(Conflict, match=r"shelf\.py"):
        keep(done, alice, "left", seen(done.left))
    assert states(done) == ["open", "open"]
    assert (place / "shelf.py").read_text() == "one\ntwo\nthird\n"
    assert not (place / "new.py").exists()
    assert (folder(done.right) / "shelf.py").exists()
    (place / "shelf.py").write_text("one\ntwo\nthree\n")
    keep(done, alice, "left", seen(done.left))
    assert states(done) == ["landed", "dropped"]


def test_only_what_was_looked_at_is_kept(done: Comparison, place: Path, alice: User) -> None:
    before = seen(done.left)
    (folder(done.left) / "new.py").write_text("changed since\n")
    with pytest.raises(Conflict, match="changed since you looked"):
        keep(done, alice, "left", before)
    assert states(done) == ["open", "open"]


@pytest.mark.parametrize("busy", ["left", "right"])
def test_while_either_side_works_nothing_is_decided(done: Comparison, alice: User, busy: str) -> None:
    perform(getattr(done, busy), alice, p.SendMessage(message_id="message-more", text="And the door."))
    with pytest.raises(Conflict, match="still at work"):
        keep(done, alice, "left", seen(done.left))
    with pytest.raises(Conflict, match="still at work"):
        drop(done, alice)
    assert states(done) == ["open", "open"]


def test_both_are_dropped_together(done: Comparison, place: Path, alice: User) -> None:
    drop(done, alice, "Neither works.")
    assert states(done) == ["dropped", "dropped"]
    assert (place / "shelf.py").read_text() == "one\ntwo\nthree\n"
    for session in (done.left, done.right):
        dropped = log.read(session.pk)[-1].fact
        assert isinstance(dropped, e.WorktreeDropped)
        assert dropped.reason == "Neither works."


def test_whoever_comes_second_hears_who_decided(done: Comparison, alice: User, bob: User) -> None:
    Membership.objects.filter(user=bob).update(role="reviewer")
    mine = seen(done.left)
    keep(done, bob, "left", mine)
    for late in (partial(keep, done, alice, "left", mine), partial(keep, done, alice, "right", mine), partial(drop, done, alice)):
        with pytest.raises(Conflict, match="Bob Boyd") as refused:
            late()
        assert refused.value.by == bob


def test_what_was_landed_in_its_session_leaves_the_other_to_drop(done: Comparison, alice: User) -> None:
    """So it stands too where a server died between the landing and the dropping."""
    perform(done.left, alice, p.LandWorktree(hash=seen(done.left)))
    with pytest.raises(Conflict, match="Alice Ames landed it"):
        keep(done, alice, "right", seen(done.right))
    drop(done, alice)
    assert states(done) == ["landed", "dropped"]


def test_the_last_side_that_is_open_can_be_kept(done: Comparison, place: Path, alice: User) -> None:
    perform(done.left, alice, p.DropWorktree())
    keep(done, alice, "right", seen(done.right))
    assert states(done) == ["dropped", "landed"]
    assert (place / "shelf.py").read_text() == "1\ntwo\nthree\n"


def test_nothing_is_kept_in_an_archived_project_but_both_can_be_dropped(done: Comparison, alice: User) -> None:
    mine = seen(done.left)
    Project.objects.update(archived=True)
    with pytest.raises(Conflict, match="archived"):
        keep(done, alice, "left", mine)
    assert states(done) == ["open", "open"]
    drop(done, alice)


@pytest.mark.parametrize("role", ["member", "viewer"])
def test_only_who_approves_tools_decides(done: Comparison, bob: User, role: str) -> None:
    Membership.objects.filter(user=bob).update(role=role)
    with pytest.raises(Forbidden):
        keep(done, bob, "left", seen(done.left))
    with pytest.raises(Forbidden):
        drop(done, bob)
    assert states(done) == ["open", "open"]


def test_a_stranger_finds_nothing_to_decide(done: Comparison, charlie: User) -> None:
    with pytest.raises(Missing):
        keep(done, charlie, "left", seen(done.left))
    with pytest.raises(Missing):
        drop(done, charlie)


def test_what_a_dropped_side_had_changed_stays_told(done: Comparison, alice: User) -> None:
    keep(done, alice, "left", seen(done.left))
    found = figures_of([done.left, done.right], compare=True)
    assert [(one.files, one.added, one.removed) for one in (found[done.left.pk], found[done.right.pk])] == [(2, 2, 1), (1, 1, 1)]
