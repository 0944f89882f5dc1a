"""Skills in real runs: whose they are, what the model is told of them, and that a switch holds."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.sync import sync_to_async

from agents import events as e
from tests.workspace.sessions.conftest import holds
from tests.workspace.sessions.driving import carry, of, say, send
from tests.workspace.skills.conftest import lie, text, uploaded
from workspace.accounts.models import User
from workspace.projects.models import Project
from workspace.sessions.models import Run, Session
from workspace.sessions.state import SessionState
from workspace.sessions.workbench import set_up
from workspace.skills.actions import Belonging, switch_skill

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("worker_threads")]

READ = """
scenarios:
- match: how
  restart: true
  turns: [{call: {tool: skill, args: {name: release}}}, {text: That is all.}]
"""


async def told(session: Session) -> str:
    """What the model of the next step would be told before everything else."""
    run = await Run.objects.filter(session=session).select_related("acting_for").alast()
    assert run is not None
    return (await sync_to_async(set_up)(run)).agent.system


async def test_a_run_reads_the_skill_of_whom_it_acts_for_and_of_nobody_else(
    session: Session, alice: User, bob: User, scripted: Any
) -> None:  # fmt: skip
    await sync_to_async(uploaded)(Belonging(owner=alice), alice, body="Alice's own way.\n")
    scripted(READ)
    await say(session, alice, "how?")
    assert "of alice" in await told(session)
    await say(session, bob, "how now?")
    assert "of alice" not in await told(session)
    await sync_to_async(holds)(session, SessionState())
    first, second = await of(e.ToolFinished, session)
    assert "Alice's own way." in first.output
    assert second.error is not None
    assert "There is no skill 'release'" in second.error


async def test_whoever_joins_anothers_run_is_not_shown_that_persons_skills(
    session: Session, alice: User, bob: User, scripted: Any
) -> None:  # fmt: skip
    await sync_to_async(uploaded)(Belonging(owner=alice), alice, body="Alice's own way.\n")
    scripted(READ)
    await send(session, alice, "begin")
    await send(session, bob, "how?")
    assert "of alice" not in await told(session)
    await carry(session)
    (finished,) = await of(e.ToolFinished, session)
    assert finished.error is not None
    assert "Alice's own way." not in finished.output


async def test_a_skill_that_is_switched_off_is_neither_told_of_nor_read(
    session: Session, project: Project, alice: User, scripted: Any
) -> None:  # fmt: skip
    lie(project, "skills/release", text(body="The project's way.\n"))
    scripted(READ)
    await say(session, alice, "how?")
    assert "How a release is made" in await told(session)
    await sync_to_async(switch_skill)(project, "release", alice, on=False)
    await say(session, alice, "how now?")
    assert "How a release is made" not in await told(session)
    await sync_to_async(holds)(session, SessionState())
    first, second = await of(e.ToolFinished, session)
    assert "The project's way." in first.output
    assert "There is no skill 'release'" in str(second.error)
