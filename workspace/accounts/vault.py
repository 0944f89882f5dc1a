"""A team's secrets for the commands of its agents: `agents.ports.Vault` for the host."""

from __future__ import annotations

from collections.abc import Sequence

from channels.db import DatabaseSyncToAsync

from agents.errors import ToolError
from workspace.accounts.models import Secret, Team
from workspace.errors import AppError


class TeamVault:
    """Reads anew at each call: what was deleted meanwhile is not given any more."""

    def __init__(self, team: Team) -> None:
        self._team = team

    async def names(self) -> Sequence[str]:
        found: Sequence[str] = await DatabaseSyncToAsync(self._names, thread_sensitive=False)()
        return found

    async def value(self, name: str) -> str | None:
        found: str | None = await DatabaseSyncToAsync(self._value, thread_sensitive=False)(name)
        return found

    def _names(self) -> Sequence[str]:
        return list(self._team.secrets.order_by("name").values_list("name", flat=True))

    def _value(self, name: str) -> str | None:
        try:
            return Secret.objects.values_of(self._team, {name}).get(name)
        except AppError as unreadable:
            raise ToolError(f"The secret {name} cannot be used. {unreadable}") from unreadable
