"""Serve tools to an MCP client over standard input and output: a project's under its rules, or those of a folder.

With --project the calls run in the project's sandbox as the person named by --as, who must have the right to give work there.
With --root they run in that folder and no database is needed. Nobody is there to approve anything: what asks is refused,
unless a rule of the project or --allow-asks allows it.
"""

from __future__ import annotations

import asyncio
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError

from agents.errors import AgentError
from agents.tools.profiles import PROFILES
from agents.tools.registry import TOOLSETS
from workspace.errors import AppError
from workspace.management.tool_visits import folder_visit, project_visit


class Command(BaseCommand):
    help = __doc__
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.formatter_class = RawDescriptionHelpFormatter
        place = parser.add_mutually_exclusive_group(required=True)
        place.add_argument("--project", help="id or slug")
        place.add_argument("--root", type=Path, help="a folder instead of a project")
        parser.add_argument("--as", dest="person", help="username of the person whose rights hold (with --project)")
        parser.add_argument("--toolset", choices=sorted(TOOLSETS), help="otherwise the project's, or oats")
        parser.add_argument(
            "--profile", choices=list(PROFILES), help="which of its tools; otherwise as the project or the installation says"
        )
        parser.add_argument(
            "--sandbox", choices=("bubblewrap", "landlock", "local"), help="with --root: instead of the strongest that works"
        )
        parser.add_argument("--network", action="store_true", help="with --root: let commands reach the network")
        parser.add_argument("--mcp", type=Path, help="with --root: a file of MCP servers whose tools can be called, too")
        parser.add_argument("--allow-asks", action="store_true", help="allow whatever a person would be asked; deny rules still hold")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["project"] and not options["person"]:
            raise CommandError("Say whose rights hold: --as USERNAME.")
        try:
            server = project_visit(options) if options["project"] else folder_visit(options)
            asyncio.run(server.serve())
        except (BrokenPipeError, KeyboardInterrupt):
            return
        except OperationalError as wrong:
            raise CommandError(f"The database is not ready ({str(wrong).strip()}). `manage.py migrate` prepares it.") from wrong
        except (AgentError, AppError, OSError) as wrong:
            raise CommandError(str(wrong)) from wrong
