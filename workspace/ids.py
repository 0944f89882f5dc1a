"""Ids that may be shown: random, so that nobody can count or guess them."""

from __future__ import annotations

from uuid import uuid4


def new_id() -> str:
    return str(uuid4())
