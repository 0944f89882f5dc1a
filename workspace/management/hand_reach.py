"""What the operator has set up for tools worked by hand: which there are, the web, language and MCP servers. Needs settings, but no app."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from agents.code.finding import Choices
from agents.code.pool import Pool
from agents.code.workspace import WorkspaceCode
from agents.mcp.config import servers_in
from agents.mcp.servers import GivenServers
from agents.ports import Web
from agents.sandboxes.sandbox import Sandbox
from agents.skills.sources import without_host
from agents.tools.profiles import select
from agents.tools.reach import Reach
from agents.web.addresses import ANYWHERE, PUBLIC
from workspace.projects.features import installation


def reach_by_hand(sandbox: Sandbox, pool: Pool, servers: Path | None = None) -> Reach:
    """`servers` is a file of MCP servers. Raises AgentError where it is not right, OSError where it cannot be read.

    An edit starts a language server only where the operator switched the group lsp on; the tool `lsp` always does.
    """
    web = Web(
        allow_private=settings.ALLOW_PRIVATE_URLS, reads_private=settings.ALLOW_PRIVATE_READS,
        keys=settings.SEARCH_KEYS, places=settings.SEARCH_PLACES,
    )  # fmt: skip
    choices = Choices(settings.LANGUAGE_SERVERS, settings.PROGRAM_FOLDERS)
    policy = ANYWHERE if settings.ALLOW_PRIVATE_URLS else PUBLIC
    given = GivenServers(servers_in(servers.read_text()) if servers else {}, sandbox, policy)
    code = WorkspaceCode(sandbox, pool, choices, eager=select(installation()).has("lsp"))
    return Reach(web=web, mcp=given, code=code, skills=without_host(sandbox.files, settings.HAND_SKILLS))
