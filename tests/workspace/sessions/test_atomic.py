"""Atomic tools in real runs: what a session was shown lasts, what is judged are files, and nothing crosses from session to session."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pytest_django import Settings

from agents import events as e
from agents.edits.hashline.tags import tag_of
from tests.workspace.sessions.driving import allow_everything, decide, of, say, state
from workspace.accounts.models import User
from workspace.projects.models import Project, Rule
from workspace.sessions import log, workbench
from workspace.sessions.models import KeptSnapshot, Run, Session

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("worker_threads")]

CONFLICT = "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> topic\n"


@pytest.fixture
def atomic(session: Session) -> Session:
    """The session, with the Atomic toolset."""
    log.append(session.pk, [e.SessionConfigured(toolset="atomic", provider="scripted", model="")])
    return session


def write(call_id: str, path: str, content: str) -> str:
    return f"- call: {{tool: write, args: {json.dumps({'path': path, 'content': content})}, id: {call_id}}}\n"


TEXT = "one\ntwo\n"
DONE = "- text: Done.\n"


async def test_a_later_run_knows_what_an_earlier_one_wrote(atomic: Session, project: Project, alice: User, scripted: Any) -> None:
    await allow_everything(atomic)
    copied = f"[a.txt#{tag_of(TEXT)}]\n1:one\n2:two\n"
    scripted(write("c1", "a.txt", TEXT) + DONE + write("c2", "b.txt", copied) + DONE)
    await say(atomic, alice)
    workbench.forget(atomic.public_id)  # as another worker begins
    await say(atomic, alice, "again")
    first, second = await of(e.ToolFinished, atomic)
    assert first.output.startswith("[a.txt#")
    assert second.metadata["stripped"] is True
    assert (project.root / "b.txt").read_text() == TEXT
    assert await KeptSnapshot.objects.filter(session=atomic).acount() == 2


async def test_people_are_shown_which_files_a_resolution_changes(atomic: Session, project: Project, alice: User, scripted: Any) -> None:
    (project.root / "a.txt").write_text(CONFLICT)
    (project.root / "b.txt").write_text(CONFLICT)
    scripted(write("c1", "conflict://*", "@ours") + DONE)
    await say(atomic, alice)
    (asked,) = await of(e.ApprovalAsked, atomic)
    assert asked.subject == "{a.txt,b.txt}"
    assert "-theirs" in asked.preview
    (project.root / "c.txt").write_text(CONFLICT)
    await decide(atomic, alice, asked)
    (finished,) = await of(e.ToolFinished, atomic)
    assert "c.txt came up after" in finished.error
    assert (project.root / "a.txt").read_text() == CONFLICT


async def test_what_was_approved_is_done(atomic: Session, project: Project, alice: User, scripted: Any) -> None:
    (project.root / "a.txt").write_text(CONFLICT)
    scripted(write("c1", "conflict://1", "@theirs") + DONE)
    await say(atomic, alice)
    (asked,) = await of(e.ApprovalAsked, atomic)
    await decide(atomic, alice, asked)
    assert (project.root / "a.txt").read_text() == "theirs\n"
    assert await state(atomic) == "done"


async def test_a_rule_for_a_file_holds_however_it_is_named(atomic: Session, project: Project, alice: User, scripted: Any) -> None:
    (project.root / "secret.txt").write_text(CONFLICT)
    await allow_everything(atomic)
    await Rule.objects.acreate(project=project, order=200, tool="write", pattern="secret.txt", action="deny")
    scripted(
        "".join(write(f"c{number}", path, "x") for number, path in enumerate(("conflict://1", "conflict://*", "local://secret.txt"))) + DONE
    )
    await say(atomic, alice)
    assert all("not permitted" in finished.error for finished in await of(e.ToolFinished, atomic))
    assert (project.root / "secret.txt").read_text() == CONFLICT


def test_a_session_can_reach_everything_there_is(session: Session, alice: User) -> None:
    run = Run.objects.create(session=session, acting_for=alice)
    reach = workbench.set_up(run).agent.reach
    assert None not in (reach.snapshots, reach.artifacts, reach.jobs, reach.past, reach.vault, reach.skills)
    assert reach.forge is None


@pytest.mark.parametrize(("toolset", "longest"), [("atomic", 50_000), ("oats", 0)])
def test_tools_are_told_of_the_project_s_settings(
    session: Session, alice: User, toolset: str, longest: int, settings: Settings
) -> None:  # fmt: skip
    settings.AROUND = {"search.contextBefore": 2}
    log.append(session.pk, [e.SessionConfigured(toolset=toolset, provider="scripted", model="")])
    Project.objects.filter(pk=session.project_id).update(bash_interceptor=True)
    run = Run.objects.create(session=session, acting_for=alice)
    assert workbench.set_up(run).agent.flags == {"bash_interceptor": True, "longest_result": longest, "search.contextBefore": 2}
