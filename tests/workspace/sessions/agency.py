"""A worker's part for a whole tree of sessions: every queued run is carried, every parent told, until nothing is left to do."""

from __future__ import annotations

import asyncio

from asgiref.sync import sync_to_async

from agents import events as e
from tests.workspace.sessions.driving import of, send
from workspace.accounts.models import User
from workspace.sessions import runner, tasks, telling
from workspace.sessions.agents import DatabaseAgents
from workspace.sessions.models import Run, Session
from workspace.sessions.runs import Lease


async def begin(session: Session, person: User) -> None:
    """Say something and let the workers do all that follows."""
    await send(session, person)
    await work()


async def work() -> None:
    """What the workers do with all there is to do now."""
    while queued := [run.public_id async for run in Run.objects.filter(state="queued").order_by("pk")]:
        await asyncio.gather(*(advance(run_id) for run_id in queued))


async def advance(run_id: str) -> None:
    await runner.advance(run_id)
    await sync_to_async(telling.tell_after)(run_id)


async def sweep() -> None:
    await sync_to_async(tasks.sweep)()


async def children(session: Session) -> list[Session]:
    """The sub-agents' sessions that this one started, as they are now, in the order of the calls."""
    return [child async for child in Session.objects.filter(parent=session).select_related("project", "parent").order_by("started_by_call")]


async def result(session: Session, call_id: str) -> e.ToolFinished:
    """How this call of the session ended."""
    (finished,) = [fact for fact in await of(e.ToolFinished, session) if fact.call_id == call_id]
    assert isinstance(finished, e.ToolFinished)
    return finished


async def taken_up(session: Session) -> tuple[Lease, DatabaseAgents]:
    """The session's run as a worker holds it, and what its agent may start."""
    run_id = await Run.objects.filter(session=session).values_list("public_id", flat=True).alast()
    assert run_id is not None
    run = await sync_to_async(Run.objects.claim)(run_id)
    assert run is not None
    held = await Session.objects.select_related("project__team").aget(pk=session.pk)
    return Lease(run.public_id, run.lease), DatabaseAgents(held, run)
