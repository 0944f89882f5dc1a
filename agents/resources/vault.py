"""vault://: the names of the team's secrets. Their values never become text that an agent could read."""

from __future__ import annotations

from agents.errors import ToolError
from agents.resources.address import Address
from agents.resources.resource import Resource, Surroundings


async def vault(address: Address, around: Surroundings) -> Resource:
    if around.vault is None:
        raise ToolError(f"{address.url} was not found: no secrets can be used from here.")
    if not address.is_root:
        raise ToolError(
            f"{address.url} cannot be read: a secret's value is shown to nobody. Write the address into a bash command, or into one of "
            "its env values, and the command gets the value."
        )
    names = await around.vault.names()
    return Resource(address.url, "\n".join(f"vault://{name}" for name in names) or "The team has stored no secrets.")
