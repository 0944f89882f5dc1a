"""Searching with a real headless Chromium, all of whose requests are answered by our own fetcher.

The browser itself reaches nothing: what it asks is intercepted and fetched under our address rules, and whatever might slip by
meets a proxy that is not there and names that do not resolve.
"""

from __future__ import annotations

import asyncio
import importlib
import os
import shutil
import socket
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from weakref import WeakKeyDictionary

from agents.errors import FetchFailed
from agents.web.engines import ENGINES, Engine
from agents.web.fetcher import Fetcher, Request
from agents.web.hits import Hit, unique

PAGE_SECONDS = 15.0
PART_SECONDS = 8.0
"""For one request of a page, so that a script that never comes does not cost the page."""
RESULTS_SECONDS = 1.5
"""How long a page that has loaded is given to show its results."""
CLOSE_SECONDS = 5.0
MOST_REQUESTS = 60
"""Requests of one page that are answered."""
AT_ONCE = 2
"""Browsers that one worker runs at a time; each takes some 150 MB."""
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
KINDS = frozenset({"document", "script", "stylesheet", "xhr", "fetch"})
HOW = (
    "The browser search needs Playwright and a Chromium. On the server: pip install 'countersign[browser]', then "
    "playwright install chromium (or a Chromium of the system's on PATH)."
)


@dataclass(frozen=True)
class Browsed:
    """What the engines gave: the hits, by which engine, and why an engine that was asked before has none."""

    hits: list[Hit]
    engine: str
    missed: Mapping[str, str]


async def browse(query: str, most: int, fetcher: Fetcher, places: Mapping[str, str]) -> Browsed:
    """Ask one engine after the other until one has results. Raises FetchFailed where there is no browser, or no engine answers."""
    missed: dict[str, str] = {}
    async with _turns(), _context() as context:
        for engine in ENGINES:
            try:
                async with asyncio.timeout(PAGE_SECONDS):
                    html = await _page(context, engine, engine.address(query, places.get(engine.name, "")), fetcher)
                hits = unique(await asyncio.to_thread(engine.read, html), most)
            except TimeoutError:
                missed[engine.name] = f"no page within {PAGE_SECONDS:.0f} seconds"
                continue
            except FetchFailed as wrong:
                missed[engine.name] = str(wrong).rstrip(".")
                continue
            if hits:
                return Browsed(hits, engine.name, missed)
            missed[engine.name] = "its page shows no results"
    if any(reason != "its page shows no results" for reason in missed.values()):
        raise FetchFailed("; ".join(f"{name}: {reason}" for name, reason in missed.items()))
    return Browsed([], ENGINES[-1].name, missed)


_turns_by_loop: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()


def _turns() -> asyncio.Semaphore:
    return _turns_by_loop.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(AT_ONCE))


@asynccontextmanager
async def _context() -> AsyncIterator[Any]:
    """A fresh browser with nothing kept, closed in every case."""
    with _dead_port() as port, TemporaryDirectory(prefix="countersign-browser-") as home:
        playwright = await _started()
        try:
            browser = await _launched(playwright, port, home)
            try:
                yield await browser.new_context(service_workers="block", accept_downloads=False, locale="en-US")
            finally:
                await _closed(browser.close())
        finally:
            await _closed(playwright.stop())


@contextmanager
def _dead_port() -> Iterator[int]:
    """A port at which nobody listens, and nobody can begin to."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


async def _started() -> Any:
    try:
        library: Any = importlib.import_module("playwright.async_api")
    except ImportError as wrong:
        raise FetchFailed(HOW) from wrong
    starting = asyncio.ensure_future(library.async_playwright().start())
    try:
        return await asyncio.shield(starting)
    except asyncio.CancelledError:
        await _closed((await starting).stop())
        raise


async def _launched(playwright: Any, port: int, home: str) -> Any:
    """With Chromium's own sandbox, except where it cannot be had: for root, and where the kernel forbids it."""
    options = {
        "executable_path": _executable(playwright.chromium.executable_path),
        "timeout": PAGE_SECONDS * 1000,
        "env": {"PATH": os.defpath, "HOME": home, "LANG": "C.UTF-8"},
        "args": [
            f"--proxy-server=http://127.0.0.1:{port}", "--proxy-bypass-list=<-loopback>", "--host-resolver-rules=MAP * ~NOTFOUND",
            "--force-webrtc-ip-handling-policy=disable_non_proxied_udp", "--disable-quic", "--disable-background-networking",
        ],
    }  # fmt: skip
    failed = _errors()
    if os.geteuid() != 0:
        with suppress(failed):
            return await playwright.chromium.launch(chromium_sandbox=True, **options)
    try:
        return await playwright.chromium.launch(chromium_sandbox=False, **options)
    except failed as wrong:
        raise FetchFailed(f"Chromium does not start: {str(wrong).strip().splitlines()[0][:300]}") from wrong


def _executable(own: str) -> str | None:
    """None for the one that Playwright keeps, else one of the system's."""
    if Path(own).exists():
        return None
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        raise FetchFailed(HOW)
    return found


def _errors() -> Any:
    return importlib.import_module("playwright.async_api").Error


async def _closed(closing: Any) -> None:
    """To its end even if we are canceled meanwhile; a browser that has gone already is closed."""
    task = asyncio.ensure_future(closing)
    with suppress(TimeoutError, _errors()):
        async with asyncio.timeout(CLOSE_SECONDS):
            await asyncio.shield(task)


@dataclass
class _Answering:
    """Answers what one page asks."""

    fetcher: Fetcher
    left: int = MOST_REQUESTS
    refusal: str = ""
    """Why the page itself, which is asked for first, could not be had."""
    at_once: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(6))

    async def __call__(self, route: Any) -> None:
        request = route.request
        first, self.left = self.left == MOST_REQUESTS, self.left - 1
        with suppress(_errors()):  # the page may be gone by now
            if request.method != "GET" or request.resource_type not in KINDS or self.left < 0:
                await route.abort()
                return
            await self._answer(route, request, first)

    async def _answer(self, route: Any, request: Any, first: bool) -> None:
        wanted = {name: value for name, value in request.headers.items() if name in ("accept", "accept-language", "user-agent")}
        try:
            async with self.at_once:
                answer = await self.fetcher.fetch(Request(request.url, headers=wanted))
        except FetchFailed as wrong:
            self.refusal = str(wrong) if first else self.refusal
            await route.abort()
            return
        if first and answer.status >= 400:
            self.refusal = f"it answered {answer.status} {answer.reason}".rstrip()
        told = {name: answer.headers[name] for name in ("content-type", "access-control-allow-origin") if name in answer.headers}
        await route.fulfill(status=answer.status, headers=told, body=answer.body)


async def _page(context: Any, engine: Engine, address: str, fetcher: Fetcher) -> str:
    """The HTML of the engine's page once it shows results, or has had time to."""
    answering = _Answering(replace(fetcher, seconds=min(fetcher.seconds, PART_SECONDS)))
    page = await context.new_page()
    try:
        await context.route("**/*", answering)
        await page.goto(address, wait_until="domcontentloaded", timeout=PAGE_SECONDS * 1000)
        if answering.refusal:
            raise FetchFailed(answering.refusal)
        with suppress(_errors()):
            await page.wait_for_selector(engine.results, state="attached", timeout=RESULTS_SECONDS * 1000)
        return str(await page.content())
    except _errors() as wrong:
        raise FetchFailed(answering.refusal or str(wrong).strip().splitlines()[0][:200]) from wrong
    finally:
        with suppress(_errors()):
            await context.unroute_all(behavior="ignoreErrors")
            await page.close()
