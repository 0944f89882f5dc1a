"""Which sandbox: the strongest that really works on this machine, found out by running a command in it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial

from agents.errors import AgentError, SandboxError
from agents.sandboxes.bubblewrap import BubblewrapSandbox, Variant, variants
from agents.sandboxes.landlock import LandlockSandbox
from agents.sandboxes.local import LocalSandbox
from agents.sandboxes.private import private_folder
from agents.sandboxes.sandbox import Level, Limits, Sandbox, SandboxWish

LEVELS: tuple[Level, ...] = ("bubblewrap", "landlock", "local")
"""Strongest first."""

NOTES: dict[Level, str] = {
    "bubblewrap": "Commands see only the workspace and a read-only system; the network is off unless the project allows it.",
    "landlock": "Commands read the system and change only the workspace; the network is off unless the project allows it.",
    "local": "Commands are not confined: they run with this server's own rights, limited only in time and output.",
}


def notes(level: Level) -> str:
    """One sentence for people: what is confined at this level."""
    return NOTES[level]


@cache
def strongest() -> Level:
    """The strongest level that works here; tried once a process, in well under 150 ms."""
    return next(level for level in LEVELS if works(level))


def is_weaker(level: Level) -> bool:
    """Whether something stronger than this works here."""
    return LEVELS.index(level) > LEVELS.index(strongest())


def works(level: Level) -> bool:
    """Whether commands can really be run at this level on this machine."""
    return level == "local" or (level == "bubblewrap" and working_variant() is not None) or (level == "landlock" and landlock_works())


def open_sandbox(wish: SandboxWish) -> Sandbox:
    """The sandbox `wish` asks for, the strongest when it does not say. Raises SandboxError when its level does not work here."""
    level = wish.level or strongest()
    variant = working_variant() if level == "bubblewrap" else None
    if not works(level):
        raise SandboxError(f"The sandbox level {level!r} does not work on this machine; the strongest that does is {strongest()!r}.")
    if variant:
        return BubblewrapSandbox(wish, variant)
    return LandlockSandbox(wish) if level == "landlock" else LocalSandbox(wish)


@cache
def working_variant() -> Variant | None:
    """The first bubblewrap that can run a command here."""
    if sys.platform != "linux":
        return None
    return next((variant for variant in variants() if _runs(partial(BubblewrapSandbox, _probe_wish(), variant))), None)


@cache
def landlock_works() -> bool:
    """Whether a command can run confined by Landlock here."""
    return sys.platform == "linux" and _runs(lambda: LandlockSandbox(_probe_wish()))


def _probe_wish() -> SandboxWish:
    return SandboxWish(str(private_folder("probe")))


def _runs(make: Callable[[], Sandbox]) -> bool:
    """Whether a command runs in the sandbox it makes; in a thread, for the caller may be inside an event loop."""
    with ThreadPoolExecutor(1) as thread:
        try:
            return thread.submit(lambda: asyncio.run(make().run(["/bin/true"], limits=Limits(seconds=5)))).result().code == 0
        except AgentError:
            return False
