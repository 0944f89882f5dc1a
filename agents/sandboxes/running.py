"""What all our sandboxes share: a workspace, its files, and running one order as a command the level has prepared."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from agents.errors import SandboxError
from agents.sandboxes.environment import limited
from agents.sandboxes.files import ConfinedFiles
from agents.sandboxes.processes import Command, run_tree
from agents.sandboxes.programs import RunningProgram
from agents.sandboxes.sandbox import LASTING, Exit, Files, Level, Limits, Program, SandboxWish
from agents.sandboxes.terminals import VARIABLES, at_terminal

USUAL = Limits()


@dataclass(frozen=True)
class Order:
    """What a caller wants run. `folder` is relative to the workspace and was a folder a moment ago."""

    argv: Sequence[str]
    folder: str
    env: Mapping[str, str]
    limits: Limits
    stdin: bytes = b""
    merge: bool = True
    tools: Sequence[str] = ()
    terminal: tuple[int, int] | None = None

    def under_limits(self, beside: int = 0) -> list[str]:
        """The argv that runs it under its limits and at its terminal; `beside` as for `limited`."""
        argv = limited(self.argv, self.limits, beside)
        return at_terminal(argv) if self.terminal else argv


class RunningSandbox(ABC):
    """A `Sandbox` whose level only has to say how an order becomes a command."""

    kind: ClassVar[Level]

    def __init__(self, wish: SandboxWish, mount: str | None = None) -> None:
        self.level: Level = self.kind
        self.network = wish.network
        self.root = os.path.realpath(wish.root)
        self.mount = mount or self.root
        self.writable = wish.writable
        self.files: Files = ConfinedFiles(self.root, self.mount, writable=wish.writable)

    async def run(
        self,
        argv: Sequence[str],
        *,
        cwd: str = ".",
        env: Mapping[str, str] | None = None,
        stdin: bytes = b"",
        limits: Limits = USUAL,
        merge: bool = True,
        on_output: Callable[[bytes], None] | None = None,
        tools: Sequence[str] = (),
        terminal: tuple[int, int] | None = None,
    ) -> Exit:
        if terminal and stdin:
            raise ValueError("Nobody types at a terminal: it takes no stdin.")
        variables = {**(VARIABLES if terminal else {}), **(env or {})}
        order = Order(argv, working_folder(self.files, cwd), variables, limits, stdin, merge, tools, terminal)
        return await self.carry_out(order, on_output)

    async def start(
        self,
        argv: Sequence[str],
        *,
        cwd: str = ".",
        env: Mapping[str, str] | None = None,
        limits: Limits = LASTING,
        tools: Sequence[str] = (),
    ) -> Program:
        return await self.set_going(Order(argv, working_folder(self.files, cwd), env or {}, limits, tools=tools))

    async def carry_out(self, order: Order, on_output: Callable[[bytes], None] | None) -> Exit:
        return await run_tree(self.prepared(order), order.limits, on_output)

    async def set_going(self, order: Order) -> Program:
        return await RunningProgram.opened(self.prepared(order), order.limits)

    @abstractmethod
    def prepared(self, order: Order) -> Command:
        """The command that carries out `order` at this level."""


def working_folder(files: Files, cwd: str) -> str:
    """`cwd` inside the workspace. Raises SandboxError when it is no folder, PathRefused when it is outside."""
    try:
        found = files.stat(cwd)
    except OSError as wrong:
        raise SandboxError(f"The command cannot run in {cwd!r}: {wrong.strerror}.") from wrong
    if found.kind != "folder":
        raise SandboxError(f"The command cannot run in {cwd!r}: it is not a folder.")
    return found.path
