"""What people do with comparisons: begin one, keep one side of it, or neither."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.db import transaction
from pydantic import Field

from workspace.accounts.access import demand
from workspace.accounts.models import User, rights_in
from workspace.comparisons import naming
from workspace.comparisons.figures import figures_of
from workspace.comparisons.models import SIDES, Comparison, Side
from workspace.errors import AppError, Conflict, Invalid
from workspace.ids import new_id
from workspace.projects import worktrees
from workspace.projects.models import Project
from workspace.projects.worktrees import Worktree
from workspace.sessions import access, choosing, worktree
from workspace.sessions.actions import drop_worktree, holds_nul, land_worktree
from workspace.sessions.models import Session
from workspace.sessions.opening import OpenSession, begun, open_session
from workspace.sessions.protocol import MESSAGE_LIMIT, DropWorktree, LandWorktree, Wire


class Way(Wire):
    """How one side works; what is left empty is the project's or the toolset's."""

    toolset: str
    workflow: str = ""
    protocol: str = ""


class Compare(Wire):
    """The same prompt for both sides, to the same model."""

    title: str = Field(default="", max_length=150)
    prompt: str = Field(min_length=1, max_length=MESSAGE_LIMIT)
    provider: str = ""
    model: str = Field(default="", max_length=200)
    left: Way
    right: Way


def compare(project: Project, person: User, wish: Compare) -> Comparison:
    """Open both sessions in worktrees that begin alike, each at work on the prompt; all of it or nothing. Raises AppError."""
    demand(rights_in(person, project.team_id), "prompt")
    if project.archived:
        raise Conflict("This project is archived", "Take it out of the archive to work in it.")
    wishes = _wishes(project, wish)
    with two_worktrees(project) as made, transaction.atomic():
        left, right = (open_session(project, person, one, place) for one, place in zip(wishes, made, strict=True))
        return Comparison.objects.create(
            project=project, created_by=person, title=choosing.title_of(wish.title or wish.prompt), prompt=wish.prompt,
            provider=left.view.provider, model=left.view.model, base=made[0].base, left=left, right=right,
        )  # fmt: skip


def _wishes(project: Project, wish: Compare) -> list[OpenSession]:
    """What each session opens with. Raises Invalid where one is not possible, or both are the same."""
    if holds_nul(wish.model_dump()):
        raise Invalid("This text cannot be kept", "It holds a NUL character. Remove it and send the text again.")
    if not wish.prompt.strip():
        raise Invalid("There is no prompt", "Say what both sides should do.", fields={"prompt": ["Say what both sides should do."]})
    asked = {"prompt": wish.prompt, "provider": wish.provider, "model": wish.model}
    ways = [OpenSession(**asked, **way.model_dump()) for way in (wish.left, wish.right)]
    for way in ways:
        choosing.check(way.provider or project.provider, way.toolset, way.workflow, way.protocol)
    left, right = (begun(project, way) for way in ways)
    if not naming.differing(left, right):
        same = "Choose another toolset, workflow or protocol for one of them."
        raise Invalid("Both sides are the same", same, fields={"right": [same]})
    title = choosing.title_of(wish.title or wish.prompt)
    named = zip(ways, naming.labels(left, right), strict=True)
    return [way.model_copy(update={"title": f"{title} · {label}"}) for way, label in named]


@contextmanager
def two_worktrees(project: Project) -> Iterator[tuple[Worktree, Worktree]]:
    """Two that begin with the same commit: what the workspace held at one moment. They go again where no session came of them."""
    ids = new_id(), new_id()
    try:
        first = worktrees.make(project, ids[0])
        yield first, worktrees.make(project, ids[1], base=first.base)
    except BaseException:
        for session_id in ids:
            if not Session.objects.filter(public_id=session_id).exists():
                with suppress(AppError):  # what cannot be removed now is, when a worker next tidies up
                    worktrees.drop(project, session_id)
        raise


def keep(comparison: Comparison, person: User, side: Side, seen: str) -> None:
    """Land what one side changed, as the person saw it, and drop the other. Raises AppError, with nothing done where landing fails."""
    kept = comparison.session(side)
    other = comparison.session(SIDES[1 - SIDES.index(side)])
    access.require(person, kept, "approve_tools")
    open_sides = _open([kept, other])
    if other not in open_sides and other.view.worktree is not None and other.view.worktree.state == "landed":
        worktree.to_decide(other)
    for one in {kept, *open_sides}:
        worktree.to_decide(one)
    figures_of([kept, other], compare=True)
    land_worktree(kept, person, LandWorktree(hash=seen))
    if other in open_sides:
        drop_worktree(other, person, DropWorktree(reason=f"“{kept.title}” was kept."))


def drop(comparison: Comparison, person: User, reason: str = "") -> None:
    """Throw away what is open of both sides. Raises AppError, with nothing done where one cannot be dropped."""
    both = [comparison.left, comparison.right]
    access.require(person, both[0], "approve_tools")
    still = _open(both)
    for one in still or both[:1]:
        worktree.to_decide(one)
    figures_of(both, compare=True)
    for one in still:
        drop_worktree(one, person, DropWorktree(reason=reason))


def _open(sessions: list[Session]) -> list[Session]:
    """Those whose worktrees are still to be decided on, read afresh."""
    for session in sessions:
        session.refresh_from_db(fields=["state", "head", "status"])
    return [session for session in sessions if session.view.worktree is not None and session.view.worktree.state == "open"]
