"""Where sub-agents work: what each type may touch, in which folder it begins, and in which worktree."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from pytest_django.fixtures import Settings

from tests.workspace.sessions.agency import begin, children, result
from tests.workspace.sessions.driving import allow_everything
from workspace.accounts.models import User
from workspace.projects import git
from workspace.projects.models import Project
from workspace.sessions.models import Session

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("worker_threads")]


async def test_an_agent_that_only_looks_has_no_tool_and_no_command_that_writes(
    session: Session, project: Project, alice: User, scripted: Any
) -> None:
    await allow_everything(session)
    scripted("""
        scenarios:
          - match: '^look'
            turns:
              - - call: {tool: write, args: {file_path: new.txt, content: x}, id: w}
                - call: {tool: bash, args: {command: touch new.txt}, id: b}
                - call: {tool: agent, args: {prompt: y}, id: a}
              - text: I could not.
          - turns:
              - call: {tool: agent, args: {prompt: look, agent_type: explore}, id: c1}
              - text: Well.
    """)
    await begin(session, alice)
    (child,) = await children(session)
    assert "no tool 'write'" in ((await result(child, "w")).error or "")
    assert "no tool 'agent'" in ((await result(child, "a")).error or "")
    assert (await result(child, "b")).error == "Command exited with code 1"
    assert not (project.root / "new.txt").exists()


async def test_without_a_sandbox_an_agent_that_only_looks_has_no_commands(
    session: Session, project: Project, alice: User, scripted: Any, settings: Settings
) -> None:
    settings.SANDBOX = "local"
    await allow_everything(session)
    scripted("""
        scenarios:
          - match: '^check'
            turns:
              - call: {tool: bash, args: {command: touch new.txt}, id: b}
              - text: I could not.
          - turns:
              - call: {tool: agent, args: {prompt: check, agent_type: verify}, id: c1}
              - text: Well.
    """)
    await begin(session, alice)
    (child,) = await children(session)
    assert "no sandbox works" in ((await result(child, "b")).error or "")
    assert not (project.root / "new.txt").exists()


async def test_commands_and_searches_begin_in_the_folder_that_was_named(
    session: Session, project: Project, alice: User, scripted: Any
) -> None:
    await allow_everything(session)
    (project.root / "deep/er").mkdir(parents=True)
    (project.root / "deep/found.txt").write_text("x")
    (project.root / "file.txt").write_text("x")
    scripted("""
        scenarios:
          - match: '^look'
            turns:
              - - call: {tool: bash, args: {command: pwd}, id: b}
                - call: {tool: glob, args: {pattern: '*.txt'}, id: g}
                - call: {tool: glob, args: {pattern: '*.txt', path: .}, id: w}
              - text: There.
          - turns:
              - - call: {tool: agent, args: {prompt: look, working_dir: deep}, id: c1}
                - call: {tool: agent, args: {prompt: look, working_dir: file.txt}, id: c2}
                - call: {tool: agent, args: {prompt: look, working_dir: ../..}, id: c3}
              - text: Well.
    """)
    await begin(session, alice)
    (child,) = await children(session)
    assert (await result(child, "b")).output.strip().endswith("/deep")
    assert (await result(child, "g")).output == "deep/found.txt"
    assert (await result(child, "w")).output == "file.txt"
    assert "not a folder" in ((await result(session, "c2")).error or "")
    assert (await result(session, "c3")).error


async def test_what_an_agent_does_in_its_worktree_stays_there(session: Session, project: Project, alice: User, scripted: Any) -> None:
    await sync_to_async(start_repository)(project)
    await allow_everything(session)
    scripted("""
        scenarios:
          - match: '^build'
            turns:
              - call: {tool: write, args: {file_path: new.txt, content: built}}
              - call: {tool: bash, args: {command: 'cat new.txt && git status --short'}, id: b}
              - text: It is built.
          - match: '^only look'
            turns: [{text: Seen.}]
          - turns:
              - - call: {tool: agent, args: {prompt: build, isolation: worktree}, id: c1}
                - call: {tool: agent, args: {prompt: only look, isolation: worktree}, id: c2}
              - text: Well.
    """)
    await begin(session, alice)
    assert [(await result(session, call)).error for call in ("c1", "c2")] == [None, None]
    built, looked = await children(session)
    assert not (project.root / "new.txt").exists()
    ran = await result(built, "b")
    assert (ran.error, "built" in ran.output, "?? new.txt" in ran.output) == (None, True, True)
    finished = await result(session, "c1")
    assert finished.metadata["changed_files"] == [{"path": "new.txt", "change": "created"}]
    assert finished.metadata["branch"] == f"countersign/agent-{built.agent_id}"
    assert "branch" not in (await result(session, "c2")).metadata
    assert built.view.worktree is not None
    assert built.view.worktree.state == "open"
    assert looked.view.worktree is not None
    assert looked.view.worktree.state == "dropped"
    await session.arefresh_from_db()
    assert {agent.session_id: agent.worktree for agent in session.view.agents} == {built.public_id: "open", looked.public_id: "dropped"}


def start_repository(project: Project) -> None:
    (project.root / "a.txt").write_text("hello\n")
    git.begin(project.root)
