"""The product as people start it: `manage.py up` on a data folder of its own, and whoever opens its pages."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

from tests.processes.world import OURS, ROOT, free_port, until


class Product:
    """One `up`. Its output is collected as it comes."""

    def __init__(self, home: Path, **environment: str) -> None:
        self.port = free_port()
        self.address = f"http://localhost:{self.port}"
        kept = {name: value for name, value in os.environ.items() if name not in OURS}
        self.environment = {**kept, "COUNTERSIGN_HOME": str(home), "PORT": str(self.port), "PYTHONUNBUFFERED": "1", **environment}
        self.lines: list[str] = []

    def __enter__(self) -> Product:
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "up"], cwd=ROOT, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        until(lambda: "Ctrl-C" in self.said or self.process.poll() is not None, "the greeting", 90)
        assert self.process.poll() is None, self.said
        return self

    def __exit__(self, *wrong: object) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)
        self.reader.join(5)
        assert self.process.stdout is not None
        self.process.stdout.close()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line)

    @property
    def said(self) -> str:
        return "".join(self.lines)

    def printed_link(self, name: str) -> str:
        """The sign-in link that the greeting printed for this person."""
        found = re.search(rf"^\s+{name}\s+(http\S+)", self.said, re.MULTILINE)
        assert found, self.said
        return found[1]

    def link(self, username: str) -> str:
        """A fresh sign-in link."""
        made = subprocess.run(
            [sys.executable, "manage.py", "signin", username], cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False
        )
        assert made.returncode == 0, made.stderr
        return made.stdout.strip().splitlines()[-1]

    def children(self) -> dict[str, int]:
        """The process ids of the programs it keeps, by what they are."""
        listed = subprocess.run(["ps", "-ww", "-eo", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout
        found = {}
        for row in listed.splitlines():
            pid, parent, argv = row.split(None, 2)
            if int(parent) == self.process.pid:
                words = {"daphne": "web", " beat ": "scheduler", " worker --": "worker", "valkey": "redis", "redis": "redis"}
                found[next((name for word, name in words.items() if word in argv), argv)] = int(pid)
        return found
