"""Trying an MCP server: connect, ask what it offers, and say what is wrong."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Any, cast

from django.conf import settings
from django.utils import timezone

from agents.errors import AgentError, SandboxError
from agents.mcp.limits import Patience
from agents.mcp.listing import Listing
from agents.mcp.pool import Pool, Start
from agents.mcp.server import Server
from agents.sandboxes.choose import open_sandbox
from agents.sandboxes.sandbox import Level, Sandbox, SandboxWish
from agents.web.addresses import ANYWHERE, PUBLIC, Policy
from workspace.connections.models import McpServer
from workspace.connections.secrets import described
from workspace.connections.tools import kept_tools
from workspace.projects.models import Project

SECONDS = 15.0
Resources = list[tuple[str, str]]


@dataclass(frozen=True)
class Found:
    """`error` is "" where nothing is wrong; with `ok` it tells of single tools that cannot be used."""

    ok: bool
    error: str
    seconds: float
    tools: tuple[Mapping[str, Any], ...] = ()
    resources: tuple[Mapping[str, str], ...] = ()


def policy() -> Policy:
    """Where servers at addresses may be."""
    return ANYWHERE if settings.ALLOW_PRIVATE_URLS else PUBLIC


def check(row: McpServer, project: Project | None) -> Found:
    """Within 15 seconds, in the project's sandbox, or in an empty folder's where there is no project. What it offers is kept."""
    began = monotonic()
    try:
        server = described(row)
        with _place(project) as sandbox:
            listing, resources = asyncio.run(_asked(server, _starter(server, sandbox)))
    except (AgentError, OSError) as wrong:
        return Found(False, str(wrong), round(monotonic() - began, 2))
    keep(row, listing)
    return Found(
        True, faults_told(listing), round(monotonic() - began, 2),
        tuple({"name": tool.name, "description": tool.description} for tool in listing.tools.values()),
        tuple({"uri": uri, "name": name} for uri, name in resources),
    )  # fmt: skip


def keep(row: McpServer, listing: Listing) -> None:
    """Remember what the server offers, for sessions that have not connected to it yet."""
    McpServer.objects.filter(pk=row.pk).update(tools=kept_tools(listing), listed=timezone.now())


def faults_told(listing: Listing) -> str:
    return " ".join(f"Its tool {name} is left out: {fault}." for name, fault in listing.faults.items())


@contextmanager
def _place(project: Project | None) -> Iterator[Sandbox]:
    if project is not None:
        yield project.open_sandbox()
        return
    with tempfile.TemporaryDirectory(prefix="mcp-check-") as folder:
        yield open_sandbox(
            SandboxWish(folder, level=cast("Level | None", settings.SANDBOX or None), hidden=(str(settings.COUNTERSIGN_HOME),))
        )


def _starter(server: Server, sandbox: Sandbox) -> Start:
    return lambda: sandbox.start(server.command, env=server.env)


async def _asked(server: Server, start: Start) -> tuple[Listing, Resources]:
    connection = None
    try:
        async with asyncio.timeout(SECONDS):
            connection = await Pool(Patience(connect=SECONDS)).fresh(server, start, policy())
            return await connection.listed(), await connection.resources()
    except TimeoutError as late:
        raise server.wrong(f"did not tell what it offers within {SECONDS:g} seconds.") from late
    except SandboxError as wrong:
        raise server.wrong(f"cannot be started: {wrong}") from wrong
    finally:
        if connection is not None:
            await connection.end()
