"""How the work of sub-agents ends: stopped with their parents, told once, and never lost with a worker."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from agents import events as e
from agents.ports import AgentWish
from tests.workspace.sessions.agency import advance, children, result, sweep, taken_up, work
from tests.workspace.sessions.conftest import holds
from tests.workspace.sessions.driving import allow_everything, carry, goes_on, of, send, state, until
from workspace.accounts.models import Membership, User
from workspace.errors import Conflict
from workspace.sessions import actions, log, protocol, runs, telling
from workspace.sessions.agents import DatabaseAgents
from workspace.sessions.models import Run, Session
from workspace.sessions.runs import Lease
from workspace.sessions.state import SessionState

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("worker_threads")]

STOP = protocol.StopRun()
WAITS = """
scenarios:
  - match: '^(ask|child)'
    turns:
      - call: {tool: ask_user, args: {question: Which one}}
      - text: "They said: {{output}}"
  - match: '^middle'
    turns:
      - call: {tool: agent, args: {prompt: ask}, id: m1}
      - text: "{{output}}"
  - match: 'has ended: (?P<how>\\w+)'
    turns: [{text: "I hear: {{how}}"}]
  - match: '^both'
    turns:
      - - call: {tool: agent, args: {prompt: middle}, id: c1}
        - call: {tool: agent, args: {prompt: ask again, run_in_background: true}, id: c2}
      - text: "{{output}}"
  - match: '^behind'
    turns:
      - call: {tool: agent, args: {prompt: ask, run_in_background: true}, id: c1}
      - text: It works.
  - turns:
      - call: {tool: agent, args: {prompt: ask}, id: c1}
      - text: "{{output}}"
"""


async def stop(session: Session, person: User) -> None:
    await sync_to_async(actions.perform)(session, person, STOP)


async def begun(session: Session, person: User, scripted: Any, text: str = "go") -> list[Session]:
    """The session's agent has started its sub-agents, and all wait."""
    scripted(WAITS)
    await send(session, person, text)
    await work()
    return await children(session)


async def test_stopping_a_run_stops_everything_below_it(session: Session, alice: User, scripted: Any) -> None:
    middle, behind = await begun(session, alice, scripted, "both")
    (lowest,) = await children(middle)
    assert [await state(one) for one in (session, middle, behind, lowest)] == ["waiting"] * 4
    await stop(session, alice)
    assert [await state(one) for one in (session, middle, behind, lowest)] == ["stopped"] * 4
    await sweep()
    await work()
    assert [await state(one) for one in (session, middle, behind, lowest)] == ["stopped"] * 4
    assert not await Run.objects.filter(state__in=["queued", "running", "waiting"]).aexists()
    await session.arefresh_from_db()
    assert (session.view.pending, session.asks, [agent.state for agent in session.view.agents]) == ((), 0, ["stopped"] * 3)
    for one in (session, middle, behind, lowest):
        await sync_to_async(holds)(one, SessionState())
    await goes_on(session, alice, scripted)


async def test_a_sub_agent_that_works_is_stopped_with_its_parent(session: Session, alice: User, scripted: Any) -> None:
    await allow_everything(session)
    scripted("""
        scenarios:
          - match: '^work'
            turns: [{call: {tool: bash, args: {command: echo begun; sleep 30}}}, {text: Done.}]
          - turns: [{call: {tool: agent, args: {prompt: work}, id: c1}}, {text: Well.}]
    """)
    await send(session, alice)
    working = asyncio.create_task(work())

    async def runs_a_command() -> bool:
        return any([await of(e.ToolStarted, child) for child in await children(session)])

    await until(runs_a_command)
    await stop(session, alice)
    await asyncio.wait_for(working, 15)
    (child,) = await children(session)
    assert [await state(one) for one in (session, child)] == ["stopped", "stopped"]
    assert child.told


async def test_with_nothing_of_its_own_to_stop_a_session_stops_what_works_in_the_background(
    session: Session, alice: User, scripted: Any
) -> None:
    (child,) = await begun(session, alice, scripted, "behind")
    assert [await state(one) for one in (session, child)] == ["done", "waiting"]
    await stop(session, alice)
    assert await state(child) == "stopped"


async def test_a_stop_that_was_cut_short_is_finished_by_the_sweep(session: Session, alice: User, scripted: Any) -> None:
    (child,) = await begun(session, alice, scripted)
    run = await Run.objects.aget(session=session)
    assert await sync_to_async(runs.end)(run, "Stopped, and then the server died.")
    await sweep()
    assert await state(child) == "stopped"
    await child.arefresh_from_db()
    assert child.told


async def test_stopping_a_sub_agent_alone_tells_its_parent(session: Session, alice: User, bob: User, scripted: Any) -> None:
    (child,) = await begun(session, alice, scripted)
    await stop(child, bob)
    await sweep()
    await work()
    finished = await result(session, "c1")
    assert (await state(session), finished.metadata["outcome"]) == ("done", "stopped")
    assert "stopped" in (finished.error or "")


async def test_a_stopped_agent_in_the_background_is_heard_of_too(session: Session, alice: User, scripted: Any) -> None:
    (child,) = await begun(session, alice, scripted, "behind")
    await stop(child, alice)
    await sweep()
    await work()
    assert (await of(e.AgentSpoke, session))[-1].parts == (e.Text(text="I hear: stopped"),)


async def test_a_failed_sub_agent_is_an_error_to_its_parent(session: Session, alice: User, scripted: Any) -> None:
    scripted("""
        scenarios:
          - match: '^x'
            turns: [{error: {kind: auth, message: no such key}}]
          - turns: [{call: {tool: agent, args: {prompt: x}, id: c1}}, {text: Well.}]
    """)
    await send(session, alice)
    await work()
    assert "no such key" in ((await result(session, "c1")).error or "")
    assert await state(session) == "done"


async def test_an_end_is_told_once_however_many_see_it(session: Session, alice: User, scripted: Any) -> None:
    (child,) = await begun(session, alice, scripted)
    await stop(child, alice)
    await asyncio.gather(*(sync_to_async(telling.tell, thread_sensitive=False)(child.pk) for _ in range(4)))
    await sweep()
    assert len(await of(e.AgentFinished, session)) == 1
    assert len(await of(e.RunResumed, session)) == 1


async def test_an_end_is_not_told_before_the_beginning(session: Session, alice: User, scripted: Any) -> None:
    """The worker was lost between the sub-agent's start and the parent's word of it."""
    scripted(WAITS)
    await send(session, alice)
    lease, agents = await taken_up(session)
    wish = AgentWish(call_id="c1", prompt="child")
    started = await agents.start(wish)
    child = await Session.objects.aget(public_id=started.session_id)
    await sync_to_async(log.append)(session.pk, [called("c1"), e.ToolStarted(call_id="c1", tool="agent", args={})], run=lease.run_id)
    await advance((await Run.objects.aget(session=child)).public_id)
    await stop(child, alice)
    await sweep()
    assert await of(e.AgentFinished, session) == []
    await sync_to_async(runs.release)(lease)
    await carry(session)  # the call is taken up again, and finds the same agent
    assert await Session.objects.filter(parent=session).acount() == 1
    await sweep()
    await work()
    assert await state(session) == "done"
    assert (await result(session, "c1")).metadata["outcome"] == "stopped"
    assert len(await of(e.AgentFinished, session)) == 1


def called(call_id: str) -> e.AgentSpoke:
    call = e.Call(call_id=call_id, tool="agent", arguments='{"prompt": "child"}')
    return e.AgentSpoke(reply_id="r1", parts=(call,), finish="calls", provider="scripted")


async def test_a_session_knows_only_the_agents_below_itself(session: Session, alice: User, scripted: Any) -> None:
    middle, behind = await begun(session, alice, scripted, "both")
    (lowest,) = await children(middle)
    _, agents = await taken_up_again(session)
    _, of_middle = await taken_up_again(middle)
    found = await agents.status(lowest.agent_id)
    assert found is not None
    assert (found.state, found.waits_for, found.finished) == ("waiting", 1, None)
    assert await of_middle.status(lowest.agent_id) == found
    assert await of_middle.status(behind.agent_id) is None
    assert await of_middle.status(middle.agent_id) is None
    over = await agents.status(middle.agent_id)
    assert over is not None
    assert over.waits_for == 1


async def taken_up_again(session: Session) -> tuple[Lease, DatabaseAgents]:
    run = await Run.objects.aget(session=session)
    held = await Session.objects.select_related("project__team").aget(pk=session.pk)
    return Lease(run.public_id, run.lease), DatabaseAgents(held, run)


async def test_a_person_who_may_not_ask_any_more_is_not_worked_for_again(session: Session, bob: User, alice: User, scripted: Any) -> None:
    (child,) = await begun(session, bob, scripted, "behind")
    await Membership.objects.filter(user=bob).aupdate(role="viewer")
    await stop(child, alice)
    await sweep()
    assert len(await of(e.AgentFinished, session)) == 1
    assert await Run.objects.filter(session=session).acount() == 1
    assert await state(session) == "done"


async def test_a_stopped_parent_is_not_woken_by_an_end(session: Session, alice: User, scripted: Any) -> None:
    (child,) = await begun(session, alice, scripted, "behind")
    await Run.objects.filter(session=session).aupdate(state="limit")
    await stop(child, alice)
    await sweep()
    assert len(await of(e.AgentFinished, session)) == 1
    assert await Run.objects.filter(session=session).acount() == 1


async def test_a_session_is_not_archived_while_agents_work_below_it(session: Session, alice: User, scripted: Any) -> None:
    (child,) = await begun(session, alice, scripted, "behind")
    archive = protocol.ArchiveSession(archived=True)
    with pytest.raises(Conflict, match="still at work"):
        await sync_to_async(actions.perform)(session, alice, archive)
    await stop(child, alice)
    await sync_to_async(actions.perform)(session, alice, archive)
    await sweep()
    assert await Run.objects.filter(session=session).acount() == 1


async def test_an_agent_has_ended_when_all_that_it_started_has(session: Session, alice: User, scripted: Any) -> None:
    scripted("""
        scenarios:
          - match: '^ask'
            turns: [{call: {tool: ask_user, args: {question: Which one}}}, {text: Red.}]
          - match: '^middle'
            turns: [{call: {tool: agent, args: {prompt: ask, run_in_background: true}, id: m1}}, {text: It is asked.}]
          - match: 'has ended: done'
            turns: [{text: They said red.}]
          - turns: [{call: {tool: agent, args: {prompt: middle}, id: c1}}, {text: Well.}]
    """)
    await send(session, alice)
    await work()
    (middle,) = await children(session)
    (lowest,) = await children(middle)
    assert [await state(one) for one in (session, middle, lowest)] == ["waiting", "done", "waiting"]
    (asked,) = await of(e.QuestionAsked, lowest)
    answer = protocol.AnswerQuestion(question_id=asked.question_id, answers=(e.Answer(text="red"),))
    await sync_to_async(actions.perform)(lowest, alice, answer)
    await work()
    assert (await result(session, "c1")).output == "They said red."
    assert await state(session) == "done"
    for one in (session, middle, lowest):
        await sync_to_async(holds)(one, SessionState())
