"""An MCP server as it is connected to."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Literal

from agents.errors import ToolError

Transport = Literal["stdio", "http"]
HIDDEN = "[redacted]"
TELLING = ("TOKEN", "KEY", "SECRET", "PASSWORD", "AUTHORIZATION", "COOKIE")
SHORTEST_SECRET = 4
"""Characters below which a secret is not looked for: it would be found everywhere."""


@dataclass(frozen=True)
class Server:
    """`command` and `env` are for a program, `url` and `headers` for an address. `secrets` is what must not be read in anything it says."""

    name: str
    transport: Transport
    command: tuple[str, ...] = ()
    url: str = ""
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)

    @property
    def fingerprint(self) -> str:
        """The same for two that are connected to in the same way."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()

    def wrong(self, what: str) -> ToolError:
        """The error to raise: it names the server and tells no secret."""
        return ToolError(self.without_secrets(f"MCP server {self.name} {what}"))

    def without_secrets(self, text: str) -> str:
        """Also where they stand in JSON."""
        for secret in sorted(self.secrets, key=len, reverse=True):
            if len(secret) >= SHORTEST_SECRET:
                text = text.replace(secret, HIDDEN).replace(json.dumps(secret)[1:-1], HIDDEN)
        return text


def secret_by_name(values: Mapping[str, str]) -> tuple[str, ...]:
    """Those of the values that are secrets, to go by what they are called."""
    return tuple(value for name, value in values.items() if any(word in name.upper() for word in TELLING))
