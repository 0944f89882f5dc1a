"""Print what crosses the wire as JSON Schema; the page's `protocol.ts` is made of it.

manage.py export_protocol | node frontend/scripts/protocol.mjs > frontend/src/protocol.ts
"""

from __future__ import annotations

import json
import subprocess
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, get_args

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from pydantic.json_schema import models_json_schema

from workspace.sessions import protocol as p

FRAMES = get_args(get_args(p.AnyFrame)[0])
MODELS = (p.Envelope, *FRAMES, p.Snapshot, p.Problem, p.Person)
GENERATOR = Path("frontend/scripts/protocol.mjs")
GENERATED = Path("frontend/src/protocol.ts")


class Command(BaseCommand):
    help = __doc__
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--schema", metavar="FILE", help="write the schema there rather than to stdout")
        parser.add_argument("--check", action="store_true", help="fail when the page's protocol.ts says something else")

    def handle(self, *args: Any, **options: Any) -> None:
        text = json.dumps(schema(), indent=1) + "\n"
        if options["check"]:
            check(text)
        elif options["schema"]:
            Path(options["schema"]).write_text(text, encoding="utf-8")
        else:
            self.stdout.write(text, ending="")


def schema() -> dict[str, Any]:
    """Every model that crosses the wire, under `$defs` by its name."""
    _, whole = models_json_schema([(model, "serialization") for model in MODELS], title="Countersign protocol")
    return whole


def check(text: str) -> None:
    """Raises CommandError unless protocol.ts is what the generator makes of this schema."""
    root = Path(settings.BASE_DIR)
    made = subprocess.run(["node", str(root / GENERATOR)], input=text, capture_output=True, text=True, check=False)
    if made.returncode:
        raise CommandError(f"{GENERATOR} failed: {made.stderr.strip()}")
    if made.stdout != (root / GENERATED).read_text(encoding="utf-8"):
        raise CommandError(f"{GENERATED} is out of date. Run: manage.py export_protocol | node {GENERATOR} > {GENERATED}")
