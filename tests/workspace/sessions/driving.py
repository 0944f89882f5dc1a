"""A worker's part played for real: runs carried by the runner, and what a session says afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import sync_to_async

from agents import events as e
from workspace.accounts.models import User
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
