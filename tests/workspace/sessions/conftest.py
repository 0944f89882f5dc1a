"""A session of alice's and bob's, and the check that every change to one keeps its promises."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce
from pathlib import Path
from typing import Any, TypeVar

import pytest
from asgiref.sync import SyncToAsync
from django.db import connections, transaction
from pytest_django.fixtures import Settings

from agents import events as e
from tests.workspace.sessions import worker
from tests.workspace.sessions.api import Api
from tests.workspace.sessions.commands import HELLO, Do
from workspace.accounts.models import User
from workspace.ids import new_id
from workspace.projects import git, worktrees
from workspace.projects.models import Project
from workspace.sessions import folds, log
from workspace.sessions import protocol as p
from workspace.sessions.actions import perform
from workspace.sessions.models import Approval, PlanComment, PlanReview, PlanRevision, Question, Session, Spoken
from workspace.sessions.recorder import database_threads
from workspace.sessions.state import SessionState, state_after

T = TypeVar("T")
TABLES: tuple[Any, ...] = (Approval, Question, PlanRevision, PlanReview, PlanComment, Spoken)
OPENED = e.SessionOpened(title="Fix the parser", toolset="oats", provider="scripted", model="demo")


@pytest.fixture
def session(project: Project, alice: User) -> Session:
    session = Session.objects.create(project=project, created_by=alice)
    log.append(session.pk, [OPENED], by=alice)
    session.refresh_from_db()
    return session


def holds(session: Session, before: SessionState) -> None:
    """A page that loaded `before` and heard of every entry since knows what a page that loads now is told; so do the tables."""
    session.refresh_from_db()
    after, whole = session.view, log.read(session.pk)
    assert reduce(state_after, log.read(session.pk, before.head), before) == after
    assert reduce(state_after, whole, SessionState()) == after
    assert [entry.seq for entry in whole] == list(range(1, session.head + 1))
    assert {name: getattr(session, name) for name in log.columns(after)} == log.columns(after)
    kept = rows(session)
    with transaction.atomic():
        folds.rebuild(session.pk, whole)
        assert rows(session) == kept
        transaction.set_rollback(True)


def rows(session: Session) -> dict[str, list[dict[str, Any]]]:
    """What the folded tables hold of the session, without the rows' own numbers."""
    return {
        table.__name__: [
            {name: value for name, value in row.items() if name != "id"}
            for row in table.objects.filter(session=session).order_by("seq").values()
        ]
        for table in TABLES
    }


@pytest.fixture
def verify(session: Session) -> Callable[[Callable[[], T]], T]:
    """Run an action on the session and demand that every fold of its log agrees afterwards, also when it was refused."""

    def verify(action: Callable[[], T]) -> T:
        before = Session.objects.get(pk=session.pk).view
        try:
            return action()
        finally:
            holds(session, before)

    return verify


@pytest.fixture
def do(session: Session, verify: Callable[[Callable[[], Any]], Any]) -> Do:
    """Perform a command on the session, checking all its folds afterwards."""

    def do(person: User, command: p.AnyCommand) -> e.Entry | None:
        done: e.Entry | None = verify(lambda: perform(session, person, command))
        return done

    return do


@pytest.fixture
def started(session: Session, alice: User) -> Session:
    """Alice has spoken and her run is queued."""
    perform(session, alice, HELLO)
    return session


@pytest.fixture
def as_alice(alice: User) -> Api:
    return Api(alice)


@pytest.fixture
def as_bob(bob: User) -> Api:
    return Api(bob)


@pytest.fixture
def at(session: Session) -> str:
    return f"sessions/{session.public_id}/"


@pytest.fixture
def waiting(session: Session, alice: User) -> Session:
    """A session whose run waits for an approval."""
    perform(session, alice, HELLO)
    worker.wait_on(session, worker.ASKED)
    return session


@pytest.fixture
def worker_threads() -> Iterator[None]:
    """The worker's database threads keep their connections; a test database must not."""
    yield
    for _ in range(16):
        database_threads.submit(connections.close_all)
    SyncToAsync.single_thread_executor.submit(connections.close_all).result()


@pytest.fixture
def scripted(settings: Settings, tmp_path: Path) -> Callable[[str], None]:
    """Let the scripted provider play this from now on."""

    def scripted(yaml: str) -> None:
        script = tmp_path / f"script{len(list(tmp_path.iterdir()))}.yaml"
        script.write_text(yaml)
        settings.DEMO_SCRIPT = str(script)

    return scripted


@pytest.fixture
def home(settings: Settings, tmp_path: Path) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    settings.COUNTERSIGN_HOME = home
    return home


@pytest.fixture
def place(home: Path, project: Project) -> Path:
    """The project's workspace, with a repository."""
    (project.root / "shelf.py").write_text("one\ntwo\nthree\n")
    git.begin(project.root)
    return project.root


@pytest.fixture
def child(place: Path, session: Session, alice: User) -> Session:
    """A sub-agent of alice's session that has ended, and changed two files in a worktree of its own."""
    child_id = new_id()
    made = worktrees.make(session.project, child_id)
    child = Session.objects.create(
        public_id=child_id, project=session.project, created_by=alice, parent=session, root=session, started_by_call="c1"
    )
    origin = e.AgentOrigin(
        parent=session.public_id, root=session.public_id, call_id="c1", agent_id=child.agent_id, agent_type="general", depth=1
    )
    log.append(child.pk, [OPENED.model_copy(update={"origin": origin}), e.WorktreeMade(branch=made.branch, base=made.base)])
    (made.path / "shelf.py").write_text("one\ntwo\n3\n")
    (made.path / "new.py").write_text("new\n")
    changes = tuple(worktrees.changes(session.project, child_id, made.base))
    told = e.AgentFinished(
        agent_id=child.agent_id, session_id=child_id, call_id="c1", agent_type="general", outcome="done", output="Done.",
        background=True, branch=made.branch, changes=changes,
    )  # fmt: skip
    log.append(session.pk, [told])
    child.refresh_from_db()
    return child
