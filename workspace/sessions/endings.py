"""How a sub-agent's work ended, as its parent hears it."""

from __future__ import annotations

import json
from typing import cast

from agents import events as e
from workspace.errors import AppError
from workspace.projects import worktrees
from workspace.sessions.folds import words_of
from workspace.sessions.models import LoggedFact, Session
from workspace.sessions.runs import Outcome


def ending(child: Session) -> e.AgentFinished:
    """What to tell of a sub-agent whose run has ended. Looks at the disk where it had a worktree."""
    view = child.view
    origin = view.origin
    assert origin is not None, "only a sub-agent has somebody to tell"  # noqa: S101
    said = LoggedFact.objects.filter(session=child)
    return e.AgentFinished(
        agent_id=child.agent_id, session_id=child.public_id, call_id=child.started_by_call, agent_type=origin.agent_type,
        outcome=cast("Outcome", view.run.state), output=_last_words(child), detail=view.run.detail,
        tool_calls=said.filter(type="tool.finished").count(), background=origin.background,
        branch=view.worktree.branch if view.worktree and view.worktree.state != "dropped" else "", changes=changes_of(child),
    )  # fmt: skip


def changes_of(child: Session) -> tuple[e.FileChange, ...]:
    """What stands in its worktree now, or was landed from it, without the diffs; nothing where it has none, or it is gone."""
    worktree = child.view.worktree
    if worktree is None or worktree.state == "dropped":
        return ()
    try:
        changes = worktree.changes or worktrees.changes(child.project, child.public_id, worktree.base)
    except AppError:
        return ()
    return tuple(change.model_copy(update={"diff": ""}) for change in changes)


def _last_words(child: Session) -> str:
    """Of its last reply that says anything, or what it called its result."""
    kinds = ("agent.spoke", "completion.attempted")
    rows = LoggedFact.objects.filter(session=child, type__in=kinds).order_by("-seq").values_list("type", "version", "data")
    said = (words_of(e.open_fact(kind, version, json.loads(data))) for kind, version, data in rows.iterator())
    return next((words for words in said if words), "")
