"""Putting a team's secrets in where a server's description names them as ${NAME}."""

from __future__ import annotations

import re
from collections.abc import Mapping

from agents.errors import ToolError
from agents.mcp.server import Server, secret_by_name
from workspace.accounts.models import Secret
from workspace.connections.models import McpServer
from workspace.errors import AppError

REFERENCE = re.compile(r"\$\{([A-Z][A-Z0-9_]{0,99})\}")


def described(row: McpServer) -> Server:
    """The server as it is connected to, secrets in place. Raises ToolError naming each secret the team does not have."""
    wanted = {name for value in (*row.env.values(), *row.headers.values()) for name in REFERENCE.findall(value)}
    try:
        have = Secret.objects.values_of(row.team, wanted)
    except AppError as unreadable:
        raise ToolError(f"MCP server {row.name}: {unreadable}") from unreadable
    if missing := sorted(wanted - set(have)):
        names = ", ".join(missing)
        raise ToolError(f"MCP server {row.name} needs the secret {names}, which the team does not have. Its admins can store it.")
    plain = {name: value for name, value in {**row.env, **row.headers}.items() if not REFERENCE.search(value)}
    return Server(
        name=row.name, transport="stdio" if row.transport == "stdio" else "http", command=tuple(row.command), url=row.url,
        env=_filled(row.env, have), headers=_filled(row.headers, have), secrets=(*sorted(have.values()), *secret_by_name(plain)),
    )  # fmt: skip


def _filled(values: Mapping[str, str], secrets: Mapping[str, str]) -> dict[str, str]:
    return {name: REFERENCE.sub(lambda found: secrets[found[1]], value) for name, value in values.items()}
