"""Sub-agents as workers run them: sessions of their own, whose ends their parents hear once."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from pytest_django.fixtures import Settings

from agents import events as e
from tests.workspace.sessions.agency import begin, children, result, work
from tests.workspace.sessions.driving import carry, of, say, send, state
from workspace.accounts.models import ProviderKey, User
from workspace.projects.models import Project
from workspace.sessions import log
from workspace.sessions.models import Run, Session

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("worker_threads")]

LOOK = """
scenarios:
  - match: '^look'
    turns:
      - call: {tool: read, args: {file_path: a.txt}}
      - text: The file says hello.
  - turns:
      - call: {tool: agent, args: {prompt: look at a.txt, agent_type: explore}, id: c1}
      - text: "It reported: {{output}}"
"""


async def test_a_call_waits_for_its_sub_agent_and_gets_its_last_words(
    session: Session, project: Project, alice: User, scripted: Any
) -> None:
    (project.root / "a.txt").write_text("hello\n")
    scripted(LOOK)
    await begin(session, alice)
    assert await state(session) == "done"
    (child,) = await children(session)
    finished = await result(session, "c1")
    assert (finished.title, finished.output, finished.error) == ("Agent Result [explore]", "The file says hello.", None)
    assert finished.metadata == {
        "agent_id": child.agent_id, "agent_type": "explore", "child_session_id": child.public_id, "outcome": "done", "tool_calls": 1,
        "background": False,
    }  # fmt: skip
    assert (await of(e.AgentSpoke, session))[-1].parts == (e.Text(text="It reported: The file says hello."),)
    kinds = [fact.type for fact in [entry.fact for entry in await sync_to_async(log.read)(session.pk)]]
    assert [kinds.count(kind) for kind in ("tool.started", "agent.started", "run.waiting", "agent.finished", "run.resumed")] == [1] * 5


async def test_a_sub_agents_session_tells_whose_it_is_and_its_root_where_it_stands(
    session: Session, project: Project, alice: User, scripted: Any
) -> None:
    (project.root / "a.txt").write_text("hello\n")
    scripted(LOOK)
    await begin(session, alice)
    (child,) = await children(session)
    origin = child.view.origin
    assert origin is not None
    assert (origin.parent, origin.root, origin.call_id, origin.depth) == (session.public_id, session.public_id, "c1", 1)
    assert (child.title, child.project_id, child.told) == ("look at a.txt", session.project_id, True)
    opened, *others = await sync_to_async(log.read)(child.pk)
    assert isinstance(opened.fact, e.SessionOpened)
    spoke = next(entry for entry in others if isinstance(entry.fact, e.UserSpoke))
    assert spoke.by is None  # no person wrote this
    queued = next(entry.fact for entry in others if isinstance(entry.fact, e.RunQueued))
    assert queued.acting_for == alice.public_id
    await session.arefresh_from_db()
    (report,) = session.view.agents
    assert (report.session_id, report.state, report.title) == (child.public_id, "done", "look at a.txt")


async def test_agents_of_one_reply_work_side_by_side(session: Session, alice: User, scripted: Any) -> None:
    scripted("""
        scenarios:
          - match: '^job (?P<name>\\w+)'
            turns: [{text: "Job {{name}} is done."}]
          - turns:
              - - call: {tool: agent, args: {prompt: job one}, id: c1}
                - call: {tool: agent, args: {prompt: job two}, id: c2}
                - call: {tool: agent, args: {prompt: '  '}, id: c3}
              - text: Both are done.
    """)
    await send(session, alice)
    await carry(session)
    assert [child.status for child in await children(session)] == ["queued", "queued"]
    assert await state(session) == "waiting"
    await work()
    assert await state(session) == "done"
    assert [(await result(session, call)).output for call in ("c1", "c2")] == ["Job one is done.", "Job two is done."]
    assert "prompt is empty" in ((await result(session, "c3")).error or "")


async def test_an_agent_in_the_background_wakes_its_parent_when_it_has_ended(session: Session, alice: User, scripted: Any) -> None:
    scripted("""
        scenarios:
          - match: '^dig'
            turns: [{text: Water at ten meters.}]
          - match: 'sub-agent (?P<id>\\w+) \\(general\\) has ended: done'
            turns:
              - call: {tool: agent_status, args: {agent_id: '{{id}}'}, id: s2}
              - text: Now I know.
          - turns:
              - call: {tool: agent, args: {prompt: dig a well, run_in_background: true}, id: c1}
              - take: {output: "Sub-agent '(?P<id>\\\\w+)'"}
                parts: [{call: {tool: agent_status, args: {agent_id: '{{id}}'}, id: s1}}]
              - text: It digs.
    """)
    await send(session, alice)
    await carry(session)
    assert await state(session) == "done"
    (child,) = await children(session)
    launched = await result(session, "c1")
    assert launched.metadata["agent_id"] == child.agent_id
    assert child.agent_id in launched.output
    assert (await result(session, "s1")).metadata["status"] == "running"
    await work()
    assert (await of(e.AgentSpoke, session))[-1].parts == (e.Text(text="Now I know."),)
    status = await result(session, "s2")
    assert status.metadata["status"] == "completed"
    assert "Water at ten meters." in status.output
    assert [run.acting_for_id async for run in Run.objects.filter(session=session)] == [alice.pk, alice.pk]


DEEP = """
scenarios:
  - match: 'level (?P<n>\\d)'
    turns:
      - call: {tool: agent, args: {prompt: "go down to level {{n}}1"}, id: 'd{{n}}'}
      - text: "Level {{n}} ends: {{output}}"
  - turns:
      - call: {tool: agent, args: {prompt: level 1}, id: d0}
      - text: "{{output}}"
"""


async def test_agents_start_agents_as_deep_as_is_allowed_and_no_deeper(
    session: Session, alice: User, scripted: Any, settings: Settings
) -> None:
    settings.AGENT_DEPTH = 2
    scripted(DEEP)
    await begin(session, alice)
    (child,) = await children(session)
    (grandchild,) = await children(child)
    assert await children(grandchild) == []
    assert "nested 2 deep" in (await of(e.ToolFinished, grandchild))[0].error
    assert grandchild.root_id == child.root_id == session.pk
    await session.arefresh_from_db()
    assert [(agent.origin.depth, agent.state) for agent in session.view.agents] == [(1, "done"), (2, "done")]
    assert await state(session) == "done"


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ({"provider_override": "nobody"}, "no provider 'nobody'"),
        ({"provider_override": "openai"}, "cannot be asked"),
        ({"isolation": "worktree"}, "worktree"),
        ({"agent_type": "wizard"}, "agent_type"),
    ],
)
async def test_an_agent_that_cannot_be_is_an_error_that_says_why(
    session: Session, alice: User, scripted: Any, wish: dict[str, Any], said: str
) -> None:
    arguments = ", ".join(f"{name}: {value}" for name, value in {"prompt": "x", **wish}.items())
    scripted(f"- call: {{tool: agent, args: {{{arguments}}}, id: c1}}\n- text: Well.\n")
    await begin(session, alice)
    assert said in ((await result(session, "c1")).error or "")
    assert await children(session) == []
    assert await state(session) == "done"


async def test_another_provider_and_model_are_the_sub_agents_own(session: Session, project: Project, alice: User, scripted: Any) -> None:
    await ProviderKey.objects.acreate(team=project.team, provider="openai-compatible", base_url="http://127.0.0.1:9/v1", model="m")
    scripted("""
        scenarios:
          - match: '^x'
            turns: [{text: Here.}]
          - turns:
              - - call: {tool: agent, args: {prompt: x, model_override: other}, id: c1}
                - call: {tool: agent, args: {prompt: y, provider_override: openai-compatible}, id: c2}
              - text: Well.
    """)
    await send(session, alice)
    await carry(session)
    same, foreign = await children(session)
    assert (same.view.provider, same.view.model) == ("scripted", "other")
    assert (foreign.view.provider, foreign.view.model) == ("openai-compatible", "m")


async def test_where_others_speak_in_the_parents_run_one_persons_memories_stay_closed_below(
    session: Session, alice: User, bob: User, scripted: Any
) -> None:
    scripted("""
        scenarios:
          - match: '^x'
            turns: [{text: Here.}]
          - turns: [{call: {tool: agent, args: {prompt: x}, id: c1}}, {text: Well.}, {call: {tool: agent, args: {prompt: x}, id: c2}}]
    """)
    await say(session, alice)
    await work()
    await send(session, alice, "again")
    await send(session, bob, "and for me")
    await work()
    alone, shared = await children(session)
    assert not (await sync_to_async(log.history)(alone.pk)).shared
    assert (await sync_to_async(log.history)(shared.pk)).shared
