"""What people choose for a session: its title, its provider and toolset, and which decisions become rules of the project."""

from __future__ import annotations

from glob import escape

from agents.permissions import simple_commands
from agents.protocols import PROTOCOLS
from agents.providers.catalog import PROVIDERS
from agents.tools.oats.mcp_previous import OPAQUE
from agents.tools.own import furnished
from agents.tools.registry import TOOLSETS, resolve
from agents.workflows import WORKFLOWS
from workspace.accounts.models import User
from workspace.errors import Invalid
from workspace.projects.models import Rule
from workspace.projects.rules import RULES_LIMIT, complaint_about_pattern
from workspace.sessions.models import Approval, Session

TITLE = 80
PATTERN = 500


def title_of(message: str) -> str:
    """A title for a session that begins with this message: its first line, cut at a word."""
    line = next((line.strip() for line in message.splitlines() if line.strip()), "")
    return line if len(line) <= TITLE else f"{line[:TITLE].rsplit(' ', 1)[0]}…"


def check(provider: str, toolset: str, workflow: str = "", protocol: str = "") -> None:
    """Raises Invalid for a provider, toolset, workflow or protocol there is none of. The last two may be "", which leaves them open."""
    chosen = {"provider": provider, "toolset": toolset, "workflow": workflow, "protocol": protocol}
    known = {"provider": PROVIDERS, "toolset": TOOLSETS, "workflow": {"", *WORKFLOWS}, "protocol": {"", *PROTOCOLS}}
    for what, name in chosen.items():
        if name not in known[what]:
            there = ", ".join(sorted(filter(None, known[what])) if isinstance(known[what], set) else known[what])
            raise Invalid(f"No such {what}", f"There are: {there}.", fields={what: [f"{name!r} is unknown."]})


def make_rules(session: Session, person: User, approval: Approval, verdict: str) -> None:
    """Let a decision stand for every later call like this in the project. Raises Invalid where no rule can say that."""
    project = session.project
    matched = patterns_for(session, approval)
    last = project.rules.order_by("order").last()
    for order, (tool, pattern) in enumerate(matched, last.order + 1 if last else 0):
        Rule.objects.create(project=project, order=order, tool=tool, pattern=pattern, action=verdict, made_by=person)


def patterns_for(session: Session, approval: Approval) -> list[tuple[str, str]]:
    """The tool and the pattern of each rule of `make_rules`. Raises Invalid where no rule can say it."""
    patterns = [(tool, escape(subject)) for tool, subject in _subjects(approval, session.view.toolset)]
    if any(len(pattern) > PATTERN or complaint_about_pattern(pattern) for _, pattern in patterns):
        raise Invalid("No rule can name this", "It is too long, or has several lines. Decide it once, or for this session.")
    if session.project.rules.count() + len(patterns) > RULES_LIMIT:
        raise Invalid("The project has too many rules", f"It may have {RULES_LIMIT}. Take some away in its settings.")
    return patterns


def _subjects(approval: Approval, toolset: str) -> list[tuple[str, str]]:
    """What the rules must name: a shell command line is matched command by command, a call of calls by what it calls."""
    tool = resolve(furnished(toolset), approval.tool) if toolset in TOOLSETS else None
    if tool is not None and tool.subject_names_tools:
        return _calls(approval.subject)
    if tool is None or not tool.subject_is_command:
        return [(approval.tool, approval.subject)]
    commands = simple_commands(approval.subject)
    if not commands:
        raise Invalid("No rule can name this", "The command redirects or computes something. Decide it once, or for this session.")
    return [(approval.tool, command) for command in dict.fromkeys(commands)]


def _calls(subject: str) -> list[tuple[str, str]]:
    named = [(tool, what) for tool, _, what in (line.partition(" ") for line in dict.fromkeys(subject.split("\n")))]
    if any(what == OPAQUE for _, what in named):
        raise Invalid("No rule can name this", "A call takes what another one gives. Decide it once, or for this session.")
    return named
