"""What starts a sub-agent, and what does not: one call one agent, under a lease that holds."""

from __future__ import annotations

import pytest
from asgiref.sync import sync_to_async
from pytest_django.fixtures import Settings

from agents.errors import ToolError
from agents.ports import AgentWish
from tests.workspace.sessions.agency import children, taken_up
from tests.workspace.sessions.driving import send
from workspace.accounts.models import User
from workspace.sessions import actions, protocol, runs
from workspace.sessions.models import Run, Session
from workspace.sessions.runs import LeaseLost

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("worker_threads")]


async def test_one_call_starts_one_agent_however_often_it_is_taken_up(session: Session, alice: User) -> None:
    await send(session, alice)
    _, agents = await taken_up(session)
    first, second = [await agents.start(AgentWish(call_id="c1", prompt="child")) for _ in range(2)]
    assert first == second
    assert await Session.objects.filter(parent=session).acount() == 1


async def test_a_worker_that_lost_the_run_starts_nothing(session: Session, alice: User) -> None:
    await send(session, alice)
    lease, agents = await taken_up(session)
    await sync_to_async(runs.release)(lease)
    with pytest.raises(LeaseLost):
        await agents.start(AgentWish(call_id="c1", prompt="child"))
    assert await children(session) == []


async def test_nothing_is_started_in_a_run_that_is_being_stopped(session: Session, alice: User) -> None:
    await send(session, alice)
    _, agents = await taken_up(session)
    await sync_to_async(actions.perform)(session, alice, protocol.StopRun())
    with pytest.raises(ToolError, match="being stopped"):
        await agents.start(AgentWish(call_id="c1", prompt="child"))
    assert await children(session) == []


async def test_only_so_many_work_at_once(session: Session, alice: User) -> None:
    await send(session, alice)
    _, agents = await taken_up(session)
    for number in range(16):
        await agents.start(AgentWish(call_id=f"c{number}", prompt="child"))
    with pytest.raises(ToolError, match="16 sub-agents"):
        await agents.start(AgentWish(call_id="one-more", prompt="child"))


async def test_only_so_many_are_started_in_all(session: Session, alice: User, settings: Settings) -> None:
    settings.AGENTS_IN_ALL = 2
    await send(session, alice)
    _, agents = await taken_up(session)
    for number in range(2):
        await agents.start(AgentWish(call_id=f"c{number}", prompt="child"))
    await Run.objects.filter(session__parent=session).aupdate(state="done")
    with pytest.raises(ToolError, match="has started 2 sub-agents"):
        await agents.start(AgentWish(call_id="one-more", prompt="child"))
    assert (await agents.start(AgentWish(call_id="c1", prompt="child"))).call_id == "c1"
