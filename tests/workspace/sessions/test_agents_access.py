"""Who sees and decides what in a sub-agent's session: whoever may in its project, under the name of the session people opened."""

from __future__ import annotations

import pytest

from agents import events as e
from tests.workspace.sessions import worker
from tests.workspace.sessions.api import Api
from tests.workspace.sessions.commands import state_of
from tests.workspace.sessions.conftest import OPENED
from workspace.accounts.models import Membership, User
from workspace.projects.models import Project
from workspace.sessions import log, runs
from workspace.sessions.models import Run, Session


@pytest.fixture
def child(session: Session, project: Project, bob: User) -> Session:
    """A sub-agent that bob's run started, waiting for an approval."""
    child = Session.objects.create(project=project, created_by=bob, parent=session, root=session, started_by_call="c0")
    origin = e.AgentOrigin(
        parent=session.public_id, root=session.public_id, call_id="c0", agent_id=child.agent_id, agent_type="general", depth=1
    )
    opened = OPENED.model_copy(update={"origin": origin, "title": "Look for pelicans"})
    queued = runs.queue(child, bob)
    assert queued is not None
    log.append(child.pk, [opened, e.UserSpoke(message_id="m-child", text="Look for pelicans"), queued[1]])
    worker.wait_on(child, worker.ASKED)
    child.refresh_from_db()
    return child


DECISION = {"hash": worker.ASKED.hash, "verdict": "allow", "scope": "once", "reason": ""}


def test_its_page_is_open_to_the_team_and_to_nobody_else(child: Session, alice: User, bob: User, charlie: User) -> None:
    at = f"sessions/{child.public_id}/"
    for person in (alice, bob):
        seen = Api(person).get(at)
        assert (seen["root"], seen["parent"], seen["agent_type"]) == (child.root.public_id, child.root.public_id, "general")  # type: ignore[union-attr]
        assert Api(person).get(f"{at}snapshot/")["state"]["origin"]["agent_id"] == child.agent_id
    for path in ("", "snapshot/", "events/", "approvals/"):
        Api(charlie).get(at + path, 404)


def test_who_may_approve_in_the_project_decides_for_its_sub_agents(
    child: Session, session: Session, alice: User, bob: User, charlie: User
) -> None:
    decide = f"sessions/{child.public_id}/approvals/a-c1/decide/"
    Api(charlie).post(decide, DECISION, 404)
    Api(bob).post(decide, DECISION, 403)
    Api(alice).post(decide, DECISION)
    assert state_of(child) == "queued"
    assert Session.objects.get(pk=session.pk).asks == 0


def test_a_viewer_sees_and_changes_nothing(child: Session, bob: User) -> None:
    Membership.objects.filter(user=bob).update(role="viewer")
    Api(bob).get(f"sessions/{child.public_id}/")
    Api(bob).post(f"sessions/{child.public_id}/stop/", {}, 403)
    assert Run.objects.get(session=child).state == "waiting"


def test_lists_show_what_people_opened(child: Session, session: Session, as_bob: Api) -> None:
    listed = as_bob.get("sessions/")["results"]
    assert [(row["id"], row["asks"], row["root"]) for row in listed] == [(session.public_id, 1, None)]
    assert as_bob.get(f"projects/{session.project.public_id}/")["session_count"] == 1


def test_words_of_a_sub_agent_are_found_with_its_root(child: Session, session: Session, as_bob: Api) -> None:
    (found,) = as_bob.get("sessions/", q="pelicans")["results"]
    assert found["id"] == session.public_id
    assert "pelicans" in found["snippet"]


def test_the_inbox_says_whose_sub_agent_asks(child: Session, session: Session, alice: User, charlie: User) -> None:
    (item,) = Api(alice).get("inbox/")
    assert item["session"] == {"id": child.public_id, "title": "Look for pelicans"}
    assert item["root"] == {"id": session.public_id, "title": "Fix the parser"}
    assert item["may_decide"]
    assert Api(charlie).get("inbox/") == []


def test_the_root_shows_what_its_sub_agent_asks(child: Session, session: Session, as_bob: Api) -> None:
    (report,) = as_bob.get(f"sessions/{session.public_id}/snapshot/")["state"]["agents"]
    assert (report["session_id"], report["state"]) == (child.public_id, "waiting")
    assert [ask["approval"]["approval_id"] for ask in report["asks"]] == ["a-c1"]
