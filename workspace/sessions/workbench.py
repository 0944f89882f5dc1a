"""What a worker keeps ready for a session between steps and runs: its history, and the agent with its tools and place.

All of it can be made again from the database; keeping it saves reading the log and translating the conversation anew.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import Any

from django.conf import settings

from agents.agent import Agent
from agents.budget import Budget
from agents.history import History
from agents.prompts import system_prompt
from agents.prompts.agents import agent_prompt
from agents.protocols import spoken
from agents.providers.catalog import demo_script, open_provider, preload
from agents.providers.provider import Provider
from agents.sandboxes.sandbox import Sandbox
from agents.shell.secrets import redact
from agents.tools.kinds import REPLIES
from agents.tools.oversize import LONGEST
from agents.tools.profiles import deferred
from agents.tools.reach import Nesting
from agents.tools.registry import TOOLSETS
from agents.tools.skills import Skill
from agents.tools.tool import Tool
from workspace.accounts.models import ProviderKey
from workspace.accounts.providers import default_model
from workspace.errors import Forbidden
from workspace.memories.store import DatabaseMemories
from workspace.projects.models import Project
from workspace.sessions import access, log
from workspace.sessions.models import Run, Session
from workspace.sessions.places import open_place
from workspace.sessions.reach import reach_of
from workspace.sessions.toolbox import tools_for
from workspace.skills.store import DatabaseSkills

KEPT = 128
"""Sessions whose history a worker keeps."""
MOST_REPLIES = 150
"""Of the model in one run, where neither the operator nor the workflow says anything."""


@dataclass
class Workbench:
    """A session as one worker has it at hand."""

    session: Session
    history: History
    agent: Agent


@dataclass
class Origin:
    """Where memories written in this session come from: the entry that will tell of them; and who speaks in it."""

    public_id: str
    history: History

    @property
    def head(self) -> int:
        return self.history.seq + 1

    @property
    def shared(self) -> bool:
        return self.history.shared


_histories: OrderedDict[str, History] = OrderedDict()
_shelf = Lock()


def set_up(run: Run) -> Workbench:
    """Make everything ready for this run, with the rules and settings as they are now. Raises AgentError or AppError with a sentence."""
    session = Session.objects.select_related("project__team").get(pk=run.session_id)
    _require_somebody(run, session)
    history = _history(session)
    project = session.project
    origin = session.view.origin
    sandbox, tools = open_place(session), tools_for(session, history)
    told_from = Origin(session.public_id, history)
    skills = DatabaseSkills(project, run.acting_for, sandbox.files, told_from)
    provider, model = provider_for(project, history)
    agent = Agent(
        session_id=session.public_id,
        provider=provider,
        model=model,
        system=_system(session, sandbox, tools, skills),
        tools=tools,
        sandbox=sandbox,
        memories=DatabaseMemories(project, run.acting_for, told_from),
        rules=project.rules_for_agent(),
        max_steps=REPLIES[origin.agent_type] if origin else max(MOST_REPLIES, settings.MODEL_CALLS or 0),
        budget=budget_for(history.toolset or project.toolset),
        flags=flags_of(project, history),
        reach=reach_of(session, run, tools, skills),
        nesting=nesting_of(session),
    )
    return Workbench(session, history, agent)


def budget_for(toolset: str) -> Budget:
    """What the operator allows one run, and its toolset; where they say nothing the workflow's own bounds hold."""
    rounds = TOOLSETS[toolset].rounds if toolset in TOOLSETS else None
    return Budget(settings.MODEL_CALLS, settings.TOOL_CALLS, settings.RUN_SECONDS, rounds)


def _system(session: Session, sandbox: Sandbox, tools: Mapping[str, type[Tool]], skills: DatabaseSkills) -> str:
    view = session.view
    known = skills.listed() if Skill.name in tools else ()
    general = system_prompt(sandbox.mount, sandbox.network, deferred(tools), view.toolset or session.project.toolset, known)
    return f"{general}\n\n{agent_prompt(view.origin, view.worktree is not None)}" if view.origin else general


def flags_of(project: Project, history: History) -> dict[str, Any]:
    """What tools do differently here."""
    longest = LONGEST.get(history.toolset or project.toolset, 0)
    return {"bash_interceptor": project.bash_interceptor, "longest_result": longest, **settings.AROUND}


def nesting_of(session: Session) -> Nesting:
    origin = session.view.origin
    if origin is None:
        return Nesting(most=settings.AGENT_DEPTH)
    return Nesting(origin.depth, settings.AGENT_DEPTH, origin.parent, origin.working_dir)


def _require_somebody(run: Run, session: Session) -> None:
    """Raises Forbidden unless the person it acts for may still give work here; days may lie between an ask and its answer."""
    person = run.acting_for
    if person is None or not person.is_active or "prompt" not in access.rights(person, session):
        who = person.shown_name if person else "The person who asked for this"
        raise Forbidden("The run cannot go on", f"{who} may not give the agent work here any more. Send a message to go on yourself.")


def _history(session: Session) -> History:
    with _shelf:
        history = _histories.pop(session.public_id, None) or History()
    log.caught_up(history, session.pk)
    with _shelf:
        _histories[session.public_id] = history
        while len(_histories) > KEPT:
            _histories.popitem(last=False)
    return history


def forget(session_id: str) -> None:
    """Drop what is kept of a session: its history may have been told of something that was never committed."""
    with _shelf:
        _histories.pop(session_id, None)


def provider_for(project: Project, history: History) -> tuple[Provider, str]:
    """The provider and model the session has chosen, opened with the team's key, else the installation's."""
    name = history.provider or project.provider
    stored = ProviderKey.objects.in_team(project.team).filter(provider=name).first()
    own = settings.PROVIDER_KEYS.get(name, {})
    key, base_url = (stored.key, stored.base_url) if stored else (own.get("key", ""), own.get("base_url", ""))
    model = history.model or default_model(project.team, name)
    script = (settings.DEMO_SCRIPT or demo_script(history.toolset)) if name == "scripted" else ""
    provider = opened(name, key, base_url, model, script)
    return spoken(provider, history.protocol), model


def warm_up() -> None:
    """Import what the vendors in use need: it takes a second that nobody should wait for at a session's first message."""
    redact("")
    for name in {name for name, own in settings.PROVIDER_KEYS.items() if own["key"]} | ProviderKey.objects.providers():
        preload(name)


@lru_cache(maxsize=64)
def opened(name: str, key: str, base_url: str, model: str, script: str) -> Provider:
    """Providers are opened once a worker, so that their connections stay open."""
    return open_provider(name, key=key, base_url=base_url, model=model, script=script, timeout=settings.MODEL_SILENCE)
