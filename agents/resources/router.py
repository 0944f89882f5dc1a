"""Which scheme is read how."""

from __future__ import annotations

from agents.errors import ToolError
from agents.resources.address import parse
from agents.resources.artifacts import artifact
from agents.resources.delegated import agent
from agents.resources.earlier import history, memory
from agents.resources.files import local
from agents.resources.resource import Resource, Scheme, Surroundings
from agents.resources.rules import rule
from agents.resources.servers import mcp
from agents.resources.skills import skill
from agents.resources.threads import issue, pr
from agents.resources.vault import vault

SCHEMES: dict[str, Scheme] = {
    "local": local, "skill": skill, "rule": rule, "artifact": artifact, "agent": agent, "history": history, "memory": memory,
    "mcp": mcp, "issue": issue, "pr": pr, "vault": vault,
}  # fmt: skip


async def read(url: str, around: Surroundings) -> Resource:
    """What the URL stands for, whole. Raises ToolError with a sentence that says what to do."""
    address = parse(url)
    scheme = SCHEMES.get(address.scheme)
    if scheme is None:
        known = ", ".join(f"{name}://" for name in SCHEMES)
        raise ToolError(
            f"{address.url} was not found: there is no such resource, or no session router for {address.scheme}://. Known: {known}"
        )
    return await scheme(address, around)
