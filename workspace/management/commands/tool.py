"""Work tools by hand: JSON lines in, one JSON line out per call. One process is one session.

Reads {"name": …, "args": {…}} from standard input. With "ask": true nothing runs and the answer is the permission; with
"session": "…" the call happens in another session of this process; {"decision": {…}} answers what waits for a person.
"""

from __future__ import annotations

import asyncio
import json
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agents.code.pool import Pool
from agents.errors import AgentError
from agents.host import InMemoryMemories
from agents.sandboxes.choose import open_sandbox
from agents.sandboxes.sandbox import Sandbox, SandboxWish
from agents.tools.descriptions import page
from agents.tools.oversize import LONGEST
from agents.tools.profiles import PROFILES
from agents.tools.registry import TOOLSETS
from agents.tools.tool import Tool
from workspace.management.by_hand import HandSession, Said
from workspace.management.hand_home import HandHome
from workspace.management.hand_reach import reach_by_hand
from workspace.projects.features import tools_by_hand


class Line(BaseModel):
    """One line of standard input."""

    model_config = ConfigDict(extra="ignore")

    name: str = ""
    args: dict[str, Any] = {}
    ask: bool = False
    session: str = Field(default="s1", pattern=r"^[A-Za-z0-9_.-]{1,64}$")
    decision: Said | None = None
    ctx: dict[str, Any] = {}
    """What the tools find in their context's flags from this line on (nesting depth and the like)."""


LEVELS = ("bubblewrap", "landlock", "local")


class Command(BaseCommand):
    help = __doc__
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.formatter_class = RawDescriptionHelpFormatter
        parser.add_argument("--toolset", default="oats", choices=sorted(TOOLSETS))
        parser.add_argument("--profile", choices=list(PROFILES), help="which of its tools; by default what CODER_PROFILE says, else full")
        parser.add_argument("--root", default=".", help="the workspace: files and commands are confined to it")
        parser.add_argument("--home", help="folder in which memories, todos, the plan and what tools have kept outlast this process")
        parser.add_argument("--sandbox", choices=LEVELS, help="instead of the strongest that works here")
        parser.add_argument("--network", action="store_true", help="let commands reach the network")
        parser.add_argument("--mcp", type=Path, help="a file of MCP servers, whose tools mcp_call can call")
        parser.add_argument("--list", action="store_true", help="print the tools' schemas as JSON and end")
        parser.add_argument("--descriptions", action="store_true", help="print a page on the tools as Markdown and end")
        parser.add_argument("--model", default="", help="with --list or --descriptions: as the model of this name is told of them")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["list"] or options["descriptions"]:
            self.stdout.write(told(options))
            return
        try:
            asyncio.run(answer_lines(open_sessions(options)))
        except (BrokenPipeError, KeyboardInterrupt):
            return
        except (AgentError, OSError) as wrong:
            raise CommandError(str(wrong)) from wrong


def told(options: Mapping[str, Any]) -> str:
    """What `--descriptions` or `--list` prints."""
    toolset, model = options["toolset"], options["model"]
    tools = tools_by_hand(toolset, options["profile"])
    return page(TOOLSETS[toolset], tools, model) if options["descriptions"] else json.dumps(schemas(tools, model), indent=2)


def schemas(tools: Mapping[str, type[Tool]], model: str = "") -> list[dict[str, Any]]:
    """Each tool as a model is told of it."""
    definitions = (tool.definition(model) for tool in tools.values())
    return [{"name": one.name, "description": one.description, "parameters": one.parameters} for one in definitions]


class Sessions:
    """The sessions of this process by id, made when first named; they share the workspace and its memories."""

    def __init__(self, toolset: str, tools: dict[str, type[Tool]], sandbox: Sandbox, home: HandHome, servers: Path | None) -> None:
        self.flags: dict[str, Any] = {"longest_result": LONGEST.get(toolset, 0), **settings.AROUND}
        self.tools = tools
        self.sandbox = sandbox
        self.home = home
        self.memories = InMemoryMemories()
        self.reach = reach_by_hand(sandbox, Pool(), servers)
        self.by_id: dict[str, HandSession] = {}
        home.fill(self.memories)

    def named(self, session_id: str) -> HandSession:
        if session_id not in self.by_id:
            session = HandSession(session_id, self.tools, self.sandbox, self.memories, flags=dict(self.flags), reach=self.reach)
            self.home.resume(session)
            self.by_id[session_id] = session
        return self.by_id[session_id]


def open_sessions(options: dict[str, Any]) -> Sessions:
    root = Path(options["root"]).resolve()
    if not root.is_dir():
        raise CommandError(f"--root {options['root']} is not a folder.")
    sandbox = open_sandbox(SandboxWish(str(root), network=options["network"], level=options["sandbox"]))
    home = HandHome(Path(options["home"]) if options["home"] else None)
    toolset = options["toolset"]
    return Sessions(toolset, tools_by_hand(toolset, options["profile"]), sandbox, home, options["mcp"])


async def answer_lines(sessions: Sessions) -> None:
    """Until standard input ends. It is read beside the event loop, so that background work of the tools goes on meanwhile."""
    while raw := await asyncio.to_thread(sys.stdin.buffer.readline):
        if raw.strip():
            sys.stdout.write(json.dumps(await answer(sessions, raw), default=str) + "\n")
            sys.stdout.flush()


async def answer(sessions: Sessions, raw: bytes) -> dict[str, Any]:
    try:
        line = Line.model_validate_json(raw)
    except ValidationError as wrong:
        return refused(f'This line was not understood: {explain_line(wrong)} Send {{"name": …, "args": {{…}}}}.')
    session = sessions.named(line.session)
    session.flags.update(line.ctx)
    if line.ask:
        verdict = session.permission(line.name, line.args)
        return {"permission": verdict.action, "reason": verdict.reason}
    answered = await (session.decide(line.decision) if line.decision is not None else session.call(line.name, line.args))
    sessions.home.save(session)
    return answered


def explain_line(wrong: ValidationError) -> str:
    first = wrong.errors(include_url=False)[0]
    place = ".".join(map(str, first["loc"]))
    return f"{place}: {first['msg']}." if place else f"{first['msg']}."


def refused(error: str) -> dict[str, Any]:
    return {"ok": False, "title": "", "output": "", "error": error, "metadata": {}, "seconds": 0.0}
