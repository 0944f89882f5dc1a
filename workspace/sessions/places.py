"""Where a session's agent works: in the project's workspace, or in the worktree that it has or that stands above it."""

from __future__ import annotations

from pathlib import Path

from agents.sandboxes.sandbox import Sandbox
from agents.tools.kinds import READ_ONLY
from workspace.projects import worktrees
from workspace.sessions.models import Session


def open_place(session: Session) -> Sandbox:
    """The sandbox of its commands, read-only for an agent that only looks. Raises SandboxError."""
    origin = session.view.origin
    return session.project.open_sandbox(worktree_of(session), writable=origin is None or origin.agent_type not in READ_ONLY)


def open_to_read(session: Session) -> Sandbox:
    """The same place for programs that nobody allowed and that need only look: what they load may be the workspace's own code."""
    return session.project.open_sandbox(worktree_of(session), writable=False)


def worktree_of(session: Session) -> Path | None:
    """The folder of the nearest worktree, this session's own first; None where it works in the project's workspace.

    A session that people opened goes on in the workspace once its worktree was landed: what it did is there.
    """
    at: Session | None = session
    while at is not None:
        worktree = at.view.worktree
        if worktree is not None and (at.parent_id is not None or worktree.state != "landed"):
            return worktrees.place_of(at.public_id)
        at = at.parent
    return None


def landing_place(session: Session) -> Path | None:
    """Where the worktree of a session is landed: in the open worktree of an agent above it; None is the project's workspace."""
    above = landing_above(session)
    return worktrees.place_of(above.public_id) if above else None


def landing_above(session: Session) -> Session | None:
    """The session above it that has that worktree."""
    at = session.parent
    while at is not None:
        if at.view.worktree is not None and at.view.worktree.state == "open":
            return at
        at = at.parent
    return None
