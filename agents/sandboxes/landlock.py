"""A sandbox by Landlock and seccomp, for machines without user namespaces: commands run among our own processes.

They read the system and change the workspace only, cannot signal or trace processes that are not theirs, and have no
sockets: none at all without the network, no Unix sockets with it (Landlock does not see those). What stays: they see
which processes run, could change permission bits and times of files elsewhere that belong to our user, and before
Linux 6.12 could signal our processes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from agents.errors import SandboxError
from agents.sandboxes import seccomp
from agents.sandboxes.environment import NETWORK_FILES, SYSTEM_FILES, clean_environment, toolchain_roots
from agents.sandboxes.local import supervised
from agents.sandboxes.private import scratch_folders
from agents.sandboxes.processes import Command
from agents.sandboxes.running import Order, RunningSandbox
from agents.sandboxes.sandbox import Exit, SandboxWish
from agents.sandboxes.supervise import NO_START, NOT_CONFINED

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/proc", "/sys/devices/system/cpu")
IDENTITY_FILES = ("passwd", "group", "hosts", "nsswitch.conf")
DEVICES = ("null", "zero", "full", "random", "urandom", "tty")


class LandlockSandbox(RunningSandbox):
    """Raises SandboxError where the machine has no seccomp numbers of ours or `wish` hides part of the workspace itself."""

    kind = "landlock"

    def __init__(self, wish: SandboxWish) -> None:
        super().__init__(wish)
        self._temporary, self._home = scratch_folders(self.root)
        program = seccomp.program((seccomp.INTERNET, seccomp.INTERNET6, seccomp.NETLINK) if wish.network else ())
        if program is None:
            raise SandboxError("The landlock sandbox knows x86-64 and ARM64 Linux only.")
        self._hidden = [os.path.realpath(path) for path in wish.hidden]
        self._rules = [*self._opened(wish), *_readable(self._hidden), f"filter:{program.hex()}", *([] if wish.network else ["no-tcp"])]

    async def carry_out(self, order: Order, on_output: Callable[[bytes], None] | None) -> Exit:
        ended = await super().carry_out(order, on_output)
        if ended.code == NOT_CONFINED and NO_START.encode() in (ended.output + ended.errors):
            raise SandboxError((ended.output + ended.errors).decode(errors="replace").strip())
        return ended

    def prepared(self, order: Order) -> Command:
        environment = clean_environment(self._home, self._temporary)
        return supervised(order, environment, self.root, [*self._rules, *self._tools(order)])

    def _opened(self, wish: SandboxWish) -> Iterator[str]:
        # The last name is not resolved: whoever opens the rule refuses a link, which a command elsewhere may have put there.
        also = [str(Path(place).parent.resolve() / Path(place).name) for place in wish.also]
        for path in self._hidden:
            if any(path.startswith(f"{place}/") for place in (self.root, *also)):
                raise SandboxError(f"{path} lies in the workspace, where the landlock sandbox cannot hide it.")
        yield f"{'write' if wish.writable else 'read'}:{self.root}"
        yield from (f"write:{place}" for place in (*also, self._temporary, self._home))
        yield from (f"use:/dev/{name}" for name in DEVICES)

    def _tools(self, order: Order) -> Iterator[str]:
        for place in order.tools:
            yield from (f"read:{part}" for part in _without(os.path.realpath(place), self._hidden))


def _readable(hidden: Sequence[str]) -> Iterator[str]:
    files = (f"/etc/{name}" for name in (*SYSTEM_FILES, *NETWORK_FILES, *IDENTITY_FILES))
    for place in (*SYSTEM, *files, *toolchain_roots()):
        if Path(place).exists():
            yield from (f"read:{part}" for part in _without(os.path.realpath(place), hidden))


def _without(place: str, hidden: Sequence[str]) -> Iterator[str]:
    """The place itself, or all parts of it that hold nothing hidden: what is opened once cannot be closed again below."""
    if place in hidden:
        return
    if not any(path.startswith(f"{place}/") for path in hidden):
        yield place
        return
    for part in sorted(Path(place).iterdir()):
        if not part.is_symlink():
            yield from _without(str(part), hidden)
