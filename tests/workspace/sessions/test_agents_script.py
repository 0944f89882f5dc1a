"""The demonstration of sub-agents that ships with us, played to its end on the demo project."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from asgiref.sync import sync_to_async
from pytest_django.fixtures import Settings

from agents import events as e
from agents.providers.catalog import DEMO_PROJECT, DEMO_SCRIPT
from agents.providers.script import load_script
from tests.workspace.sessions.agency import children, work
from tests.workspace.sessions.driving import allow_everything, of, send
from workspace.accounts.models import User
from workspace.projects import git
from workspace.projects.models import Project
from workspace.sessions.models import Session

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("worker_threads")]
SCRIPT = DEMO_SCRIPT.with_name("agents.yaml")


async def test_two_sub_agents_one_of_them_in_a_worktree(
    session: Session, project: Project, alice: User, settings: Settings, tmp_path: Path
) -> None:
    shutil.copytree(DEMO_PROJECT, project.root, dirs_exist_ok=True)
    await sync_to_async(git.begin)(project.root)
    fast = tmp_path / "agents.yaml"
    fast.write_text(SCRIPT.read_text().replace("speed: 80", "speed: 0").replace("delay: 0.5", "delay: 0"))
    settings.DEMO_SCRIPT = str(fast)
    await allow_everything(session)
    await send(session, alice)
    await work()
    await session.arefresh_from_db()
    assert {(agent.origin.agent_type, agent.state, agent.worktree) for agent in session.view.agents} == {
        ("general", "done", "open"), ("explore", "done", ""),
    }  # fmt: skip
    ends = await of(e.AgentFinished, session)
    assert {change.path for end in ends for change in end.changes} == {"shelf/inventory.py"}
    assert any("OK" in end.output for end in ends)
    assert not (project.root / "notes.txt").exists()
    assert "land them" in (await of(e.AgentSpoke, session))[-1].parts[0].text
    refused = [fact for child in await children(session) for fact in await of(e.ToolFinished, child) if fact.tool == "write"]
    assert ["no tool 'write'" in (fact.error or "") for fact in refused] == [True]


def test_the_script_that_ships_can_be_played() -> None:
    assert len(load_script(str(SCRIPT)).scenarios) == 4
