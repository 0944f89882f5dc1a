"""A project with a repository, and a comparison that alice began in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.workspace.sessions.conftest import home as home
from tests.workspace.sessions.conftest import place as place
from tests.workspace.sessions.conftest import scripted as scripted
from tests.workspace.sessions.conftest import worker_threads as worker_threads
from workspace.accounts.models import User
from workspace.comparisons.actions import Compare, Way, compare
from workspace.comparisons.models import Comparison
from workspace.projects.models import Project
from workspace.sessions import log
from workspace.sessions import protocol as p
from workspace.sessions.actions import perform
from workspace.sessions.models import Session

WISH = Compare(prompt="Fix the shelf.\nIt is crooked.", left=Way(toolset="oats"), right=Way(toolset="atomic"))


@pytest.fixture
def comparison(place: Path, project: Project, alice: User) -> Comparison:
    return compare(project, alice, WISH)


@pytest.fixture
def ended(comparison: Comparison, alice: User) -> Comparison:
    """Both sides were stopped before they did anything; what stands in their worktrees is the test's to say."""
    for session in (comparison.left, comparison.right):
        perform(session, alice, p.StopRun())
        session.refresh_from_db()
    return comparison


def say(session: Session, *facts: object) -> None:
    log.append(session.pk, facts)  # type: ignore[arg-type]  # facts they are
    session.refresh_from_db()
