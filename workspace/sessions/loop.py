"""The worker's one event loop: every run of a worker process lives on it, in one thread of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import CancelledError, Future
from typing import Any, TypeVar

T = TypeVar("T")


class WorkerLoop:
    """Started by the first coroutine it is given, closed with the worker. Safe to use from any thread."""

    def __init__(self) -> None:
        self._starting = threading.Lock()
        self._closed = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    @property
    def started(self) -> bool:
        return self._loop is not None

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Wait in this thread until the work is done. Raises concurrent.futures.CancelledError when the worker shuts down."""
        return self._begun(work).result()

    def post(self, work: Coroutine[Any, Any, object]) -> None:
        """Have the work done soon; nobody hears of its end."""
        self._begun(work)

    def close(self) -> None:
        """Cancel what still runs, let it end, and stop the thread. Nothing begins after that."""
        with self._starting:
            self._closed = True
            loop, thread, self._loop, self._thread = self._loop, self._thread, None, None
        if loop is None or thread is None:
            return
        asyncio.run_coroutine_threadsafe(_cancel_others(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()

    def _begun(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        with self._starting:
            if self._closed:
                work.close()
                raise CancelledError
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name="runs", daemon=True)
                self._thread.start()
            return asyncio.run_coroutine_threadsafe(work, self._loop)


async def _cancel_others() -> None:
    others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


worker_loop = WorkerLoop()
