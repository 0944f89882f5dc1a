"""What stands outside a session and may be read from in it: past sessions, a forge's issues and pull requests, the team's secrets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol


@dataclass(frozen=True)
class PastSession:
    """A session of the same project. Times in UTC."""

    session_id: str
    title: str
    state: str
    active: datetime


class Past(Protocol):
    """The sessions that the person this one acts for may see, in its project. Contract: rights are checked at every call."""

    async def sessions(self, limit: int = 100) -> Sequence[PastSession]:
        """The latest first, without sub-agents and without this session itself."""

    async def transcript(self, session_id: str) -> str | None:
        """What was said and done in it as readable text; None where there is no such session for this person."""


@dataclass(frozen=True)
class ForgeItem:
    """An issue or a pull request in a list."""

    number: int
    title: str
    state: str
    author: str
    updated: str


@dataclass(frozen=True)
class ForgeThread:
    """An issue or pull request with what was said about it, as Markdown; of a pull request also its changes as a unified diff."""

    item: ForgeItem
    text: str
    diff: str = ""


class Forge(Protocol):
    """The project's repository at GitHub, Gitea or the like.

    Contract: every method ends within its time limit and raises nothing but ToolError, whose text says what to do.
    """

    async def items(self, kind: Literal["issue", "pr"], state: Literal["open", "closed", "all"] = "open") -> Sequence[ForgeItem]: ...

    async def thread(self, kind: Literal["issue", "pr"], number: int) -> ForgeThread: ...


class Vault(Protocol):
    """The team's secrets by name, for a command's environment only."""

    async def names(self) -> Sequence[str]: ...

    async def value(self, name: str) -> str | None: ...
