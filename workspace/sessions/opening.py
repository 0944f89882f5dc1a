"""Opening a session: a new log in a project, and at work already where there is a prompt."""

from __future__ import annotations

from django.db import transaction
from pydantic import Field

from agents import events as e
from agents.tools.registry import TOOLSETS
from workspace.accounts.access import demand
from workspace.accounts.models import User, rights_in
from workspace.accounts.providers import default_model
from workspace.errors import AppError, Conflict
from workspace.ids import new_id
from workspace.projects import git
from workspace.projects.models import Project
from workspace.projects.worktrees import Worktree
from workspace.sessions import actions, choosing, log
from workspace.sessions.models import Session
from workspace.sessions.protocol import MESSAGE_LIMIT, SendMessage, Wire


class OpenSession(Wire):
    """What a session begins with. What is left empty is taken from the project, the title from the prompt.

    `without`: ids of memories that the prompt is not to bring back.
    """

    title: str = Field(default="", max_length=200)
    prompt: str = Field(default="", max_length=MESSAGE_LIMIT)
    provider: str = ""
    model: str = ""
    toolset: str = ""
    workflow: str = ""
    protocol: str = ""
    without: tuple[str, ...] = Field(default=(), max_length=100)


def open_session(project: Project, person: User, wish: OpenSession, worktree: Worktree | None = None) -> Session:
    """With a worktree, made for a session of this id, the agent works there. Raises AppError with the reason for refusing."""
    demand(rights_in(person, project.team_id), "prompt")
    if project.archived:
        raise Conflict("This project is archived", "Take it out of the archive to work in it.")
    choosing.check(wish.provider or project.provider, wish.toolset or project.toolset, wish.workflow, wish.protocol)
    opened = begun(project, wish)
    made = [e.WorktreeMade(branch=worktree.branch, base=worktree.base)] if worktree else []
    row = {"public_id": worktree.path.name} if worktree else {"base_tree": _tree(project)}
    with transaction.atomic():
        session = Session.objects.create(project=project, created_by=person, **row)
        log.append(session.pk, [opened, *made], by=person)
        if wish.prompt.strip():
            actions.perform(session, person, SendMessage(message_id=new_id(), text=wish.prompt), without=wish.without)
    session.refresh_from_db()
    return session


def begun(project: Project, wish: OpenSession) -> e.SessionOpened:
    """What the session opens with, every choice made."""
    provider = wish.provider or project.provider
    usual = project.model if provider == project.provider else ""
    model = wish.model or usual or default_model(project.team, provider)
    title = choosing.title_of(wish.title or wish.prompt)
    toolset = wish.toolset or project.toolset
    own = project.workflow if toolset == project.toolset else ""
    return e.SessionOpened(
        title=title, toolset=toolset, provider=provider, model=model, workflow=wish.workflow or own or TOOLSETS[toolset].workflow,
        protocol=wish.protocol or project.protocol,
    )  # fmt: skip


def _tree(project: Project) -> str:
    """What the workspace holds now. A session may open without: its changes are then told against the last commit."""
    try:
        return git.snapshot(project.root)
    except (AppError, OSError):
        return ""
