"""How a team's sessions reach the web: whose search keys they use, and where the operator lets them go."""

from __future__ import annotations

from django.conf import settings

from agents.ports import Web
from workspace.accounts.models import Team

SECRETS = {"SERPAPI_API_KEY": "serpapi", "BRAVE_SEARCH_API_KEY": "brave", "TAVILY_API_KEY": "tavily"}
"""The names of a team's secrets that are keys of search backends."""


def web_for(team: Team | None) -> Web:
    """The team's own keys before the installation's; None is whoever works tools by hand on the server."""
    own = team.secrets.filter(name__in=SECRETS) if team else ()
    keys = {**settings.SEARCH_KEYS, **{SECRETS[secret.name]: secret.value.strip() for secret in own}}
    return Web(
        allow_private=settings.ALLOW_PRIVATE_URLS, reads_private=settings.ALLOW_PRIVATE_READS, keys=keys, places=settings.SEARCH_PLACES,
    )  # fmt: skip
