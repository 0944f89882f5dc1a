"""Asking a forge's REST API: its key goes to it alone, and what it refuses becomes a sentence."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from agents.errors import ToolError
from agents.forges.place import ForgePlace
from agents.web.addresses import PUBLIC, Policy
from agents.web.fetcher import Answer, Fetcher, Request

SECONDS = 20.0
MOST_BYTES = 4 * 2**20
MOST_PAGES = 3
PAGE = {"github": ("per_page", 100), "gitea": ("limit", 50)}
"""What the size of a page is called, and the most there is."""
PLAIN = {
    "github": {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"},
    "gitea": {"Accept": "application/json"},
}
HIDDEN = "[redacted]"
Row = Mapping[str, Any]


class Asking:
    """One repository's API. Every method raises nothing but ToolError, whose text says what to do."""

    def __init__(self, place: ForgePlace, policy: Policy = PUBLIC) -> None:
        self._place = place
        self._fetcher = Fetcher(policy, seconds=SECONDS, most_bytes=MOST_BYTES, stays=True)

    async def row(self, path: str) -> Row:
        """One JSON object below the repository; "" is the repository's own."""
        told = self._json(await self._answer(path, {}))
        if not isinstance(told, dict):
            raise self._odd()
        return told

    async def rows(self, path: str, **query: str) -> tuple[list[Row], bool]:
        """A list, and whether there is more than the pages that are asked for."""
        name, size = PAGE[self._place.kind]
        found: list[Row] = []
        for page in range(1, MOST_PAGES + 1):
            answer = await self._answer(path, {**query, name: str(size), "page": str(page)})
            told = self._json(answer)
            if not isinstance(told, list):
                raise self._odd()
            found += [row for row in told if isinstance(row, dict)]
            if not told or 'rel="next"' not in answer.headers.get("link", ""):
                return found, False
        return found, True

    async def text(self, path: str, accept: str = "text/plain") -> tuple[str, bool]:
        """The answer's text, and whether it is whole."""
        answer = await self._answer(path, {}, accept)
        return self._hidden(answer.body.decode(errors="replace")), answer.whole

    async def _answer(self, path: str, query: Mapping[str, str], accept: str = "") -> Answer:
        place = self._place
        url = f"{place.api}/repos/{place.repository}{path}{f'?{urlencode(query)}' if query else ''}"
        headers = {**PLAIN[place.kind], **({"Accept": accept} if accept else {})}
        if place.token:
            headers["Authorization"] = f"{'Bearer' if place.kind == 'github' else 'token'} {place.token}"
        answer = await self._fetcher.fetch(Request(url, headers=headers))
        if answer.status != 200:
            raise ToolError(self._refusal(answer))
        return answer

    def _json(self, answer: Answer) -> Any:
        if not answer.whole:
            raise ToolError(f"{self._name} answered with more than {MOST_BYTES // 2**20} MiB, which is not read.")
        try:
            return json.loads(self._hidden(answer.body.decode()))
        except (ValueError, RecursionError) as wrong:
            raise self._odd() from wrong

    def _refusal(self, answer: Answer) -> str:
        said, place = self._said(answer), self._place
        known = f"the secret {place.secret}" if place.secret else "no key (the project's settings name no secret)"
        if answer.status == 401:
            return f"{self._name} does not accept {known}{said}. Store a valid token under that name, or name another secret."
        if _is_rationed(answer):
            return f"{self._name} allows no more requests for now{said}. {_when(answer)}"
        if answer.status == 403:
            return f"{self._name} does not allow this with {known}{said}. The token needs the right to read issues and pull requests."
        if answer.status in (404, 410):
            return f"{self._name} has no such thing in {place.repository}{said}, or not for {known}. Look at the number and the repository."
        if answer.status >= 500:
            return f"{self._name} is in trouble itself (HTTP {answer.status}){said}. Try again later."
        return f"{self._name} refused (HTTP {answer.status} {answer.reason}){said}."

    def _said(self, answer: Answer) -> str:
        """The forge's own words, short and in one line."""
        try:
            told = json.loads(answer.body)
        except (ValueError, RecursionError):
            return ""
        message = told.get("message") if isinstance(told, dict) else ""
        return f" ({self._hidden(' '.join(message.split()))[:200]})" if message and isinstance(message, str) else ""

    def _hidden(self, text: str) -> str:
        """Without the token, should the server repeat it."""
        return text.replace(self._place.token, HIDDEN) if self._place.token else text

    def _odd(self) -> ToolError:
        return ToolError(
            f"{self._name} does not answer as a {self._place.kind} server does. Look at the base URL in the project's settings."
        )

    @property
    def _name(self) -> str:
        return self._place.api.partition("://")[2].partition("/")[0]


def _is_rationed(answer: Answer) -> bool:
    spent = answer.headers.get("x-ratelimit-remaining") == "0" or "retry-after" in answer.headers
    return answer.status == 429 or (answer.status == 403 and spent)


def _when(answer: Answer) -> str:
    wait, reset = answer.headers.get("retry-after", ""), answer.headers.get("x-ratelimit-reset", "")
    if wait.isdecimal() and len(wait) < 7:
        return f"Try again in {wait} seconds."
    if reset.isdecimal() and len(reset) < 12:
        return f"Try again after {datetime.fromtimestamp(int(reset), UTC):%Y-%m-%d %H:%M} UTC."
    return "Try again later."
