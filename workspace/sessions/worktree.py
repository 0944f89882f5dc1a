"""A session's own worktree as people decide on it: once, when the agent has ended, and told the same to everybody."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from agents import events as e
from workspace.errors import AppError, Conflict, Missing
from workspace.projects import git, worktrees
from workspace.sessions.agents import below
from workspace.sessions.models import Job, LoggedFact, Run, Session
from workspace.sessions.places import landing_above, worktree_of
from workspace.sessions.state import WorktreeView

logger = logging.getLogger(__name__)

DIFFS_KEPT = 100_000
"""Characters of diffs that the log keeps of one landing; they are part of the session's state from then on."""
DECIDED = {"landed": "landed it", "dropped": "dropped it"}


def to_decide(session: Session) -> WorktreeView:
    """The worktree as it stands at this moment, if a person may land or drop it. Raises Missing, or Conflict with who was first."""
    session.refresh_from_db(fields=["state"])
    worktree = session.view.worktree
    if worktree is None:
        raise Missing("This session has no worktree", "Only sub-agents that were started in one have it, and the sides of a comparison.")
    if worktree.state != "open":
        who = LoggedFact.objects.select_related("by").filter(session=session, type=f"worktree.{worktree.state}").latest("seq").by
        raise Conflict("Somebody was first", f"{who.shown_name if who else 'The agent'} {DECIDED[worktree.state]}.", by=who)
    there = [session, *below(session)]
    if Run.objects.filter(session__in=there).unfinished().exists():
        raise Conflict("The agent is still at work there", "Wait until it has ended, or stop it first.")
    if Job.objects.running().filter(session__in=there).exists():
        raise Conflict("A background job still runs there", "Wait until it has ended, or cancel it on the session's page.")
    return worktree


def to_land(session: Session) -> WorktreeView:
    """The same, for landing. Raises Conflict also where the project rests."""
    session.project.refresh_from_db(fields=["archived"])
    if session.project.archived:
        raise Conflict("This project is archived", "Take it out of the archive to work in it.")
    return to_decide(session)


def kept(changes: Sequence[e.FileChange]) -> tuple[e.FileChange, ...]:
    """The changes as the log keeps them: every file, and as many of the diffs as fit."""
    left, found = DIFFS_KEPT, []
    for change in changes:
        fits = len(change.diff) <= left
        left -= len(change.diff) if fits else 0
        found.append(change if fits else change.model_copy(update={"diff": ""}))
    return tuple(found)


def remove(session: Session) -> None:
    """Clear away what was decided on. What cannot be removed now is, when a worker next tidies up."""
    try:
        worktrees.drop(session.project, session.public_id)
    except AppError as wrong:
        logger.warning("The worktree of %s is left for later: %s", session.public_id, wrong)


def tidy_up() -> None:
    """Remove the worktrees that are nobody's any more."""
    worktrees.prune(_is_open)


def _is_open(child_id: str) -> bool:
    session = Session.objects.filter(public_id=child_id).first()
    worktree = session.view.worktree if session else None
    return worktree is not None and worktree.state == "open"


@dataclass(frozen=True)
class Changed:
    """`note` says where the changes are told from; `hash` names the files of a worktree that can be landed, as they are now.

    `into` is the session above in whose worktree they would land; None: in the project.
    """

    changes: Sequence[e.FileChange]
    note: str = ""
    hash: str = ""
    into: Session | None = None


def changed_in(session: Session) -> Changed:
    """What the session changed where it works. Raises Unavailable."""
    match session.view.worktree:
        case None:
            return _changed_in_place(session)
        case WorktreeView(state="open", base=base):
            changes, seen = worktrees.look(session.project, session.public_id, base)
            return Changed(changes, hash=seen, into=landing_above(session))
        case WorktreeView(state="landed", changes=changes):
            return Changed(changes, "As it was landed.")
    return Changed((), "The worktree was dropped, and what had changed in it.")


def _changed_in_place(session: Session) -> Changed:
    root, place = session.project.root, worktree_of(session)
    if place is not None and not place.is_dir():
        return Changed((), "It worked in the worktree of the agent above it, which was landed or dropped.")
    return Changed(git.diff(root, session.base_tree or git.head_tree(root), files=place))
