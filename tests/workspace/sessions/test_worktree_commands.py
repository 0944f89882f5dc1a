"""Landing and dropping a sub-agent's worktree: once, by somebody who may, and heard by everybody whom it concerns."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connections
from django.test import Client
from django.utils import timezone

from agents import events as e
from agents.providers.provider import UserMessage
from tests.workspace.sessions import worker
from tests.workspace.sessions.api import Api
from tests.workspace.sessions.commands import HELLO, facts
from tests.workspace.sessions.conftest import OPENED, holds
from workspace.accounts.models import Membership, Team, User
from workspace.errors import Conflict, Forbidden, Missing, Unavailable
from workspace.ids import new_id
from workspace.projects import worktrees
from workspace.projects.models import Project
from workspace.sessions import log
from workspace.sessions import protocol as p
from workspace.sessions.actions import perform
from workspace.sessions.models import Job, Session
from workspace.sessions.worktree import DIFFS_KEPT, changed_in, tidy_up

LAND, DROP = p.LandWorktree(hash="as it is now"), p.DropWorktree(reason="Not what I meant.")
BOTH = [pytest.param(LAND, id="land"), pytest.param(DROP, id="drop")]
Do = Callable[[User, p.AnyCommand], e.Entry | None]


@pytest.fixture
def do(child: Session) -> Do:
    """Perform a command on the sub-agent's session, checking all folds of both logs afterwards."""

    def do(person: User, command: p.AnyCommand) -> e.Entry | None:
        root = child.parent
        assert root is not None
        before = [Session.objects.get(pk=one.pk).view for one in (child, root)]
        try:
            return perform(child, person, looked(child) if command == LAND else command)
        finally:
            holds(child, before[0])
            holds(root, before[1])

    return do


def looked(child: Session) -> p.LandWorktree:
    """The command of a person who has just looked at the changes, where there is still something to see."""
    return p.LandWorktree(hash=changed_in(Session.objects.get(pk=child.pk)).hash or "nothing")


def folder(child: Session) -> Path:
    return worktrees.place_of(child.public_id)


def heard(session: Session) -> list[str]:
    return [message.text for message in log.history(session.pk).transcript.messages if isinstance(message, UserMessage)]


# --- what they do ------------------------------------------------------------------------------------------------------


def test_landing_puts_the_changes_into_the_project(child: Session, place: Path, alice: User, do: Do) -> None:
    (place / "shelf.py").write_text("1\ntwo\nthree\n")
    do(alice, LAND)
    assert (place / "shelf.py").read_text() == "1\ntwo\n3\n"
    assert (place / "new.py").read_text() == "new\n"
    (landed,) = facts(child, child.head - 1)
    assert isinstance(landed, e.WorktreeLanded)
    assert [(change.path, change.change) for change in landed.changes] == [("new.py", "created"), ("shelf.py", "modified")]
    assert "+3\n" in landed.changes[1].diff
    assert not folder(child).exists()


def test_dropping_throws_them_away(child: Session, place: Path, alice: User, do: Do) -> None:
    do(alice, DROP)
    assert (place / "shelf.py").read_text() == "one\ntwo\nthree\n"
    assert facts(child, child.head - 1) == [e.WorktreeDropped(reason="Not what I meant.")]
    assert not folder(child).exists()


@pytest.mark.parametrize(("command", "words"), [(LAND, "is in the workspace now"), (DROP, "was not wanted")])
def test_the_parent_hears_of_it_once(child: Session, session: Session, alice: User, do: Do, command: p.AnyCommand, words: str) -> None:
    before = len(heard(session))
    do(alice, command)
    perform(child, alice, p.RenameSession(title="Another report to the root"))
    (said,) = heard(session)[before:]
    assert words in said
    assert child.agent_id in said


def test_the_root_shows_where_the_worktree_stands(child: Session, session: Session, alice: User, do: Do) -> None:
    do(alice, LAND)
    session.refresh_from_db()
    assert [agent.worktree for agent in session.view.agents] == ["landed"]


def test_a_conflict_names_the_files_and_leaves_everything_to_be_decided(child: Session, place: Path, alice: User, do: Do) -> None:
    (place / "shelf.py").write_text("one\ntwo\nthird\n")
    with pytest.raises(Conflict, match=r"shelf\.py"):
        do(alice, LAND)
    assert (place / "shelf.py").read_text() == "one\ntwo\nthird\n"
    assert not (place / "new.py").exists()
    (place / "shelf.py").write_text("one\ntwo\nthree\n")
    do(alice, LAND)
    assert (place / "shelf.py").read_text() == "one\ntwo\n3\n"


@pytest.mark.parametrize("first", BOTH)
@pytest.mark.parametrize("second", BOTH)
def test_it_is_decided_once(child: Session, alice: User, bob: User, team: Team, do: Do, first: p.AnyCommand, second: p.AnyCommand) -> None:
    Membership.objects.filter(user=bob).update(role="reviewer")
    do(bob, first)
    with pytest.raises(Conflict, match=f"Bob Boyd {'landed' if first == LAND else 'dropped'} it") as late:
        do(alice, second)
    assert late.value.by == bob


@pytest.mark.parametrize("late", BOTH)
def test_whoever_looked_before_it_was_decided_is_told_too(child: Session, alice: User, bob: User, do: Do, late: p.AnyCommand) -> None:
    Membership.objects.filter(user=bob).update(role="reviewer")
    as_bob_saw_it = Session.objects.get(pk=child.pk)
    do(alice, LAND)
    with pytest.raises(Conflict, match="Alice Ames landed it"):
        perform(as_bob_saw_it, bob, late)


@pytest.mark.django_db(transaction=True)
def test_of_two_who_land_at_once_one_does(child: Session, place: Path, alice: User) -> None:
    seen = looked(child)

    def land(number: int) -> str:
        try:
            perform(Session.objects.get(pk=child.pk), alice, seen)
        except Conflict as late:
            return late.detail
        finally:
            connections.close_all()
        return "landed"

    with ThreadPoolExecutor(2) as threads:
        assert sorted(threads.map(land, range(2))) == ["Alice Ames landed it.", "landed"]
    assert (place / "new.py").read_text() == "new\n"


@pytest.mark.parametrize("command", BOTH)
def test_while_the_sub_agent_works_nothing_is_decided(child: Session, alice: User, do: Do, command: p.AnyCommand) -> None:
    perform(child, alice, HELLO)
    with pytest.raises(Conflict, match="still at work"):
        do(alice, command)
    worker.wait_on(child, worker.ASKED)
    with pytest.raises(Conflict, match="still at work"):
        do(alice, command)
    perform(child, alice, p.StopRun())
    do(alice, command)


@pytest.mark.parametrize("command", BOTH)
def test_while_an_agent_below_works_nothing_is_decided(child: Session, alice: User, do: Do, command: p.AnyCommand) -> None:
    below = Session.objects.create(project=child.project, parent=child, root=child.root, started_by_call="c2")
    log.append(below.pk, [OPENED])
    perform(below, alice, HELLO)
    with pytest.raises(Conflict, match="still at work"):
        do(alice, command)


@pytest.mark.parametrize("command", BOTH)
def test_while_a_job_runs_there_nothing_is_decided(child: Session, alice: User, do: Do, command: p.AnyCommand) -> None:
    soon = timezone.now() + timedelta(hours=1)
    job = Job.objects.create(session=child, job_id="a1", call_id="c1", command="x", timeout=9, lease="l", lease_until=soon)
    with pytest.raises(Conflict, match="job still runs"):
        do(alice, command)
    Job.objects.filter(pk=job.pk).update(state="completed")
    do(alice, command)


@pytest.mark.parametrize("command", BOTH)
def test_a_session_without_a_worktree_has_nothing_to_decide(session: Session, alice: User, command: p.AnyCommand) -> None:
    with pytest.raises(Missing, match="no worktree"):
        perform(session, alice, command)


def test_nothing_lands_in_an_archived_project(child: Session, project: Project, alice: User, do: Do) -> None:
    Project.objects.update(archived=True)
    child.project.refresh_from_db()
    with pytest.raises(Conflict, match="archived"):
        do(alice, LAND)
    do(alice, DROP)


def test_a_worktree_that_is_gone_can_still_be_dropped(child: Session, alice: User, do: Do) -> None:
    worktrees.drop(child.project, child.public_id)
    with pytest.raises(Unavailable, match="gone"):
        do(alice, LAND)
    do(alice, DROP)


def test_the_log_keeps_as_many_diffs_as_fit(child: Session, place: Path, alice: User, do: Do) -> None:
    for name in ("a.txt", "b.txt"):
        (folder(child) / name).write_text("a line of some length\n" * (DIFFS_KEPT // 35))
    do(alice, LAND)
    (landed,) = facts(child, child.head - 1)
    assert isinstance(landed, e.WorktreeLanded)
    assert [change.path for change in landed.changes if not change.diff] == ["b.txt"]
    assert (place / "b.txt").exists()


def test_tidying_up_leaves_what_is_open(child: Session, home: Path, alice: User) -> None:
    leftover = worktrees.make(child.project, new_id())
    tidy_up()
    assert leftover.path.exists()  # its session may be about to be kept
    for note in (home / "worktrees" / ".projects").iterdir():
        os.utime(note, (0, 0))
    tidy_up()
    assert (leftover.path.exists(), folder(child).exists()) == (False, True)


# --- who may -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", BOTH)
@pytest.mark.parametrize("role", ["member", "viewer"])
def test_only_who_approves_tools_decides(child: Session, bob: User, do: Do, command: p.AnyCommand, role: str) -> None:
    Membership.objects.filter(user=bob).update(role=role)
    with pytest.raises(Forbidden):
        do(bob, command)
    assert folder(child).exists()


@pytest.mark.parametrize("command", BOTH)
def test_a_stranger_finds_nothing_to_decide(child: Session, charlie: User, do: Do, command: p.AnyCommand) -> None:
    with pytest.raises(Missing):
        do(charlie, command)
    assert folder(child).exists()


@pytest.mark.parametrize("path", ["worktree/land/", "worktree/drop/"])
def test_the_doors_are_open_to_those_who_may(child: Session, alice: User, bob: User, charlie: User, path: str) -> None:
    door, body = f"sessions/{child.public_id}/{path}", {"hash": looked(child).hash} if "land" in path else {}
    assert Client().post(f"/api/{door}").status_code == 401
    assert Api(charlie).post(door, body, status=404)["kind"] == "missing"
    assert Api(bob).post(door, body, status=403)["kind"] == "forbidden"
    Membership.objects.filter(user=bob).update(role="viewer")
    assert Api(bob).post(door, body, status=403)["kind"] == "forbidden"
    assert folder(child).exists()
    assert Api(alice).post(door, body)["entry"]["fact"]["type"] in ("worktree.landed", "worktree.dropped")
    assert Api(alice).post(door, body, status=409)["by"]["name"] == "Alice Ames"
