"""Names for ids: what a log needs to say who did something."""

from __future__ import annotations

from collections.abc import Iterable

from workspace.accounts.models import User


def names(public_ids: Iterable[str]) -> dict[str, str]:
    """Public id → shown name, for those that exist."""
    return {person.public_id: person.shown_name for person in User.objects.filter(public_id__in=set(public_ids))}
