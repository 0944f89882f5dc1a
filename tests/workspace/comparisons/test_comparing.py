"""Beginning a comparison: two sessions that begin alike, or nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db.models import Model, signals

from agents import events as e
from tests.workspace.comparisons.conftest import WISH
from workspace.accounts.models import Membership, User
from workspace.comparisons.actions import Way, compare, two_worktrees
from workspace.comparisons.models import Comparison
from workspace.errors import Conflict, Forbidden, Invalid, Missing, Unavailable
from workspace.projects import git, worktrees
from workspace.projects.models import Project
from workspace.sessions import log
from workspace.sessions.models import Run, Session
from workspace.sessions.worktree import tidy_up


@contextmanager
def refused_by_the_database(kind: type[Model], attempt: int) -> Iterator[None]:
    """The n-th row of this kind cannot be kept, as when the disk is full."""
    seen: list[object] = []

    def full(instance: object, **signal: Any) -> None:
        seen.append(instance)
        if len(seen) == attempt:
            raise OSError("The disk is full")

    signals.pre_save.connect(full, sender=kind)
    try:
        yield
    finally:
        signals.pre_save.disconnect(full, sender=kind)


def left_behind(home: Path, project: Project) -> list[str]:
    """What there is of worktrees: folders, notes, registrations and branches."""
    places = (home / "worktrees", home / "worktrees" / ".projects", project.root / ".git/worktrees")
    found = [path.name for place in places if place.is_dir() for path in place.iterdir() if path.name != ".projects"]
    branches = project.root / ".git/refs/heads/countersign"
    return found + ([path.name for path in branches.iterdir()] if branches.is_dir() else [])


def test_both_sides_get_the_same_prompt_in_sessions_of_their_own(comparison: Comparison, alice: User) -> None:
    for session in (comparison.left, comparison.right):
        (spoke,) = [fact for fact in (entry.fact for entry in log.read(session.pk)) if isinstance(fact, e.UserSpoke)]
        assert spoke.text == WISH.prompt
        assert (session.created_by, session.root, session.status) == (alice, None, "queued")
        assert Run.objects.get(session=session).acting_for == alice
    assert [session.view.toolset for session in (comparison.left, comparison.right)] == ["oats", "atomic"]
    assert [session.title for session in (comparison.left, comparison.right)] == ["Fix the shelf. · OATS", "Fix the shelf. · Atomic"]
    assert (comparison.title, comparison.provider, comparison.model) == ("Fix the shelf.", "scripted", "demo")


def test_both_worktrees_begin_with_what_the_workspace_holds_now(place: Path, project: Project, alice: User) -> None:
    (place / "shelf.py").write_text("not committed\n")
    (place / "new.py").write_text("not even known\n")
    made = compare(project, alice, WISH)
    folders = [worktrees.place_of(session.public_id) for session in (made.left, made.right)]
    assert {session.view.worktree.base for session in (made.left, made.right) if session.view.worktree} == {made.base}
    for folder in folders:
        assert (folder / "shelf.py").read_text() == "not committed\n"
        assert (folder / "new.py").read_text() == "not even known\n"
    assert git.tree_of(place, made.base) == git.snapshot(place, git.head_tree(place))
    (folders[0] / "new.py").write_text("mine\n")
    assert (folders[1] / "new.py").read_text() == (place / "new.py").read_text() == "not even known\n"


@pytest.mark.parametrize(
    ("left", "right", "titles"),
    [
        (Way(toolset="oats"), Way(toolset="oats", workflow="verified"), ["react", "verified"]),
        (Way(toolset="oats", protocol="xml"), Way(toolset="oats"), ["xml", "native"]),
        (Way(toolset="oats", protocol="xml"), Way(toolset="atomic"), ["OATS, xml", "Atomic, native"]),
    ],
)
def test_the_sides_may_differ_in_any_way_and_are_named_by_it(
    place: Path, project: Project, alice: User, left: Way, right: Way, titles: list[str]
) -> None:
    made = compare(project, alice, WISH.model_copy(update={"left": left, "right": right, "title": "T"}))
    assert [session.title for session in (made.left, made.right)] == [f"T · {title}" for title in titles]


@pytest.mark.parametrize("right", [Way(toolset="oats"), Way(toolset="oats", workflow="react"), Way(toolset="oats", protocol="native")])
def test_two_sides_that_come_to_the_same_are_refused(home: Path, place: Path, project: Project, alice: User, right: Way) -> None:
    with pytest.raises(Invalid, match="Both sides are the same") as refused:
        compare(project, alice, WISH.model_copy(update={"right": right}))
    assert refused.value.fields
    assert "right" in refused.value.fields
    assert left_behind(home, project) == []


@pytest.mark.parametrize("change", [{"provider": "nobody"}, {"right": Way(toolset="nails")}, {"prompt": " \n"}, {"prompt": "a\0b"}])
def test_what_makes_no_sense_is_refused_before_anything_is_made(
    home: Path, place: Path, project: Project, alice: User, change: dict[str, Any]
) -> None:
    with pytest.raises(Invalid):
        compare(project, alice, WISH.model_copy(update=change))
    assert (left_behind(home, project), Session.objects.count()) == ([], 0)


def test_an_archived_project_compares_nothing(home: Path, place: Path, project: Project, alice: User) -> None:
    project.archived = True
    with pytest.raises(Conflict, match="archived"):
        compare(project, alice, WISH)
    assert left_behind(home, project) == []


def test_a_project_without_a_repository_says_what_it_lacks(home: Path, project: Project, alice: User) -> None:
    with pytest.raises(Unavailable, match="git init"):
        compare(project, alice, WISH)
    assert not Session.objects.exists()


def test_only_who_may_prompt_compares(home: Path, place: Path, project: Project, bob: User, charlie: User) -> None:
    assert compare(project, bob, WISH).created_by == bob
    Membership.objects.filter(user=bob).update(role="viewer")
    for who, refusal in ((bob, Forbidden), (charlie, Missing)):
        with pytest.raises(refusal):
            compare(project, who, WISH)
    assert Comparison.objects.count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("kind", "attempt"), [(Session, 1), (Session, 2), (Run, 2), (Comparison, 1)])
def test_where_one_side_cannot_be_opened_nothing_is_left(
    home: Path, place: Path, project: Project, alice: User, kind: type[Model], attempt: int
) -> None:
    with refused_by_the_database(kind, attempt), pytest.raises(OSError, match="full"):
        compare(project, alice, WISH)
    assert left_behind(home, project) == []
    assert [model.objects.count() for model in (Session, Run, Comparison)] == [0, 0, 0]
    compare(project, alice, WISH)  # and it can be tried again


def test_what_a_server_that_died_between_the_two_openings_leaves_is_tidied_up(home: Path, place: Path, project: Project) -> None:
    dying = two_worktrees(project)
    made = dying.__enter__()  # and the process is gone: nothing is cleaned up
    tidy_up()
    assert all(one.path.is_dir() for one in made)  # their sessions may be about to be kept
    for note in (home / "worktrees/.projects").iterdir():
        os.utime(note, (0, 0))
    tidy_up()
    assert left_behind(home, project) == []
    assert not dying.__exit__(OSError, OSError("gone"), None)


def test_tidying_up_leaves_the_worktrees_of_open_comparisons(home: Path, comparison: Comparison) -> None:
    for note in (home / "worktrees/.projects").iterdir():
        os.utime(note, (0, 0))
    tidy_up()
    assert all(worktrees.place_of(session.public_id).is_dir() for session in (comparison.left, comparison.right))
