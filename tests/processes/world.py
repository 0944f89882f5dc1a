"""A whole installation in a temporary folder: real Redis, web, worker and scheduler, each of which a test may kill.

The programs are those of `manage.py up`; only the supervisor is missing, so that what is killed stays dead until a test starts it.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import redis
from redis.exceptions import RedisError

from tests.processes.person import Person
from workspace.embedded import redis_address
from workspace.home import prepare_home
from workspace.programs import bundled_redis, programs

ROOT = Path(__file__).resolve().parents[2]
LEASE = 3
"""Seconds of silence after which a worker counts as lost, in these tests."""
T = TypeVar("T")

OURS = ("REDIS_URL", "DATABASE_URL", "SECRET_KEY", "BASE_URL", "ALLOWED_HOSTS", "DEBUG", "DJANGO_SETTINGS_MODULE")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def until(found: Callable[[], T], why: str, seconds: float = 30.0) -> T:
    """The first true thing `found` gives. Fails with the reason when none comes in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if result := found():
            return result
        time.sleep(0.02)
    raise AssertionError(f"{why} did not happen within {seconds:g} s")


class World:
    """One installation. `environment` is added to that of every program."""

    def __init__(self, home: Path, **environment: str) -> None:
        self.home = home
        self.port = free_port()
        kept = {name: value for name, value in os.environ.items() if name not in OURS}
        self.environment = {
            **kept,
            "COUNTERSIGN_HOME": str(home),
            "PORT": str(self.port),
            "BASE_URL": f"http://127.0.0.1:{self.port}",
            "COUNTERSIGN_LEASE_SECONDS": str(LEASE),
            "DJANGO_SETTINGS_MODULE": "workspace.settings",
            "PYTHONWARNINGS": "ignore",
            **environment,
        }
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self.visitor = Person(f"http://127.0.0.1:{self.port}")
        self.people = [self.visitor]
        prepare_home(home)
        own = (bundled_redis(home), *programs(home, "127.0.0.1", self.port))
        self.programs = {program.name: program for program in own if program is not None}

    def __enter__(self) -> World:
        self.manage("migrate", "--verbosity", "0")
        self.manage("demo")
        self.start("redis", "web", "worker", "scheduler")
        return self

    def __exit__(self, *wrong: object) -> None:
        for person in self.people:
            person.http.close()
        for name in [*self.running]:
            self.kill(name)

    def manage(self, *arguments: str) -> str:
        """What a command of manage.py prints. Fails when it fails."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments], cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def start(self, *names: str) -> None:
        """Start these programs and return once they answer."""
        for name in names:
            log = (self.home / "logs" / f"{name}.log").open("ab")
            with log:
                self.running[name] = subprocess.Popen(
                    self.programs[name].argv, cwd=ROOT, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                    start_new_session=True,
                )  # fmt: skip
            if name == "redis":
                until(self._redis_answers, "Redis answering")
        if {"web", "worker"} & set(names) and {"redis", "web", "worker"} <= set(self.running):
            until(self.healthy, "everything answering", 60)

    def kill(self, name: str) -> None:
        """End a program at once, without a chance to say anything. Its children see to themselves, as they must."""
        process = self.running.pop(name)
        process.kill()
        process.wait(30)

    def end(self, name: str) -> None:
        """Ask a program to end, as the supervisor does, and wait until it has."""
        process = self.running.pop(name)
        process.terminate()
        process.wait(30)

    def healthy(self) -> bool:
        return self.visitor.try_get("/api/health/") == 200

    def _redis_answers(self) -> bool:
        with suppress(RedisError, OSError), redis.from_url(redis_address(self.home)) as client:
            return bool(client.ping())
        return False

    def person(self, name: str) -> Person:
        """Somebody of the demo team, signed in by a fresh link."""
        person = Person(self.visitor.address)
        self.people.append(person)
        person.sign_in(next(word for word in self.manage("signin", name).split() if word.startswith("http")))
        return person

    def log(self, name: str) -> str:
        return (self.home / "logs" / f"{name}.log").read_text(errors="replace")
