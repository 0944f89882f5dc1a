"""Start everything with one command: Redis, web, worker and scheduler; and end them together."""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
from argparse import ArgumentParser
from contextlib import suppress
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import redis.asyncio
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import OperationalError, connections
from redis.exceptions import RedisError

from agents.sandboxes.choose import strongest
from workspace.accounts.credentials import sign_in_address
from workspace.accounts.models import User
from workspace.embedded import redis_address
from workspace.home import only_one, prepare_home
from workspace.programs import bundled_redis, programs
from workspace.sessions.models import Session
from workspace.supervision import Program, Supervisor

PATIENCE = 60.0
"""Seconds in which everything should have answered once; after them a hint is printed, and the programs go on."""

DEMO_PEOPLE = ("alice", "bob")


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (0.0.0.0 for all)")

    def handle(self, *args: Any, host: str, **options: Any) -> None:
        home = settings.COUNTERSIGN_HOME
        prepare_home(home)
        with only_one(home):
            check_port(host, settings.PORT)
            self.say("Preparing the database")
            links = prepare_database()
            asyncio.run(self.keep_going(home, host, links))

    def say(self, line: str) -> None:
        with suppress(BrokenPipeError):
            self.stdout.write(line)
            self.stdout.flush()

    async def keep_going(self, home: Path, host: str, links: dict[str, str]) -> None:
        """From the first program's start to the last one's end."""
        stop = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        supervisor = Supervisor(home / "logs", self.say)
        try:
            self.say("Starting")
            if redis_address(home) == settings.REDIS_URL:
                supervisor.start(redis_program(home))
            await redis_answers(settings.REDIS_URL)
            for program in programs(home, host, settings.PORT):
                supervisor.start(program)
            greeting = asyncio.create_task(self.greet(host, links))
            await stop.wait()
            greeting.cancel()
            self.say("Stopping")
        finally:
            await supervisor.stop()

    async def greet(self, host: str, links: dict[str, str]) -> None:
        ready = await everything_answers(host, settings.PORT)
        logs = settings.COUNTERSIGN_HOME / "logs"
        self.say(greeting(links) if ready else f"Not everything answers yet. The lines above and the files in {logs} may say why.")


def check_port(host: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as wrong:
            sys.exit(f"Port {port} cannot be used ({wrong.strerror}). Choose another one: PORT={port + 1} make run")


def prepare_database() -> dict[str, str]:
    """Bring it up to date, with the demo in it if it is new. Gives a sign-in link for each person of the demo."""
    try:
        call_command("migrate", verbosity=0, interactive=False)
    except OperationalError as wrong:
        sys.exit(f"The database does not answer ({str(wrong).strip()}). Look at DATABASE_URL.")
    try:
        if not User.objects.exists():
            call_command("demo")
        people = User.objects.filter(username__in=DEMO_PEOPLE).order_by("username")
        then = "" if Session.objects.exists() else "/sessions/new"  # who is new here begins where there is something to do
        return {person.shown_name: sign_in_address(person, then) for person in people}
    finally:
        connections.close_all()


def redis_program(home: Path) -> Program:
    return bundled_redis(home) or sys.exit(
        "No Redis comes along for this kind of machine and none is installed. Install redis-server, or set REDIS_URL."
    )


async def redis_answers(url: str) -> None:
    """Wait for it, five seconds at most; ends the process with a sentence when it does not come."""
    client = redis.asyncio.from_url(url)
    for _ in range(100):
        with suppress(RedisError, OSError):
            await client.ping()
            return await client.aclose()
        await asyncio.sleep(0.05)
    sys.exit("Redis does not answer. Look at REDIS_URL if you set it, else at redis.log in the data folder's logs.")


async def everything_answers(host: str, port: int) -> bool:
    loop = asyncio.get_running_loop()
    deadline = loop.time() + PATIENCE
    while loop.time() < deadline:
        if await asyncio.to_thread(healthy, host, port):
            return True
        await asyncio.sleep(0.1)
    return False


def healthy(host: str, port: int) -> bool:
    near = "127.0.0.1" if host == "0.0.0.0" else host  # noqa: S104 — compared, not listened on
    connection = HTTPConnection(near, port, timeout=5)
    try:
        connection.request("GET", "/api/health/", headers={"Host": urlsplit(settings.BASE_URL).netloc})
        return connection.getresponse().status == HTTPStatus.OK
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def greeting(links: dict[str, str]) -> str:
    signing_in = "\n".join(f"    {name:<8} {link}" for name, link in links.items())
    return f"""
  Countersign is ready at {settings.BASE_URL}

  Sign in (each link works once; `manage.py signin NAME` makes another):
{signing_in}

  Model    the scripted demo: its words come from a file, its tools are real. For a real model, add a provider key
           in the team's settings, or start with OPENAI_API_KEY, ANTHROPIC_API_KEY or GOOGLE_API_KEY set.
  Sandbox  {settings.SANDBOX or strongest()}
  Data     {settings.COUNTERSIGN_HOME}

  Ctrl-C stops everything.
"""
