"""MCP servers as a file lists them: the `mcpServers` object that MCP clients have in common."""

from __future__ import annotations

import json

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agents.errors import AgentError
from agents.mcp.names import NAME, NAME_RULE
from agents.mcp.server import Server, secret_by_name


class _Entry(BaseModel):
    model_config = ConfigDict(extra="ignore")

    command: str = ""
    args: list[str] = []
    env: dict[str, str] = {}
    url: str = ""
    headers: dict[str, str] = {}
    disabled: bool = False


class _File(BaseModel):
    servers: dict[str, _Entry] = Field(alias="mcpServers")


def servers_in(text: str) -> dict[str, Server]:
    """By name, those that are not disabled. Raises AgentError with a sentence."""
    try:
        entries = _File.model_validate(json.loads(text)).servers
    except ValidationError as wrong:
        first = wrong.errors(include_url=False, include_input=False)[0]
        raise AgentError(f"The file of MCP servers is not right: {'.'.join(map(str, first['loc']))}: {first['msg']}.") from wrong
    except ValueError as wrong:
        raise AgentError(f"The file of MCP servers is no JSON: {wrong}.") from wrong
    return {name: _server(name, entry) for name, entry in entries.items() if not entry.disabled}


def _server(name: str, entry: _Entry) -> Server:
    if not NAME.fullmatch(name):
        raise AgentError(f"An MCP server cannot be called {name!r}. {NAME_RULE}")
    if bool(entry.command) == bool(entry.url):
        raise AgentError(f"The MCP server {name} needs either a command or a url.")
    return Server(
        name, "http" if entry.url else "stdio", (entry.command, *entry.args) if entry.command else (), entry.url, entry.env, entry.headers,
        secrets=secret_by_name({**entry.env, **entry.headers}),
    )  # fmt: skip
