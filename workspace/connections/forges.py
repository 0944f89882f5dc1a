"""The forge of a project: connecting it, trying it, and reading it as its agents do (`agents.ports.Forge` for the host)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, cast

from channels.db import DatabaseSyncToAsync
from django.utils import timezone

from agents import ports
from agents.errors import AgentError, ToolError
from agents.forges.place import ForgeKind, ForgePlace, complaints
from agents.forges.rest import RestForge
from agents.ports import ForgeItem, ForgeThread
from workspace.accounts.models import Secret, User
from workspace.connections.checking import policy
from workspace.connections.models import Forge
from workspace.errors import AppError, Invalid
from workspace.projects.models import Project

NONE = "This project is connected to no forge any more."


@dataclass(frozen=True)
class Found:
    """`title` is what the repository calls itself, `error` "" where nothing is wrong."""

    ok: bool
    error: str = ""
    title: str = ""


def connect_forge(project: Project, person: User | None, *, kind: str, base_url: str, repository: str, secret: str) -> Forge:
    """A project has one; connecting another replaces it. Raises Invalid."""
    wrong = complaints(kind, base_url, repository)
    if secret and not project.team.secrets.filter(name=secret).exists():
        wrong["secret"] = [f"The team has no secret {secret}. Store the token under that name first."]
    if wrong:
        raise Invalid("This is no forge", next(iter(wrong.values()))[0], fields=wrong)
    described = {"kind": kind, "base_url": base_url, "repository": repository, "secret": secret}
    row, _ = Forge.objects.update_or_create(project=project, defaults={**described, "created_by": person, "created": timezone.now()})
    return row


def check_forge(project: Project) -> Found:
    """Ask the repository for its name."""
    try:
        return Found(True, title=asyncio.run(RestForge(place_of(project), policy()).title()))
    except AgentError as wrong:
        return Found(False, str(wrong))


def forge_for(project: Project) -> ports.Forge | None:
    """None where the project is connected to none."""
    return ConnectedForge(project) if Forge.objects.filter(project=project).exists() else None


class ConnectedForge:
    """Reads how the project is connected at each call: a token that was taken away is not used any more."""

    def __init__(self, project: Project) -> None:
        self._project = project

    async def items(self, kind: Literal["issue", "pr"], state: Literal["open", "closed", "all"] = "open") -> Sequence[ForgeItem]:
        return await (await self._opened()).items(kind, state)

    async def thread(self, kind: Literal["issue", "pr"], number: int) -> ForgeThread:
        return await (await self._opened()).thread(kind, number)

    async def _opened(self) -> RestForge:
        place: ForgePlace = await DatabaseSyncToAsync(place_of, thread_sensitive=False)(self._project)
        return RestForge(place, policy())


def place_of(project: Project) -> ForgePlace:
    """Where the project's forge is, its token in place. Raises ToolError."""
    row = Forge.objects.filter(project=project).first()
    if row is None:
        raise ToolError(NONE)
    return ForgePlace(cast(ForgeKind, row.kind), row.repository, row.base_url, _token(project, row.secret), row.secret)


def _token(project: Project, name: str) -> str:
    try:
        have = Secret.objects.values_of(project.team, {name} if name else ())
    except AppError as unreadable:
        raise ToolError(f"The forge of this project: {unreadable}") from unreadable
    if name and name not in have:
        raise ToolError(f"The forge of this project needs the secret {name}, which the team does not have. Its admins can store it.")
    return have.get(name, "").strip()
