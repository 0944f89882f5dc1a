"""A web search: the best backend that there is a key for, and the next one where it fails."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial

from agents.errors import FetchFailed
from agents.ports import Web
from agents.web.addresses import ANYWHERE, PUBLIC, Policy
from agents.web.backends import INSTANT, KEYED, MOST_BYTES, Backend
from agents.web.browser import browse
from agents.web.fetcher import Fetcher
from agents.web.hits import Hit

SECONDS = 30.0
"""For all backends together."""
API_SECONDS = 6.0
"""For one of those with an API, so that one that hangs leaves time for the next."""


@dataclass
class Search:
    """One search. `failed` fills with the backends that were asked in vain, and why."""

    web: Web
    query: str
    most: int
    seconds: float = SECONDS
    api_seconds: float = API_SECONDS
    failed: dict[str, str] = field(default_factory=dict)

    async def run(self) -> tuple[str, list[Hit]]:
        """(the backend that answered, its hits). An answer of the last one may be empty. Raises FetchFailed naming each with its reason."""
        self.ends = asyncio.get_running_loop().time() + self.seconds
        for backend in KEYED:
            if self.web.keys.get(backend.name):
                hits = await self._tried(backend.name, self.api_seconds, partial(self._ask, backend))
                if hits is not None:
                    return backend.name, hits
        if hits := await self._tried("playwright", self._left() - self.api_seconds, self._browse):
            return "playwright", hits
        hits = await self._tried(INSTANT.name, self._left(), partial(self._ask, INSTANT))
        if hits is None:
            told = "; ".join(f"{name}: {reason}" for name, reason in self.failed.items())
            raise FetchFailed(f"No search backend answered. {told}.")
        return INSTANT.name, hits

    async def _tried(self, name: str, seconds: float, ask: Callable[[], Awaitable[list[Hit]]]) -> list[Hit] | None:
        seconds = max(0.0, min(seconds, self._left()))
        try:
            async with asyncio.timeout(seconds):
                return await ask()
        except TimeoutError:
            self.failed[name] = f"no answer within {seconds:.2g} seconds"
        except FetchFailed as wrong:
            self.failed[name] = str(wrong).rstrip(".")
        return None

    def _left(self) -> float:
        return self.ends - asyncio.get_running_loop().time()

    async def _ask(self, backend: Backend) -> list[Hit]:
        place = self.web.places.get(backend.name, "")
        fetcher = Fetcher(ANYWHERE if place else policy(self.web), seconds=SECONDS, most_bytes=MOST_BYTES, most_redirects=0)
        return await backend.ask(fetcher, place, self.web.keys.get(backend.name, ""), self.query, self.most)

    async def _browse(self) -> list[Hit]:
        found = await browse(self.query, self.most, Fetcher(policy(self.web)), self.web.places)
        if not found.hits:
            self.failed["playwright"] = "; ".join(f"{name}: {reason}" for name, reason in found.missed.items())
        return found.hits


def policy(web: Web) -> Policy:
    """Where this session's requests may go."""
    return ANYWHERE if web.allow_private else PUBLIC
