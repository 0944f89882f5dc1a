"""Where a run's steps put what happens: facts into the log under the run's lease, notes to whoever watches."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from agents import events as e
from agents.history import History
from workspace.sessions import doorbell, log
from workspace.sessions.runs import Lease, LeaseLost, held
from workspace.sessions.showing import Showing, place_of
from workspace.sessions.threads import with_connection

P = ParamSpec("P")
T = TypeVar("T")

NOTES_A_SECOND = 20

database_threads = ThreadPoolExecutor(8, thread_name_prefix="log")
"""The worker loop's way to the database: few threads, so that few connections are open."""


async def in_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do blocking work away from the loop."""
    return await asyncio.get_running_loop().run_in_executor(database_threads, lambda: with_connection(work, *args, **kwargs))


class LogRecorder:
    """The `Recorder` of one run. Raises LeaseLost from `keep` once another worker may have the run."""

    def __init__(self, history: History, session_pk: int, session_id: str, lease: Lease) -> None:
        self.history = history
        self.session_pk, self.session_id, self.lease = session_pk, session_id, lease
        self._turn = asyncio.Lock()
        self._closed = False
        self._notes: list[e.AnyNote] = []
        self._showing = Showing()
        self._flushing: asyncio.Task[None] | None = None

    async def keep(self, *facts: e.AnyFact) -> tuple[e.Entry, ...]:
        """Append in one transaction that fails unless the lease still holds. Once begun it is done, even if the caller is canceled."""
        return await asyncio.shield(self._keep(facts))

    async def _keep(self, facts: Sequence[e.AnyFact]) -> tuple[e.Entry, ...]:
        async with self._turn:
            if self._closed:
                raise LeaseLost(self.lease.run_id)
            entries = await in_thread(self._append, facts)
            self._showing.landed(facts)
            if entries and entries[0].seq == self.history.seq + 1:
                for entry in entries:
                    self.history.apply(entry)
            else:
                await self._read_on()
        return tuple(entries)

    def _append(self, facts: Sequence[e.AnyFact]) -> list[e.Entry]:
        return log.append(self.session_pk, facts, run=self.lease.run_id, also=lambda: held(self.lease))

    async def catch_up(self) -> None:
        """Tell the history of what people said and decided meanwhile."""
        async with self._turn:
            await self._read_on()

    async def _read_on(self) -> None:
        for entry in await in_thread(log.read, self.session_pk, self.history.seq):
            self.history.apply(entry)

    def close(self) -> None:
        """Keep nothing more: the worker goes down, and what it was doing is told by whoever goes on."""
        self._closed = True

    def show(self, note: e.AnyNote) -> None:
        """Pass the note on, together with its neighbours, at most twenty times a second."""
        self._notes.append(note)
        self._showing.add(note)
        if self._flushing is None or self._flushing.done():
            self._flushing = asyncio.get_running_loop().create_task(self._flush())

    async def show_again(self, channel: str) -> None:
        """Show a watcher who came late what is growing now; what it has heard of it already does no harm."""
        if notes := self._showing.notes:
            await doorbell.show_to(channel, notes)

    async def _flush(self) -> None:
        while self._notes:
            notes, self._notes = merged(self._notes), []
            await doorbell.show(self.session_id, notes)
            await asyncio.sleep(1 / NOTES_A_SECOND)


def merged(notes: Sequence[e.AnyNote]) -> list[e.AnyNote]:
    """The same notes with neighbouring growth of one thing said as one."""
    joined: list[e.AnyNote] = []
    for note in notes:
        last = joined[-1] if joined else None
        if last is not None and place_of(last) == place_of(note) and last.at + len(last.text) == note.at:
            joined[-1] = last.model_copy(update={"text": last.text + note.text})
        else:
            joined.append(note)
    return joined
