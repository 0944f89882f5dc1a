"""A worker's part played for real: runs carried by the runner, and what a session says afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Literal

from asgiref.sync import sync_to_async

from agents import events as e
from workspace.accounts.models import User
from workspace.projects.models import Rule
from workspace.sessions import actions, log, protocol, runner
from workspace.sessions.models import Run, Session


async def carry(session: Session) -> None:
    """Do what a worker does with the session's open run."""
    await runner.advance(await newest(session))


async def newest(session: Session) -> str:
    run = await Run.objects.filter(session=session).alast()
    assert run is not None
    return run.public_id


async def send(session: Session, person: User, text: str = "go") -> None:
    command = protocol.SendMessage(message_id=f"message-{text}", text=text)
    await sync_to_async(actions.send_message)(session, person, command)


async def facts(session: Session) -> list[e.AnyFact]:
    return [entry.fact for entry in await sync_to_async(log.read)(session.pk)]


async def of(kind: type[Any], session: Session) -> list[Any]:
    return [fact for fact in await facts(session) if isinstance(fact, kind)]


async def state(session: Session) -> str:
    await session.arefresh_from_db()
    return session.status


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(20):
        while not await condition():
            await asyncio.sleep(0.02)


async def allow_everything(session: Session) -> None:
    await Rule.objects.acreate(project_id=session.project_id, order=100, tool="*", pattern="*", action="allow")


async def say(session: Session, person: User, text: str = "go") -> None:
    await send(session, person, text)
    await carry(session)


async def goes_on(session: Session, person: User, scripted: Any) -> None:
    """The session takes the next message as if nothing had been, and no fold of its log is confused."""
    assert not (await sync_to_async(log.history)(session.pk)).open_calls
    await sync_to_async(log.append)(session.pk, [e.SessionConfigured(toolset="oats", provider="scripted", model="")])
    scripted("- when: {user: still there}\n  parts: [{text: Here I am.}]\n")
    await say(session, person, "still there?")
    assert await state(session) == "done"
    assert (await of(e.AgentSpoke, session))[-1].parts == (e.Text(text="Here I am."),)


async def decide(session: Session, person: User, asked: e.ApprovalAsked, verdict: Literal["allow", "deny"] = "allow") -> None:
    """Decide what was asked, and carry the run on."""
    command = protocol.DecideApproval(approval_id=asked.approval_id, hash=asked.hash, verdict=verdict)
    await sync_to_async(actions.decide_approval)(session, person, command)
    await carry(session)
