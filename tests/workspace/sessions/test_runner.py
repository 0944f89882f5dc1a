"""Runs as a worker drives them: through the real log, tools and sandbox, with the scripted provider as the model."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from agents import events as e
from tests.workspace.sessions.driving import carry, newest, of, send, state, until
from workspace.accounts.models import Membership, User
from workspace.projects.models import Project, Rule
from workspace.sessions import actions, log, protocol, runs
from workspace.sessions.models import Run, Session
from workspace.sessions.recorder import merged

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("worker_threads")]


LOOK = "- call: {tool: read, args: {file_path: a.txt}}\n- text: It says hello.\n"


async def test_a_message_becomes_a_run_that_reads_and_ends(session: Session, project: Project, alice: User, scripted: Any) -> None:
    (project.root / "a.txt").write_text("hello\n")
    scripted(LOOK)
    await send(session, alice)
    await carry(session)
    assert await state(session) == "done"
    (finished,) = await of(e.ToolFinished, session)
    assert (finished.error, "hello" in finished.output) == (None, True)
    seqs = [entry.seq for entry in await sync_to_async(log.read)(session.pk)]
    assert seqs == list(range(1, len(seqs) + 1))


async def test_a_second_worker_finds_nothing_to_do(session: Session, alice: User, scripted: Any) -> None:
    scripted("- text: hello\n")
    await send(session, alice)
    await asyncio.gather(carry(session), carry(session))
    assert len(await of(e.AgentSpoke, session)) == 1
    assert len(await of(e.RunStarted, session)) == 1


WRITE = "- call: {tool: write, args: {file_path: new.txt, content: hi}, id: c1}\n- text: Written.\n"


async def test_an_approval_ends_the_task_and_a_decision_resumes_it(session: Session, project: Project, alice: User, scripted: Any) -> None:
    scripted(WRITE)
    await send(session, alice)
    await carry(session)
    assert await state(session) == "waiting"
    assert not (project.root / "new.txt").exists()
    (asked,) = await of(e.ApprovalAsked, session)
    decide = protocol.DecideApproval(approval_id=asked.approval_id, hash=asked.hash, verdict="allow")
    await sync_to_async(actions.decide_approval)(session, alice, decide)
    await carry(session)
    assert await state(session) == "done"
    assert (project.root / "new.txt").read_text() == "hi"


async def test_what_is_said_in_the_last_moment_is_still_answered(session: Session, alice: User, scripted: Any) -> None:
    scripted("scenarios:\n- match: more\n  turns: [{text: And more.}]\n- turns: [{text: First., delay: 0}]\n".replace(", delay: 0", ""))
    await send(session, alice)
    claimed = await sync_to_async(Run.objects.claim)(await newest(session))
    assert claimed is not None
    lease = runs.Lease(claimed.public_id, claimed.lease)
    seen = (await sync_to_async(log.history)(session.pk)).seq
    await send(session, alice, "more")
    assert await sync_to_async(runs.finish)(lease, "done", seen=seen) is False
    await sync_to_async(runs.release)(lease)
    await carry(session)
    assert [fact.parts[0].text for fact in await of(e.AgentSpoke, session)] == ["And more."]


async def stop_when(session: Session, person: User, ready: Callable[[], Awaitable[bool]]) -> None:
    task = asyncio.create_task(carry(session))
    await until(ready)
    await sync_to_async(actions.stop_run)(session, person, protocol.StopRun())
    async with asyncio.timeout(10):
        await task


async def test_a_stop_in_mid_stream_ends_the_run_at_once(session: Session, alice: User, scripted: Any) -> None:
    scripted("- parts:\n  - text: half a sentence\n  - hang: true\n")
    await send(session, alice)

    async def started() -> bool:
        return bool(await of(e.RunStarted, session))

    await stop_when(session, alice, started)
    assert await state(session) == "stopped"
    assert (await of(e.AgentSpoke, session))[-1].finish == "stopped"


async def test_a_stop_in_a_command_kills_it_and_says_so(session: Session, alice: User, scripted: Any) -> None:
    await Rule.objects.acreate(project_id=session.project_id, order=100, tool="bash", pattern="*", action="allow")
    scripted("- call: {tool: bash, args: {command: 'echo begun; sleep 600'}}\n")
    await send(session, alice)

    async def started() -> bool:
        return bool(await of(e.ToolStarted, session))

    await stop_when(session, alice, started)
    assert await state(session) == "stopped"
    (finished,) = await of(e.ToolFinished, session)
    assert "Stopped" in (finished.error or "")


async def test_a_stop_while_people_are_asked_closes_what_was_open(session: Session, alice: User, scripted: Any) -> None:
    scripted(WRITE)
    await send(session, alice)
    await carry(session)
    await sync_to_async(actions.stop_run)(session, alice, protocol.StopRun())
    assert await state(session) == "stopped"
    assert len(await of(e.AskCanceled, session)) == 1
    await carry(session)
    assert await state(session) == "stopped"


async def test_a_worker_that_shuts_down_gives_the_run_back(session: Session, alice: User, scripted: Any) -> None:
    scripted("- parts:\n  - text: half\n  - hang: true\n")
    await send(session, alice)
    task = asyncio.create_task(carry(session))

    async def started() -> bool:
        return bool(await of(e.RunStarted, session))

    await until(started)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await state(session) == "queued"
    assert await of(e.AgentSpoke, session) == []
    scripted("- text: whole\n")
    await carry(session)
    assert await state(session) == "done"


async def test_a_worker_that_lost_its_lease_writes_nothing_more(session: Session, alice: User, scripted: Any, project: Project) -> None:
    await Rule.objects.acreate(project_id=session.project_id, order=100, tool="bash", pattern="*", action="allow")
    scripted("- call: {tool: bash, args: {command: 'until [ -e taken ]; do sleep 0.05; done'}}\n")
    await send(session, alice)
    task = asyncio.create_task(carry(session))

    async def started() -> bool:
        return bool(await of(e.ToolStarted, session))

    await until(started)
    await Run.objects.filter(public_id=await newest(session)).aupdate(lease="somebody-else")
    (project.root / "taken").touch()
    await task
    assert await of(e.ToolFinished, session) == []


async def test_a_project_that_cannot_be_opened_fails_with_a_sentence(session: Session, alice: User, scripted: Any) -> None:
    scripted("- text: never\n")
    await send(session, alice)
    await Project.objects.filter(pk=session.project_id).aupdate(provider="nobody")
    await sync_to_async(log.append)(session.pk, [e.SessionConfigured(toolset="oats", provider="nobody", model="")])
    await carry(session)
    assert await state(session) == "failed"
    assert "nobody" in (await of(e.RunFinished, session))[0].detail


async def test_a_rule_taken_back_holds_from_the_next_run_on(session: Session, alice: User, bob: User, scripted: Any) -> None:
    rule = await Rule.objects.acreate(project_id=session.project_id, order=100, tool="write", pattern="*", action="allow")
    scripted(
        "scenarios:\n- match: go\n  restart: true\n  turns:\n  - call: {tool: write, args: {file_path: x, content: a}}\n  - text: done\n"
    )
    await send(session, alice)
    await carry(session)
    assert await state(session) == "done"
    await rule.adelete()
    await Membership.objects.filter(user=bob).aupdate(role="reviewer")
    await send(session, bob, "go again")
    await carry(session)
    assert await state(session) == "waiting"


def test_neighbouring_growth_is_said_once() -> None:
    grown = [e.TextGrew(reply_id="r", part=0, at=at, text="ab") for at in (0, 2, 4)]
    other = e.OutputGrew(call_id="c", at=0, text="x")
    joined = merged([*grown, other, e.OutputGrew(call_id="c", at=5, text="gap")])
    assert [(note.at, note.text) for note in joined] == [(0, "ababab"), (0, "x"), (5, "gap")]
