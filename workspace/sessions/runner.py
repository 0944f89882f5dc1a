"""Drives a run: claims it, steps the agent until it is done, waits or is stopped, and gives it up in one transaction.

A run ends for its worker in one of four ways: the loop has an outcome; a person asks to stop; the lease is lost, and
then nothing more is written; or the worker shuts down, and then the run goes back into the queue.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable
from typing import Literal

from channels.layers import get_channel_layer
from django.db import InterfaceError, OperationalError

from agents import events as e
from agents.errors import AgentError
from agents.history import closing_facts
from agents.loop import Continue, Done, Failure, Limit, Outcome, Waiting
from agents.workflows import workflow
from workspace.errors import AppError
from workspace.sessions import doorbell, runs
from workspace.sessions.log import history
from workspace.sessions.models import LEASE, Run
from workspace.sessions.recorder import LogRecorder, in_thread
from workspace.sessions.runs import Lease, LeaseLost
from workspace.sessions.stopping import stop_below
from workspace.sessions.workbench import Workbench, forget, set_up

log = logging.getLogger(__name__)

End = Literal["stop", "lost", "shutdown"]


async def advance(run_id: str) -> None:
    """Take the run up and carry it as far as it goes. Returns at once where another worker has it, or nobody may have it."""
    claimed = await in_thread(Run.objects.claim, run_id)
    if claimed is None:
        return
    lease = Lease(claimed.public_id, claimed.lease)
    try:
        bench = await in_thread(set_up, claimed)
    except (AgentError, AppError, OSError) as wrong:
        await in_thread(runs.finish, lease, "failed", str(wrong))
        return
    recorder = LogRecorder(bench.history, bench.session.pk, bench.session.public_id, lease)
    try:
        await _carry(bench, recorder, lease)
    except* LeaseLost:
        forget(bench.session.public_id)
        log.warning("run %s: the lease was lost, another worker goes on", run_id)
    except* (OperationalError, InterfaceError):
        # What was kept is in the log; the lease runs out and the sweep hands the run to a worker again.
        forget(bench.session.public_id)
        log.exception("run %s broke off: the database does not answer", run_id)
    except* Exception as broken:
        forget(bench.session.public_id)
        log.exception("run %s failed", run_id)
        await _give_up(bench, lease, broken)


async def _give_up(bench: Workbench, lease: Lease, broken: Exception) -> None:
    """End a run that a fault of ours broke, with its open calls: tried again it would only break again."""
    while isinstance(broken, ExceptionGroup):
        broken = broken.exceptions[0]
    said = f"The run broke off by a fault of the server ({type(broken).__name__}). Send a message to go on from here."
    with contextlib.suppress(LeaseLost):
        known = await in_thread(history, bench.session.pk)
        await in_thread(runs.finish, lease, "failed", said, closing_facts(known, "The run broke off."))
        await in_thread(stop_below, bench.session, None, "The run above it broke off.")


async def _carry(bench: Workbench, recorder: LogRecorder, lease: Lease) -> None:
    work = asyncio.create_task(_drive(bench, recorder, lease))
    async with _watched(lease, work, recorder) as ended:
        try:
            await asyncio.wait({work})  # unlike `await work` this leaves the work alone when we are canceled ourselves
        except asyncio.CancelledError:
            recorder.close()
            await _give_back(work, lease)
            raise
    match ended:
        case ["stop", *_]:
            await _stop(bench, recorder, lease)
        case ["lost", *_]:
            raise LeaseLost(lease.run_id)
        case _:
            work.result()


async def _give_back(work: asyncio.Task[None], lease: Lease) -> None:
    """The worker shuts down: cut the work off without a word and leave the run to another worker."""
    work.cancel()
    await asyncio.wait({work})
    with contextlib.suppress(LeaseLost):
        await in_thread(runs.release, lease)


async def _drive(bench: Workbench, recorder: LogRecorder, lease: Lease) -> None:
    await recorder.keep(e.RunStarted(run_id=lease.run_id, sandbox=bench.agent.sandbox.level))
    outcome: Outcome = Continue()
    while not await _settled(outcome, bench, lease):
        if not isinstance(outcome, Continue):  # between two steps `keep` has told the history all there is
            await recorder.catch_up()
        outcome = await workflow(bench.history.workflow).step(bench.agent, bench.history, recorder)


async def _settled(outcome: Outcome, bench: Workbench, lease: Lease) -> bool:
    """Give the run up as the outcome says. False: it goes on, perhaps because somebody spoke or decided this moment."""
    match outcome:
        case Done():
            return await in_thread(runs.finish, lease, "done", seen=bench.history.seq)
        case Waiting(calls):
            return await in_thread(runs.wait, lease, calls)  # False also when a stop was asked for: it arrives any moment
        case Failure(detail):
            return await in_thread(runs.finish, lease, "failed", detail)
        case Limit(detail):
            return await in_thread(runs.finish, lease, "limit", detail)
    return False


async def _stop(bench: Workbench, recorder: LogRecorder, lease: Lease) -> None:
    await recorder.catch_up()
    closing = closing_facts(bench.history, "Stopped by a person.")
    await in_thread(runs.finish, lease, "stopped", facts=closing)
    await recorder.catch_up()


@contextlib.asynccontextmanager
async def _watched(lease: Lease, work: asyncio.Task[None], recorder: LogRecorder) -> AsyncIterator[list[End]]:
    """Renew the lease, listen for a stop and for watchers while the work goes on; what ended it early stands in the list."""
    ended: list[End] = []

    def end(why: End) -> None:
        ended.append(why)
        work.cancel()

    watchers = [asyncio.create_task(_renew(lease, end)), asyncio.create_task(_listen(lease, end, recorder))]
    try:
        yield ended
    finally:
        for watcher in watchers:
            watcher.cancel()
        await asyncio.gather(*watchers, return_exceptions=True)


async def _renew(lease: Lease, end: Callable[[End], None]) -> None:
    while True:
        hold = await in_thread(runs.renew, lease)
        if hold != "held":
            return end("stop" if hold == "stop" else "lost")
        await asyncio.sleep(LEASE.total_seconds() / 5)


async def _listen(lease: Lease, end: Callable[[End], None], recorder: LogRecorder) -> None:
    """Hear of a stop at once (where the channel layer is down, `_renew` sees it a little later), and of those who begin to watch."""
    layer = get_channel_layer()
    groups = (doorbell.run_group(lease.run_id), doorbell.work_group(recorder.session_id))
    channel = await layer.new_channel()
    for group in groups:
        await layer.group_add(group, channel)
    try:
        while (message := await layer.receive(channel))["type"] != "stop":
            await recorder.show_again(message["channel"])
        end("stop")
    finally:
        for group in groups:
            await layer.group_discard(group, channel)
