"""Searches against servers that answer as the real backends do."""

from __future__ import annotations

import time
from typing import Any

import pytest

from agents.errors import FetchFailed
from agents.ports import Web
from agents.web.hits import Hit, hit, listed, unique
from agents.web.searching import Search
from tests.peers.site import Page, Site, told

SERPAPI = {
    "search_metadata": {"id": "65f", "status": "Success", "google_url": "https://www.google.com/search?q=x"},
    "search_parameters": {"engine": "google", "q": "x", "num": "2"},
    "search_information": {"organic_results_state": "Results for exact spelling", "total_results": 2},
    "organic_results": [
        {"position": 1, "title": "First", "link": "https://one.example/a", "displayed_link": "one.example › a", "snippet": "Of the first"},
        {"position": 2, "title": "Again", "link": "https://one.example/a/", "snippet": "The same page"},
        {"position": 3, "title": "Second", "link": "https://two.example/b?c=1#d", "displayed_link": "two.example"},
        {"position": 4, "title": "Third", "link": "https://three.example/"},
    ],
}  # fmt: skip
BRAVE = {
    "type": "search",
    "query": {"original": "x", "more_results_available": True},
    "mixed": {"type": "mixed", "main": [{"type": "web", "index": 0, "all": False}]},
    "web": {
        "type": "search",
        "results": [
            {"title": "Tom &amp; Jerry", "url": "https://one.example/", "description": "A <strong>bold</strong> word", "language": "en",
             "meta_url": {"scheme": "https", "netloc": "one.example"}},
            {"title": None, "url": "https://two.example/"},
            {"title": "Script", "url": "javascript:alert(1)", "description": "x"},
            "nonsense",
        ],
    },
}  # fmt: skip
TAVILY = {
    "query": "x", "follow_up_questions": None, "answer": None, "images": [], "response_time": 1.31, "request_id": "1",
    "results": [{"title": "First", "url": "https://one.example/", "content": "What it says", "score": 0.92, "raw_content": None}],
}  # fmt: skip
INSTANT = {
    "Abstract": "", "AbstractSource": "Wikipedia", "AbstractText": "Python is a language.", "AbstractURL": "https://en.example/Python",
    "Heading": "Python", "Answer": "", "AnswerType": "", "Definition": "", "DefinitionURL": "", "Type": "A", "meta": None, "Redirect": "",
    "Results": [{"FirstURL": "https://python.example/", "Result": "<a>x</a>", "Text": "Official site - Python", "Icon": {}}],
    "RelatedTopics": [
        {"FirstURL": "https://ddg.example/Guido", "Text": "Guido - Its author", "Result": "x"},
        {"Name": "Others", "Topics": [{"FirstURL": "https://ddg.example/Monty", "Text": "Monty - A troupe"}]},
    ],
}  # fmt: skip
NOTHING = {**INSTANT, "AbstractText": "", "AbstractURL": "", "Heading": "", "Results": [], "RelatedTopics": []}
KEYS = {"serpapi": "serp-secret", "brave": "brave-secret", "tavily": "tavily-secret"}
PATHS = {"serpapi": "/search.json", "brave": "/res/v1/web/search", "tavily": "/search", "duckduckgo": "/"}


def web(site: Site, *keys: str) -> Web:
    """Each backend is `site`; the browser's engines are at a port where nobody is."""
    dead = {"bing": "http://127.0.0.1:1", "duckduckgo_html": "http://127.0.0.1:1"}
    return Web(keys={name: KEYS[name] for name in keys}, places={**dict.fromkeys(PATHS, site.url), **dead})


async def test_serpapi_is_asked_first_and_read() -> None:
    with Site({"/search.json": told(SERPAPI)}) as site:
        source, hits = await Search(web(site, *KEYS), "how & why", 2).run()
    assert source == "serpapi"
    assert hits == [Hit("First", "https://one.example/a", "Of the first"), Hit("Second", "https://two.example/b?c=1#d", "")]
    (seen,) = site.seen
    assert seen.query == {"engine": "google", "q": "how & why", "num": "2", "api_key": "serp-secret"}


async def test_brave_is_asked_with_its_token_and_read() -> None:
    with Site({PATHS["brave"]: told(BRAVE)}) as site:
        source, hits = await Search(web(site, "brave", "tavily"), "x", 5).run()
    assert (source, hits[0]) == ("brave", Hit("Tom & Jerry", "https://one.example/", "A bold word"))
    assert [one.url for one in hits] == ["https://one.example/", "https://two.example/"]
    (seen,) = site.seen
    assert seen.query == {"q": "x", "count": "5"}
    assert seen.headers["x-subscription-token"] == "brave-secret"


async def test_tavily_is_asked_with_its_token_and_read() -> None:
    with Site({PATHS["tavily"]: told(TAVILY)}) as site:
        source, hits = await Search(web(site, "tavily"), "x", 5).run()
    assert (source, hits) == ("tavily", [Hit("First", "https://one.example/", "What it says")])
    (seen,) = site.seen
    assert (seen.method, seen.headers["authorization"]) == ("POST", "Bearer tavily-secret")
    assert seen.json == {"query": "x", "max_results": 5, "search_depth": "basic"}


async def test_instant_answers_need_no_key(no_browser: None) -> None:
    with Site({"/": told(INSTANT)}) as site:
        search = Search(web(site), "python", 10)
        source, hits = await search.run()
    assert source == "duckduckgo"
    assert [one.title for one in hits] == ["Python", "Official site", "Guido", "Monty"]
    assert hits[0] == Hit("Python", "https://en.example/Python", "Python is a language.")
    assert set(search.failed) == {"playwright"}
    assert site.seen[-1].query == {"q": "python", "format": "json", "no_html": "1", "skip_disambig": "1"}


async def test_no_results_are_an_answer_too() -> None:
    empty = {"search_metadata": {"status": "Success"}, "error": "Google hasn't returned any results for this query."}
    for name, said in (("serpapi", empty), ("brave", {"type": "search", "web": {"results": []}}), ("brave", {"type": "search"}),
                       ("tavily", {**TAVILY, "results": []})):  # fmt: skip
        with Site({PATHS[name]: told(said)}) as site:
            assert await Search(web(site, name), "x", 5).run() == (name, [])


REFUSALS: list[tuple[Page, str]] = [
    (told({"error": "Invalid API key. Your API key should be here: x"}, 401), "401 Unauthorized (Invalid API key."),
    (told({"type": "ErrorResponse", "error": {"code": "RATE", "detail": "Slow down"}}, 429), "429 Too Many Requests (Slow down)"),
    (told({"detail": {"error": "Unauthorized: missing or invalid API key."}}, 401), "401 Unauthorized (Unauthorized: missing"),
    (told({"error": "Your account has run out of searches."}), "it said: Your account has run out of searches"),
    (Page(b"<h1>Oops</h1>", status=500), "500 Internal Server Error"),
    (Page(b"{half", "application/json"), "not the JSON that was expected"),
    (Page(b"[" * 200_000, "application/json"), "not the JSON that was expected"),
    (told(["a", "list"]), "not the JSON that was expected"),
    (Page(b"", "application/json", 302, {"Location": "http://127.0.0.1/"}), "redirects"),
]  # fmt: skip


@pytest.mark.parametrize(("page", "why"), REFUSALS, ids=[why for _, why in REFUSALS])
async def test_a_backend_that_fails_is_told_and_the_next_one_asked(page: Page, why: str) -> None:
    with Site({PATHS["serpapi"]: page, PATHS["brave"]: told(BRAVE)}) as site:
        search = Search(web(site, "serpapi", "brave"), "x", 5)
        source, hits = await search.run()
    assert (source, len(hits)) == ("brave", 2)
    assert why in search.failed["serpapi"]
    assert "serp-secret" not in str(search.failed)


@pytest.mark.parametrize(
    "odd", [{"organic_results": "x"}, {"organic_results": [1, None, {}, {"link": 5, "title": []}]}, {}, {"organic_results": {}}]
)
async def test_an_answer_of_another_shape_has_no_results(odd: dict[str, Any]) -> None:
    with Site({PATHS["serpapi"]: told(odd)}) as site:
        assert await Search(web(site, "serpapi"), "x", 5).run() == ("serpapi", [])


async def test_one_that_hangs_leaves_time_for_the_next() -> None:
    with Site({PATHS["tavily"]: told(TAVILY)}) as site:
        site.pages[PATHS["serpapi"]] = site.pages[PATHS["brave"]] = site.never
        search = Search(web(site, *KEYS), "x", 5, api_seconds=1.5)
        began = time.monotonic()
        assert (await search.run())[0] == "tavily"
        assert time.monotonic() - began < 10
    assert search.failed == dict.fromkeys(("serpapi", "brave"), "no answer within 1.5 seconds")


async def test_where_all_fail_the_error_names_each_with_its_reason_in_time(no_browser: None) -> None:
    with Site({PATHS["brave"]: Page(status=500), "/": Page(b"", status=202)}) as site:
        site.pages[PATHS["serpapi"]] = site.pages["/"] = site.never
        began = time.monotonic()
        with pytest.raises(FetchFailed) as failed:
            await Search(web(site, "serpapi", "brave"), "x", 5, seconds=5, api_seconds=1.5).run()
        assert time.monotonic() - began < 15
    said = str(failed.value)
    assert said.startswith("No search backend answered. serpapi: no answer within 1.5 seconds; brave: it answered 500")
    assert "playwright:" in said
    assert "duckduckgo: no answer within" in said
    assert "secret" not in said


async def test_a_backend_of_the_operators_own_may_be_private() -> None:
    with Site({"/search.json": told(SERPAPI)}) as site:
        search = Search(Web(keys={"serpapi": "k"}, places={"serpapi": site.url.replace("127.0.0.1", "localhost")}), "x", 5)
        assert (await search.run())[0] == "serpapi"


def test_hits_are_listed_with_short_extracts() -> None:
    found = unique([hit("A\n <b>title</b>", "https://one.example", "x" * 300), hit("", "https://two.example/", None), None], 5)
    assert listed(found, 200, "URL: ") == (
        f"1. **A title**\n   URL: https://one.example/\n   {'x' * 199}…\n\n2. **https://two.example/**\n   URL: https://two.example/"
    )
