"""The language servers of one process: one for each workspace and language, started when needed, kept warm, ended when idle."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Literal

from agents.code.finding import Launch
from agents.code.server import LanguageServer, Patience
from agents.errors import SandboxError, ToolError
from agents.sandboxes.sandbox import Sandbox

Key = tuple[str, str, bool, bool, Sequence[str]]


@dataclass
class Kept:
    """A server, or the starting of one. `users` are the calls that need it now, `used` is when the last of them ended."""

    starting: asyncio.Task[LanguageServer]
    users: int = 0
    used: float = 0.0

    @property
    def state(self) -> Literal["starting", "ready", "lost"]:
        if not self.starting.done():
            return "starting"
        lost = (
            self.starting.cancelled() or self.starting.exception() or self.starting.result().connection.gone or self.starting.result().hung
        )
        return "lost" if lost else "ready"


class Pool:
    """Used from one event loop. At most `most` servers at once; one that nobody used for `idle` seconds is ended."""

    def __init__(self, most: int = 8, idle: float = 600.0, patience: Patience = Patience()) -> None:  # noqa: B008
        self._most, self._idle, self._patience = most, idle, patience
        self._kept: dict[Key, Kept] = {}
        self._reaping: asyncio.Task[None] | None = None

    @property
    def count(self) -> int:
        """How many are running or starting."""
        return len(self._kept)

    @asynccontextmanager
    async def using(self, sandbox: Sandbox, launch: Launch) -> AsyncIterator[LanguageServer]:
        """The server, started if need be. Raises ToolError when it cannot be; the next call tries again."""
        kept = await self._get(sandbox, launch)
        kept.users += 1
        try:
            yield await asyncio.shield(kept.starting)
        except SandboxError as wrong:
            raise ToolError(f"{launch.name} cannot be started: {wrong}") from wrong
        finally:
            kept.users -= 1
            kept.used = time.monotonic()

    async def is_ready(self, sandbox: Sandbox, launch: Launch, *, start: bool = True) -> bool:
        """Whether it can be asked at once; if not, it is being started from now on, where that is wanted."""
        if not start and _key(sandbox, launch) not in self._kept:
            return False
        return (await self._get(sandbox, launch)).state == "ready"

    async def close(self) -> None:
        """End them all."""
        if self._reaping:
            self._reaping.cancel()
        await self._end(lambda kept: True)

    async def _get(self, sandbox: Sandbox, launch: Launch) -> Kept:
        key = _key(sandbox, launch)
        await self._end(lambda kept: kept.state == "lost")
        if key not in self._kept:
            await self._make_room()
        if key not in self._kept:  # nobody else has started it meanwhile
            self._kept[key] = Kept(asyncio.create_task(LanguageServer.opened(sandbox, launch, self._patience)), used=time.monotonic())
            self._kept[key].starting.add_done_callback(_heard)
        if not self._reaping or self._reaping.done():
            self._reaping = asyncio.create_task(self._reap())
        return self._kept[key]

    async def _make_room(self) -> None:
        if len(self._kept) < self._most:
            return
        free = [kept for kept in self._kept.values() if not kept.users and kept.state != "starting"]
        if not free:
            raise ToolError(f"All {self._most} language servers that may run at once are busy. Try again soon, or use grep and read.")
        oldest = min(free, key=lambda kept: kept.used)
        await self._end(lambda kept: kept is oldest)

    async def _reap(self) -> None:
        while self._kept:
            await asyncio.sleep(min(self._idle / 4, 30.0))
            await self._end(self._is_idle)

    def _is_idle(self, kept: Kept) -> bool:
        return not kept.users and kept.used < time.monotonic() - self._idle

    async def _end(self, which: Callable[[Kept], bool]) -> None:
        chosen = {key: kept for key, kept in self._kept.items() if which(kept)}
        for key in chosen:
            del self._kept[key]
        await asyncio.gather(*(_ended(kept.starting) for kept in chosen.values()))


def _key(sandbox: Sandbox, launch: Launch) -> Key:
    return sandbox.root, sandbox.level, sandbox.network, sandbox.writable, launch.argv


async def _ended(starting: asyncio.Task[LanguageServer]) -> None:
    if not starting.done():
        starting.cancel()
        await asyncio.wait([starting])
    if not starting.cancelled() and not starting.exception():
        await starting.result().connection.end()


def _heard(starting: asyncio.Task[LanguageServer]) -> None:
    """Those who waited were told what went wrong; of a start in the background nobody need hear."""
    if not starting.cancelled():
        starting.exception()
