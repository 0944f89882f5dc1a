"""What the operator has set up for tools worked by hand: which there are, the web, language servers. Needs settings, but no app."""

from __future__ import annotations

from django.conf import settings

from agents.code.finding import Choices
from agents.code.pool import Pool
from agents.code.workspace import WorkspaceCode
from agents.ports import Web
from agents.sandboxes.sandbox import Sandbox
from agents.tools.profiles import select
from agents.tools.reach import Reach
from workspace.projects.features import installation


def reach_by_hand(sandbox: Sandbox, pool: Pool) -> Reach:
    """An edit starts a language server only where the operator switched the group lsp on; the tool `lsp` always does."""
    web = Web(allow_private=settings.ALLOW_PRIVATE_URLS, keys=settings.SEARCH_KEYS, places=settings.SEARCH_PLACES)
    choices = Choices(settings.LANGUAGE_SERVERS, settings.PROGRAM_FOLDERS)
    return Reach(web=web, code=WorkspaceCode(sandbox, pool, choices, eager=select(installation()).has("lsp")))
