"""A sandbox that confines nothing but time, output and the process tree: for machines where nothing stronger works."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from agents.sandboxes.crowd import running_tasks
from agents.sandboxes.environment import clean_environment
from agents.sandboxes.processes import TOLD, Command
from agents.sandboxes.running import Order, RunningSandbox
from agents.sandboxes.sandbox import SandboxWish

OUR_CODE = str(Path(__file__).parents[2])
SUPERVISOR = "import sys; sys.path.insert(0, sys.argv[1]); from agents.sandboxes.supervise import main; main(sys.argv[2:])"
STOP = signal.SIGTERM if sys.platform == "linux" else signal.SIGKILL


class LocalSandbox(RunningSandbox):
    """Commands run as we do, in the real workspace, with a clean environment. The network is always there."""

    kind = "local"

    def __init__(self, wish: SandboxWish) -> None:
        super().__init__(wish)
        self.network = True

    def prepared(self, order: Order) -> Command:
        return supervised(order, clean_environment(self.root, tempfile.gettempdir()), self.root)


def supervised(order: Order, environment: dict[str, str], root: str, rules: Sequence[str] = ()) -> Command:
    """The order under a supervisor where the system can adopt orphans; elsewhere its process group must do.

    The order's own variables are set for the command alone: some of them would make the supervisor load other code.
    """
    argv, folder = order.under_limits(running_tasks()), f"{root}/{order.folder}"
    if sys.platform != "linux":
        return Command(argv, {**environment, **order.env}, folder, order.stdin, order.merge, STOP, terminal=order.terminal)
    words = [sys.executable, "-I", "-S", "-c", SUPERVISOR, OUR_CODE, str(os.getpid()), TOLD, str(len(rules)), *rules, *argv]
    told = "".join(f"{name}={value}\0" for name, value in order.env.items()).encode(errors="surrogateescape")
    return Command(words, environment, folder, order.stdin, order.merge, STOP, terminal=order.terminal, told=told)
