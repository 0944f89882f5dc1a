"""What commands need besides a sandbox, as tests give it: places for artifacts and jobs, and a vault with one secret."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from agents.errors import ToolError
from agents.host import InMemoryArtifacts
from agents.ports import JobStatus, JobWish
from agents.tools.registry import toolset
from agents.tools.tool import ToolContext, ToolResult
from tests.agents.tools.hands import Hands

SECRET = "correct horse battery"


class Board:
    """Jobs that never run: what was wished for, and where each is said to stand."""

    def __init__(self) -> None:
        self.wishes: list[JobWish] = []
        self.standing: dict[str, JobStatus] = {}

    async def start(self, wish: JobWish) -> JobStatus:
        self.wishes.append(wish)
        self.standing["j1"] = JobStatus("j1", wish.command, "running")
        return self.standing["j1"]

    async def status(self, job_id: str) -> JobStatus | None:
        return self.standing.get(job_id)

    async def cancel(self, job_id: str) -> JobStatus | None:
        return await self.status(job_id)


class Safe:
    """A vault with one secret."""

    async def names(self) -> Sequence[str]:
        return ["TOKEN"]

    async def value(self, name: str) -> str | None:
        return SECRET if name == "TOKEN" else None


def furnished(hands: Hands, artifacts: InMemoryArtifacts, jobs: Board) -> Hands:
    hands.reach = replace(hands.reach, artifacts=artifacts, jobs=jobs, vault=Safe())
    return hands


def context(hands: Hands, **flags: Any) -> ToolContext:
    return replace(hands.context(), flags=flags, tools=toolset("atomic"))


async def run(hands: Hands, at: ToolContext, **args: Any) -> ToolResult:
    try:
        return await hands.tool("bash", args).run(at)
    except ToolError as refused:
        return ToolResult("bash", error=str(refused))
