"""What the work of each side came to, its sub-agents' included: what there is to compare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from workspace.comparisons.counting import tallies, trees, worked
from workspace.comparisons.models import Tally
from workspace.errors import AppError
from workspace.sessions.choices import ENDED
from workspace.sessions.models import Session
from workspace.sessions.worktree import changed_in

COMPARED_EVERY = timedelta(seconds=4)
"""How often the files of a side at work are looked at: that reads the whole worktree."""


@dataclass(frozen=True)
class Figures:
    """`cost` in dollars, without the `unpriced` replies; `files` None: nobody has compared them yet."""

    replies: int
    tool_calls: int
    failed_calls: int
    refused_replies: int
    input: int
    output: int
    cost: float
    unpriced: int
    seconds: float
    files: int | None
    added: int
    removed: int


def figures_of(roots: Sequence[Session], *, compare: bool = False) -> dict[int, Figures]:
    """Primary key of a session → its figures. With `compare` the files of its worktree are looked at again where that is due."""
    grown = trees(roots)
    counted = tallies([session for tree in grown.values() for session in tree])
    found = {}
    for root in roots:
        tree = grown[root.pk]
        mine = [counted[session.pk] for session in tree]
        if compare:
            _compare(root, counted[root.pk], _standing(tree, mine))
        found[root.pk] = _summed(tree, mine)
    return found


def _standing(tree: Sequence[Session], mine: Sequence[Tally]) -> str:
    """What changes when the files may have: how many calls have ended, and whether all the agents have."""
    over = all(session.status in ENDED for session in tree)
    return f"{sum(tally.calls for tally in mine)} {'over' if over else 'at work'}"


def _compare(root: Session, tally: Tally, standing: str) -> None:
    worktree = root.view.worktree
    if worktree is None or worktree.state == "dropped":
        return  # what it had changed stays told
    standing = "landed" if worktree.state == "landed" else standing
    early = standing.endswith("at work") and tally.compared_at is not None and timezone.now() - tally.compared_at < COMPARED_EVERY
    if standing == tally.compared or early:
        return
    try:
        changes = changed_in(root).changes
    except AppError:
        return  # the diff itself says what is wrong
    tally.files, tally.compared, tally.compared_at = len(changes), standing, timezone.now()
    tally.added, tally.removed = sum(change.added for change in changes), sum(change.removed for change in changes)
    tally.save(update_fields=["files", "added", "removed", "compared", "compared_at"])


def _summed(tree: Sequence[Session], mine: Sequence[Tally]) -> Figures:
    used, now, own = [session.view.usage for session in tree], timezone.now(), mine[0]
    return Figures(
        replies=sum(usage.requests for usage in used),
        tool_calls=sum(tally.calls for tally in mine),
        failed_calls=sum(tally.failed for tally in mine),
        refused_replies=sum(tally.refused for tally in mine),
        input=sum(usage.input for usage in used),
        output=sum(usage.output for usage in used),
        cost=round(sum(usage.cost for usage in used), 6),
        unpriced=sum(usage.unpriced for usage in used),
        seconds=round(sum(worked(tally, now) for tally in mine), 1),
        files=own.files,
        added=own.added,
        removed=own.removed,
    )
