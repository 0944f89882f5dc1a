"""Sessions of people with worktrees of their own: where their agents and those below them work, and what becomes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from agents import events as e
from tests.workspace.comparisons.conftest import WISH
from tests.workspace.sessions.agency import begin, children, result, work
from tests.workspace.sessions.api import Api
from tests.workspace.sessions.driving import of
from workspace.accounts.models import User
from workspace.comparisons.actions import compare
from workspace.comparisons.models import Comparison
from workspace.errors import Conflict
from workspace.projects import worktrees
from workspace.projects.models import Project, Rule
from workspace.sessions import protocol as p
from workspace.sessions.actions import perform
from workspace.sessions.models import Session
from workspace.sessions.places import landing_place, worktree_of
from workspace.sessions.worktree import changed_in

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("worker_threads")]
MADE = """
- call: {tool: bash, args: {command: 'echo made by hand > made.txt && pwd && git status --short'}, id: b}
- text: Made.
"""
MORE = f"""{MADE}
- when: {{messages: 2}}
  parts: [{{call: {{tool: bash, args: {{command: echo more > more.txt}}, id: n}}}}]
- text: More.
"""
DELEGATED = """
scenarios:
  - match: '^build'
    turns:
      - call: {tool: bash, args: {command: 'cat made.txt && echo built > built.txt'}, id: b}
      - text: Built.
  - turns:
      - call: {tool: bash, args: {command: echo made by hand > made.txt}, id: m}
      - call: {tool: agent, args: {prompt: build, isolation: worktree}, id: c1}
      - text: Well.
"""


async def compared(project: Project, person: User) -> Comparison:
    await Rule.objects.acreate(project=project, order=100, tool="*", pattern="*", action="allow")
    made = await sync_to_async(compare)(project, person, WISH)
    await work()
    for session in (made.left, made.right):
        await session.arefresh_from_db()
    return made


def diff(person: User, session: Session) -> dict[str, Any]:
    shown: dict[str, Any] = Api(person).get(f"sessions/{session.public_id}/diff/")
    return shown


async def test_each_side_works_in_its_own_worktree(place: Path, project: Project, alice: User, scripted: Any) -> None:
    scripted(MADE)
    made = await compared(project, alice)
    for session in (made.left, made.right):
        assert session.status == "done"
        ran = await result(session, "b")
        assert (ran.error, "?? made.txt" in ran.output) == (None, True)
        assert (worktrees.place_of(session.public_id) / "made.txt").exists()
        shown = await sync_to_async(changed_in)(session)
        assert ([change.path for change in shown.changes], bool(shown.hash)) == (["made.txt"], True)
    assert not (place / "made.txt").exists()


async def test_what_its_sub_agents_make_begins_there_and_lands_there(place: Path, project: Project, alice: User, scripted: Any) -> None:
    scripted(DELEGATED)
    made = await compared(project, alice)
    (child,) = await children(made.left)
    assert (await result(child, "b")).output.startswith("made by hand")
    own = worktrees.place_of(made.left.public_id)
    assert await sync_to_async(landing_place)(child) == own
    assert (await sync_to_async(diff)(alice, child))["into"] == made.left.title
    seen = (await sync_to_async(changed_in)(child)).hash
    await sync_to_async(perform)(child, alice, p.LandWorktree(hash=seen))
    assert (own / "built.txt").read_text() == "built\n"
    assert not (place / "built.txt").exists()
    assert [change.path for change in (await sync_to_async(changed_in)(made.left)).changes] == ["built.txt", "made.txt"]


async def test_what_its_sub_agents_made_lands_in_the_workspace_once_it_was_landed_there(
    place: Path, project: Project, alice: User, scripted: Any
) -> None:
    scripted(DELEGATED)
    made = await compared(project, alice)
    (child,) = await children(made.left)
    seen = (await sync_to_async(changed_in)(made.left)).hash
    await sync_to_async(perform)(made.left, alice, p.LandWorktree(hash=seen))
    (child,) = await children(made.left)
    shown = await sync_to_async(diff)(alice, child)
    assert shown["into"] == ""
    await sync_to_async(perform)(child, alice, p.LandWorktree(hash=shown["hash"]))
    assert (place / "built.txt").read_text() == "built\n"
    assert (place / "made.txt").read_text() == "made by hand\n"


async def test_a_side_that_was_landed_goes_on_in_the_workspace(place: Path, project: Project, alice: User, scripted: Any) -> None:
    scripted(MORE)
    made = await compared(project, alice)
    seen = (await sync_to_async(changed_in)(made.left)).hash
    await sync_to_async(perform)(made.left, alice, p.LandWorktree(hash=seen))
    await begin(await Session.objects.aget(pk=made.left.pk), alice)
    assert (place / "more.txt").read_text() == "more\n"
    assert await sync_to_async(worktree_of)(await Session.objects.aget(pk=made.left.pk)) is None


async def test_a_side_that_was_dropped_says_so_when_it_is_to_go_on(place: Path, project: Project, alice: User, scripted: Any) -> None:
    scripted(MADE)
    made = await compared(project, alice)
    await sync_to_async(perform)(made.left, alice, p.DropWorktree())
    await begin(await Session.objects.aget(pk=made.left.pk), alice)
    assert "landed or dropped" in (await of(e.RunFinished, made.left))[-1].detail
    assert not (place / "made.txt").exists()


async def test_a_side_is_archived_once_it_was_decided_on(place: Path, project: Project, alice: User, scripted: Any) -> None:
    scripted(MADE)
    made = await compared(project, alice)
    with pytest.raises(Conflict, match="worktree is still open"):
        await sync_to_async(perform)(made.left, alice, p.ArchiveSession(archived=True))
    await sync_to_async(perform)(made.left, alice, p.DropWorktree())
    await sync_to_async(perform)(made.left, alice, p.ArchiveSession(archived=True))
    assert (await Session.objects.aget(pk=made.left.pk)).archived
