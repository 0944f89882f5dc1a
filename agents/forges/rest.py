"""Issues and pull requests over the REST APIs of GitHub (v3) and Gitea (v1), which are near relatives."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from typing import Any, Literal, TypeVar

from agents.errors import FetchFailed, ToolError
from agents.forges.asking import Asking, Row
from agents.forges.place import ForgePlace
from agents.forges.telling import comment, heading, item_of, line_in, number_in, remark, review, thread_text
from agents.ports import ForgeItem, ForgeThread
from agents.web.addresses import PUBLIC, Policy

SECONDS = 45.0
"""For all requests of one question."""
MOST_REVIEWS = 20
"""Reviews whose remarks are asked for one by one, as Gitea wants it."""
T = TypeVar("T")
Said = list[tuple[str, str]]


class RestForge:
    """`agents.ports.Forge` for one repository."""

    def __init__(self, place: ForgePlace, policy: Policy = PUBLIC) -> None:
        self._place = place
        self._asking = Asking(place, policy)

    async def title(self) -> str:
        """What the repository calls itself."""
        row = await self._in_time(self._asking.row(""))
        about = line_in(row, "description")
        return f"{line_in(row, 'full_name') or self._place.repository}{f': {about}' if about else ''}"

    async def items(self, kind: Literal["issue", "pr"], state: Literal["open", "closed", "all"] = "open") -> Sequence[ForgeItem]:
        return [item_of(row) for row in await self._in_time(self._listed(kind, state))]

    async def thread(self, kind: Literal["issue", "pr"], number: int) -> ForgeThread:
        return await self._in_time(self._pull(number) if kind == "pr" else self._issue(number))

    async def _in_time(self, asked: Awaitable[T]) -> T:
        try:
            async with asyncio.timeout(SECONDS):
                return await asked
        except TimeoutError as late:
            raise FetchFailed(f"{self._place.repository}: the forge did not answer within {SECONDS:g} seconds.") from late

    async def _listed(self, kind: str, state: str) -> list[Row]:
        github = self._place.kind == "github"
        if kind == "pr":
            order = {"sort": "updated", "direction": "desc"} if github else {"sort": "recentupdate"}
            return (await self._asking.rows("/pulls", state=state, **order))[0]
        order = {"sort": "updated", "direction": "desc"} if github else {"type": "issues"}
        rows, _ = await self._asking.rows("/issues", state=state, **order)
        return [row for row in rows if not row.get("pull_request")]

    async def _issue(self, number: int) -> ForgeThread:
        row = await self._asking.row(f"/issues/{number}")
        if row.get("pull_request"):
            raise ToolError(f"#{number} is a pull request. Read pr://{number}.")
        said, notes = await self._comments(number)
        return ForgeThread(item_of(row), thread_text(heading(row, "issue"), said, notes))

    async def _pull(self, number: int) -> ForgeThread:
        row = await self._asking.row(f"/pulls/{number}")
        (said, notes), (verdicts, remarks), (diff, untold) = await _together(
            self._comments(number), self._reviews(number), self._diff(number)
        )
        text = thread_text(heading(row, "pull request"), [*said, *verdicts, *remarks], [*notes, *untold])
        return ForgeThread(item_of(row), text, diff)

    async def _comments(self, number: int) -> tuple[Said, list[str]]:
        rows, more = await self._asking.rows(f"/issues/{number}/comments")
        return [comment(row) for row in rows], [f"only the first {len(rows)} comments are shown"] if more else []

    async def _reviews(self, number: int) -> tuple[Said, Said]:
        rows, _ = await self._asking.rows(f"/pulls/{number}/reviews")
        verdicts = [told for row in rows if (told := review(row))]
        if self._place.kind == "github":
            lines, _ = await self._asking.rows(f"/pulls/{number}/comments")
        else:
            lines = await self._remarks(number, rows)
        return verdicts, [remark(row) for row in lines]

    async def _remarks(self, number: int, reviews: Sequence[Row]) -> list[Row]:
        found: list[Row] = []
        for row in [row for row in reviews if number_in(row, "comments_count")][:MOST_REVIEWS]:
            rows, _ = await self._asking.rows(f"/pulls/{number}/reviews/{number_in(row, 'id')}/comments")
            found += rows
        return found

    async def _diff(self, number: int) -> tuple[str, list[str]]:
        """The diff, and what is to be said of it. One that is too large for the forge is no reason to show nothing."""
        github = self._place.kind == "github"
        try:
            diff, whole = await self._asking.text(
                f"/pulls/{number}" if github else f"/pulls/{number}.diff", "application/vnd.github.diff" if github else "text/plain"
            )
        except ToolError as refused:
            return "", [f"the changes could not be read: {refused}"]
        return (diff, []) if whole else (diff, ["the changes are cut: they are too large"])


async def _together(*asked: Awaitable[Any]) -> list[Any]:
    """All answers, in order; the first refusal ends the others."""
    tasks = [asyncio.ensure_future(one) for one in asked]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
