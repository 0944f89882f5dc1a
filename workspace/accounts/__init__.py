"""WHO: users, teams, memberships, roles, API tokens, provider keys."""

from __future__ import annotations
