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
from agents.sandboxes.processes import Command
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
        environment = clean_environment(self.root, tempfile.gettempdir(), order.env)
        argv = supervised(order.under_limits(running_tasks()))
        return Command(argv, environment, f"{self.root}/{order.folder}", order.stdin, order.merge, STOP, terminal=order.terminal)


def supervised(argv: Sequence[str], rules: Sequence[str] = ()) -> list[str]:
    """The argv that runs `argv` under a supervisor where the system can adopt orphans; elsewhere its process group must do."""
    if sys.platform != "linux":
        return list(argv)
    return [sys.executable, "-I", "-S", "-c", SUPERVISOR, OUR_CODE, str(os.getpid()), str(len(rules)), *rules, *argv]
