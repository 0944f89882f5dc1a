"""The browser search: a real Chromium that renders engines' pages and reaches nothing by itself."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import pytest

from agents.errors import FetchFailed
from agents.ports import Web
from agents.web.addresses import ANYWHERE, PUBLIC, Policy
from agents.web.browser import browse
from agents.web.fetcher import Fetcher
from agents.web.hits import Hit
from agents.web.searching import Search
from tests.peers.site import Page, Site, moved
from tests.processes.world import until

Result = TypeVar("Result")
Run = Callable[[Coroutine[Any, Any, Result]], Result]


@pytest.fixture
def run() -> Iterator[Callable[..., Any]]:
    """Runs a coroutine in a thread of its own: this one belongs to the other browser tests' Playwright."""
    with ThreadPoolExecutor(1) as thread:
        yield lambda coroutine: thread.submit(asyncio.run, coroutine).result(90)


def bing(*extra: str) -> Page:
    """As Bing writes it: the results come by script, and lead through a counting redirect of its own."""
    counted = "https://www.bing.com/ck/a?!&&p=1&u=a1aHR0cHM6Ly90d28uZXhhbXBsZS9iP2M9MQ&ntb=1"
    results = f"""
      <li class="b_ad"><h2><a href="https://ad.example/">Buy</a></h2></li>
      <li class="b_algo"><h2><a href="https://one.example/a">One &amp; only</a></h2><div class="b_caption"><p>The first</p></div></li>
      <li class="b_algo b_vtl"><h2><a href="{counted}">Two</a></h2><p>The second</p></li>
      <li class="b_algo"><h2><a href="https://one.example/a">One again</a></h2></li>"""
    script = f"document.getElementById('b_results').innerHTML = {results!r};"
    return Page(f"<!doctype html><ol id='b_results'></ol>{''.join(extra)}<script>{script}</script>".encode())


DUCKDUCKGO = Page(b"""<!doctype html><div class="results">
  <div class="result result--ad"><a class="result__a" href="https://ad.example/">Buy</a></div>
  <div class="result results_links"><h2 class="result__title"><a class="result__a"
    href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fthree.example%2Fc%3Fd%3D1&amp;rut=x">Three</a></h2>
    <a class="result__snippet" href="x">The <b>third</b></a></div></div>""")
EMPTY = Page(b"<!doctype html><ol id='b_results'><li class='b_no'>There are no results</li></ol>")
ONE, TWO = Hit("One & only", "https://one.example/a", "The first"), Hit("Two", "https://two.example/b?c=1", "The second")


def places(site: Site) -> dict[str, str]:
    return {"bing": site.url, "duckduckgo_html": site.url}


def test_bings_results_are_read_as_the_browser_shows_them(run: Run[Any]) -> None:
    with Site({"/search": bing()}) as site:
        found = run(browse("how & why", 5, Fetcher(ANYWHERE), places(site)))
    assert (found.engine, found.hits, found.missed) == ("bing", [ONE, TWO], {})
    (seen,) = site.seen
    assert seen.query["q"] == "how & why"


def test_duckduckgo_is_asked_where_bing_shows_nothing(run: Run[Any]) -> None:
    for page, why in ((EMPTY, "its page shows no results"), (Page(status=503), "it answered 503 Service Unavailable")):
        with Site({"/search": page, "/html/": DUCKDUCKGO}) as site:
            found = run(browse("x", 5, Fetcher(ANYWHERE), places(site)))
        assert (found.engine, found.missed) == ("duckduckgo_html", {"bing": why})
        assert found.hits == [Hit("Three", "https://three.example/c?d=1", "The third")]


def test_a_search_uses_the_browser_where_there_is_no_key(run: Run[Any]) -> None:
    with Site({"/search": bing()}) as site:
        search = Search(Web(allow_private=True, places=places(site)), "x", 1)
        assert run(search.run()) == ("playwright", [ONE])


def test_a_search_that_finds_nothing_in_the_browser_goes_on_to_instant_answers(run: Run[Any]) -> None:
    with Site({"/search": EMPTY, "/html/": EMPTY, "/": Page(b"{}", "application/json")}) as site:
        search = Search(Web(allow_private=True, places={**places(site), "duckduckgo": site.url}), "x", 5)
        assert run(search.run()) == ("duckduckgo", [])
    assert search.failed == {"playwright": "bing: its page shows no results; duckduckgo_html: its page shows no results"}


def test_a_page_of_an_engine_reaches_nothing_private(run: Run[Any]) -> None:
    """By image, style, script, frame, fetch, form, beacon, socket or navigation: nothing is asked, intercepted or not."""
    with Site({}) as inside, socket.create_server(("127.0.0.1", 0)) as listening, Site({"/moved": moved("http://127.0.0.2:1/")}) as site:
        listening.settimeout(0.3)
        port = listening.getsockname()[1]
        tricks = "".join(
            f"""<img src="{host}/img"><link rel="stylesheet" href="{host}/css"><iframe src="{host}/frame"></iframe><script src="{host}/js">
            </script><link rel="preconnect" href="{host}"><link rel="dns-prefetch" href="{host}"><form action="{host}/form" method="post">
            </form><script>fetch("{host}/fetch", {{mode: "no-cors"}}).catch(() => 0); navigator.sendBeacon("{host}/beacon", "x");
            try {{ new WebSocket("{host.replace("http", "ws")}/ws"); new EventSource("{host}/events") }} catch (e) {{}}
            for (const form of document.forms) {{ form.target = "_blank"; form.submit() }}; open("{host}/open");</script>"""
            for host in (
                f"http://127.0.0.2:{port}",
                f"http://localhost:{inside.port}",
                f"http://[::1]:{inside.port}",
                f"http://127.3:{port}",
            )
        )
        site.pages["/search"] = bing('<script src="/moved"></script>', tricks)
        found = run(browse("x", 5, Fetcher(Policy(lambda address: address == "127.0.0.1")), places(site)))
        assert found.hits == [ONE, TWO]
        with pytest.raises(TimeoutError):
            listening.accept()
    assert inside.seen == []
    assert {seen.path.partition("?")[0] for seen in site.seen} == {"/search", "/moved"}


def test_an_engine_at_a_private_address_is_not_asked(run: Run[Any]) -> None:
    with Site({"/search": bing()}) as site, pytest.raises(FetchFailed, match=r"bing: 127\.0\.0\.1 is private.*duckduckgo_html: 127"):
        run(browse("x", 5, Fetcher(PUBLIC), places(site)))
    assert not site.seen


def browsers() -> set[str]:
    """The Chromiums of this process's browser searches that run now, by the homes they were given."""
    found = set()
    for process in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            found |= {
                part.decode() for part in process.read_bytes().split(b"\0") if part.startswith(b"HOME=") and b"countersign-browser-" in part
            }
    return found


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="processes are told apart by /proc")
def test_no_browser_outlives_a_search_that_was_stopped(run: Run[Any]) -> None:
    before = browsers()

    async def stopped(site: Site) -> None:
        searching = asyncio.create_task(browse("x", 5, Fetcher(ANYWHERE), places(site)))
        while not site.seen:
            await asyncio.sleep(0.02)
        assert browsers() - before
        searching.cancel()
        with suppress(asyncio.CancelledError):
            await searching

    with Site({}) as site:
        site.pages["/search"] = site.never
        run(stopped(site))
    until(lambda: not browsers() - before, "no browser being left")
