"""The search backends with an API: what each is asked, and how its answer reads."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from agents.errors import FetchFailed
from agents.web.fetcher import Answer, Fetcher, Request
from agents.web.hits import Hit, hit, unique

MOST_BYTES = 2 * 2**20


@dataclass(frozen=True)
class Backend:
    """`request` makes the question of (place, key, query, number); `read` takes the hits out of the answer's JSON object."""

    name: str
    place: str
    request: Callable[[str, str, str, int], Request]
    read: Callable[[dict[str, Any]], Iterator[Hit | None]]

    async def ask(self, fetcher: Fetcher, place: str, key: str, query: str, most: int) -> list[Hit]:
        """Raises FetchFailed with the reason, in which no key appears."""
        answer = await fetcher.fetch(self.request((place or self.place).rstrip("/"), key, query, most))
        return unique(self.read(_object(answer)), most)


def _object(answer: Answer) -> dict[str, Any]:
    try:
        said = json.loads(answer.body or b"{}")
    except (ValueError, RecursionError):
        said = None
    if answer.status >= 400 or answer.status < 200:
        raise FetchFailed(f"it answered {answer.status} {answer.reason}{_complaint(said)}".strip())
    if not isinstance(said, dict):
        raise FetchFailed("its answer is not the JSON that was expected")
    return said


def _complaint(said: Any) -> str:
    """The backend's own words, wherever in its error it puts them."""
    while isinstance(said, dict):
        said = next((said[name] for name in ("error", "detail", "message") if said.get(name)), None)
    return f" ({' '.join(said.split())[:200]})" if isinstance(said, str) else ""


def _entries(said: dict[str, Any], *path: str) -> Iterator[dict[str, Any]]:
    found: Any = said
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    yield from (entry for entry in found or () if isinstance(entry, dict)) if isinstance(found, list) else ()


# --- SerpAPI: Google's results ------------------------------------------------------------------------------------------


def _ask_serpapi(place: str, key: str, query: str, most: int) -> Request:
    return Request(f"{place}/search.json?{urlencode({'engine': 'google', 'q': query, 'num': most, 'api_key': key})}")


def _read_serpapi(said: dict[str, Any]) -> Iterator[Hit | None]:
    """It calls it an error when Google finds nothing."""
    problem = said.get("error")
    if isinstance(problem, str) and "returned any results" not in problem:
        raise FetchFailed(f"it said: {' '.join(problem.split())[:200]}")
    for entry in _entries(said, "organic_results"):
        yield hit(entry.get("title"), entry.get("link"), entry.get("snippet"))


# --- Brave --------------------------------------------------------------------------------------------------------------


def _ask_brave(place: str, key: str, query: str, most: int) -> Request:
    headers = {"X-Subscription-Token": key, "Accept": "application/json"}
    return Request(f"{place}/res/v1/web/search?{urlencode({'q': query, 'count': most})}", headers=headers)


def _read_brave(said: dict[str, Any]) -> Iterator[Hit | None]:
    for entry in _entries(said, "web", "results"):
        yield hit(entry.get("title"), entry.get("url"), entry.get("description"))


# --- Tavily -------------------------------------------------------------------------------------------------------------


def _ask_tavily(place: str, key: str, query: str, most: int) -> Request:
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json", "Accept": "application/json"}
    question = {"query": query, "max_results": most, "search_depth": "basic"}
    return Request(f"{place}/search", "POST", headers, json.dumps(question).encode())


def _read_tavily(said: dict[str, Any]) -> Iterator[Hit | None]:
    for entry in _entries(said, "results"):
        yield hit(entry.get("title"), entry.get("url"), entry.get("content"))


# --- DuckDuckGo's instant answers: no key, and little more than encyclopedias -------------------------------------------


def _ask_instant(place: str, key: str, query: str, most: int) -> Request:
    return Request(f"{place}/?{urlencode({'q': query, 'format': 'json', 'no_html': 1, 'skip_disambig': 1})}")


def _read_instant(said: dict[str, Any]) -> Iterator[Hit | None]:
    heading = said.get("Heading")
    yield hit(heading, said.get("AbstractURL"), said.get("AbstractText") or said.get("Answer"))
    yield hit(heading, said.get("DefinitionURL"), said.get("Definition"))
    topics = [*_entries(said, "Results"), *_entries(said, "RelatedTopics")]
    for topic in topics:
        for entry in (topic, *_entries(topic, "Topics")):
            text = entry.get("Text")
            title = text.split(" - ")[0][:100] if isinstance(text, str) else ""
            yield hit(title, entry.get("FirstURL"), text)


SERPAPI = Backend("serpapi", "https://serpapi.com", _ask_serpapi, _read_serpapi)
BRAVE = Backend("brave", "https://api.search.brave.com", _ask_brave, _read_brave)
TAVILY = Backend("tavily", "https://api.tavily.com", _ask_tavily, _read_tavily)
INSTANT = Backend("duckduckgo", "https://api.duckduckgo.com", _ask_instant, _read_instant)
KEYED = (SERPAPI, BRAVE, TAVILY)
"""Those that want a key, best first."""
