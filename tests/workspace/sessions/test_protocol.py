"""What is told of the wire holds all that crosses it."""

from __future__ import annotations

import json
from io import StringIO
from typing import get_args

from django.core.management import call_command

from agents import events as e
from workspace.sessions import protocol as p


def test_the_exported_schema_holds_every_command_frame_fact_and_note() -> None:
    printed = StringIO()
    call_command("export_protocol", stdout=printed)
    told = set(json.loads(printed.getvalue())["$defs"])
    crossing = [arm for union in (p.AnyCommand, p.AnyFrame, e.AnyFact, e.AnyNote) for arm in get_args(get_args(union)[0])]
    assert {model.__name__ for model in (*crossing, p.Envelope, p.Snapshot, p.Problem, p.Person)} <= told
