"""Run a session without a page: say something to an agent in a project and stream what happens.

The run is driven in this process, so nothing else has to be running; where workers are, one of them may take it up instead.
Exit codes: 0 done, 1 failed, 2 asked wrongly, 3 waiting for a person, 4 at a limit, 130 stopped.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from typing import Any

import redis
from channels.layers import InMemoryChannelLayer, channel_layers
from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import OperationalError
from redis.exceptions import RedisError

from agents import events as e
from workspace.celery import app
from workspace.errors import AppError
from workspace.management.headless import Headless
from workspace.management.telling import told
from workspace.management.who_and_where import person_for, project_named
from workspace.sessions.opening import OpenSession, open_session

CODES = {"done": 0, "failed": 1, "waiting": 3, "limit": 4, "stopped": 130}
ASKED_WRONGLY = 2


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.formatter_class = RawDescriptionHelpFormatter
        parser.add_argument("prompt", help="what to say to the agent")
        parser.add_argument("--project", required=True, help="id or slug")
        parser.add_argument("--user", help="username of the person it acts for (otherwise the first admin of the project's team)")
        parser.add_argument("--provider", default="", help="who answers (otherwise the project's)")
        parser.add_argument("--model", default="")
        parser.add_argument("--toolset", default="")
        parser.add_argument("--workflow", default="", help="react, verified or phased (otherwise the project's)")
        parser.add_argument("--protocol", default="", help="native, json or xml (otherwise the project's)")
        parser.add_argument(
            "--approve", choices=("none", "all"), default="none", help="what is decided without asking, in that person's name"
        )
        parser.add_argument("--json", action="store_true", help="one entry of the log a line")

    def handle(self, *args: Any, **options: Any) -> None:
        stand_alone()
        try:
            project = project_named(options["project"])
            person = person_for(project, options["user"])
            wish = OpenSession(**{name: options[name] for name in ("provider", "model", "toolset", "workflow", "protocol")})
            session = open_session(project, person, wish)
            tell = self.tell_json if options["json"] else self.tell
            outcome = Headless(session, person, decides=options["approve"] == "all", tell=tell).say(options["prompt"])
        except OperationalError as wrong:
            self.stderr.write(f"The database is not ready ({str(wrong).strip()}). `manage.py migrate` prepares it, as `make run` does.")
            sys.exit(ASKED_WRONGLY)
        except AppError as wrong:
            self.stderr.write(str(wrong))
            sys.exit(ASKED_WRONGLY)
        if outcome == "waiting":
            self.stderr.write(f"It waits for a person. Decide in the page, session {session.public_id}, or run it with --approve all.")
        sys.exit(CODES.get(outcome, 1))

    def tell(self, entry: e.Entry) -> None:
        if line := told(entry):
            self.stdout.write(line)
            self.stdout.flush()

    def tell_json(self, entry: e.Entry) -> None:
        self.stdout.write(entry.model_dump_json())
        self.stdout.flush()


def stand_alone() -> None:
    """Where no Redis answers, nobody else can be reached either: speak to ourselves only."""
    try:
        with redis.from_url(settings.REDIS_URL, socket_connect_timeout=1) as client:
            client.ping()
    except (RedisError, OSError):
        channel_layers.set("default", InMemoryChannelLayer())
        app.conf.broker_url = "memory://localhost/"
