"""Which providers a team can use: with a key of its own, else with the installation's."""

from __future__ import annotations

from typing import Any

from django.conf import settings

from agents.providers.catalog import PROVIDERS, ProviderInfo
from workspace.accounts.models import ProviderKey, Team

KNOWN = frozenset(PROVIDERS)


def describe_providers(team: Team) -> list[dict[str, Any]]:
    """Every provider with whether this team could use it now, and what is missing where it could not."""
    own = {row.provider: row for row in team.provider_keys.all()}
    return [_describe(info, own.get(info.name)) for info in PROVIDERS.values()]


def default_model(team: Team, provider: str) -> str:
    """The model to ask where nobody has named one: that of the team's key, else the provider's own default."""
    own = ProviderKey.objects.in_team(team).filter(provider=provider).first()
    return (own.model if own else "") or (PROVIDERS[provider].default_model if provider in PROVIDERS else "")


def _describe(info: ProviderInfo, own: ProviderKey | None) -> dict[str, Any]:
    ours = settings.PROVIDER_KEYS.get(info.name, {})
    has_key = bool(own.sealed if own else ours.get("key"))
    has_address = bool(own.base_url if own else ours.get("base_url"))
    ready = (has_key or not info.needs_key) and (has_address or not info.needs_base_url)
    model = (own.model if own else "") or info.default_model
    missing = "Add an address for it in the team's settings." if info.needs_base_url else "Add a key for it in the team's settings."
    return {
        "name": info.name,
        "label": info.label,
        "models": list(dict.fromkeys([model, *info.models] if model else info.models)),
        "default_model": model,
        "ready": ready,
        "note": info.note if ready else missing,
    }
