"""The toolset agent_loop: small tools with plain text answers, one of each kind, for models that need few words."""

from __future__ import annotations
