"""The API of sessions: everything that is done there without a browser, and by whom."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.workspace.sessions import worker
from tests.workspace.sessions.api import Api
from workspace.accounts.models import Membership, User
from workspace.projects.models import Project
from workspace.sessions import protocol as p
from workspace.sessions.actions import perform
from workspace.sessions.models import Session

HELLO = p.SendMessage(message_id="message-1", text="Please fix the lexer.")


# --- doing -------------------------------------------------------------------------------------------------------------


def test_a_message_is_posted_and_its_repetition_does_nothing(as_bob: Api, at: str) -> None:
    posted = as_bob.post(f"{at}messages/", {"text": "Go", "message_id": "message-9"})
    assert (posted["head"], posted["entry"]["fact"]["text"]) == (3, "Go")
    assert as_bob.post(f"{at}messages/", {"text": "Go", "message_id": "message-9"}) == {"head": 3, "entry": None}
    assert as_bob.post(f"{at}messages/", {"text": "Go"})["head"] == 4
    assert as_bob.post(f"{at}stop/")["entry"]["fact"]["type"] == "stop.asked"


@pytest.mark.parametrize("body", [{}, {"text": ""}, {"text": 7}, {"text": "Go", "loudly": True}, [], "Go", {"text": "\ud800"}])
def test_a_message_that_is_none_is_explained(as_bob: Api, at: str, body: object) -> None:
    problem = as_bob.send("post", f"{at}messages/", body, 400)
    assert problem["kind"] == "invalid"
    assert problem["detail"]


def test_an_approval_is_decided_and_the_second_is_told_by_whom(as_alice: Api, waiting: Session, at: str, bob: User, as_bob: Api) -> None:
    decide = f"{at}approvals/a-c1/decide/"
    assert [row["state"] for row in as_bob.get(f"{at}approvals/", open=1)] == ["open"]
    as_bob.post(decide, {"hash": worker.ASKED.hash, "verdict": "allow"}, 403)
    as_alice.post(decide, {"hash": worker.ASKED.hash, "verdict": "allow"})
    Membership.objects.filter(user=bob).update(role="reviewer")
    problem = as_bob.post(decide, {"hash": worker.ASKED.hash, "verdict": "deny"}, 409)
    assert (problem["kind"], problem["by"]["name"]) == ("conflict", "Alice Ames")
    assert as_bob.get(f"{at}approvals/", open=1) == []
    assert as_bob.get(f"{at}approvals/")[0]["decided_by"]["name"] == "Alice Ames"


def test_the_rules_of_an_approval_are_shown_before_they_are_made(
    as_alice: Api, waiting: Session, project: Project, at: str, charlie: User
) -> None:
    (rule,) = as_alice.get(f"{at}approvals/a-c1/rules/")
    as_alice.post(f"{at}approvals/a-c1/decide/", {"hash": worker.ASKED.hash, "verdict": "allow", "scope": "project"})
    assert rule == project.rules.values("tool", "pattern", "action").get()
    assert as_alice.get(f"{at}approvals/unheard-of/rules/", 404)["title"] == "No such approval"
    assert Api(charlie).get(f"{at}approvals/a-c1/rules/", 404)["title"] == "No such session"


def test_a_plan_is_commented_revised_and_approved(as_alice: Api, as_bob: Api, session: Session, at: str) -> None:
    as_bob.post(f"{at}messages/", {"text": "Go"})
    worker.wait_on(session, worker.ENTERED, worker.PROPOSED)
    as_bob.post(f"{at}plan/comments/", {"revision": 1, "text": "Why?", "quote": "Read", "start": 8})
    as_bob.post(f"{at}plan/revise/", {"base": 1, "text": "Edit."})
    first, second = as_bob.get(f"{at}plan/")["revisions"]
    assert (first["by"], first["comments"][0]["text"], first["state"]) == (None, "Why?", "replaced")
    as_alice.post(f"{at}plan/review/", {"revision": 2, "hash": second["hash"], "verdict": "approved"})
    plan = as_bob.get(f"{at}plan/")
    assert (plan["state"]["stage"], plan["revisions"][1]["reviews"][0]["by"]["name"]) == ("approved", "Alice Ames")
    as_alice.post(f"{at}plan/leave/", status=409)


def test_a_question_is_answered(as_bob: Api, session: Session, at: str) -> None:
    as_bob.post(f"{at}messages/", {"text": "Go"})
    worker.wait_on(session, worker.CHOICE)
    as_bob.post(f"{at}questions/q-c1/answer/", {"answers": [{"labels": ["Left"], "text": ""}]})
    assert as_bob.get(f"{at}questions/")[0]["state"] == "answered"


def test_todos_are_written_and_read(as_bob: Api, at: str) -> None:
    todos = [{"content": "Read", "status": "pending", "active": "Reading"}]
    assert as_bob.send("put", f"{at}todos/", todos) == todos
    assert as_bob.get(f"{at}todos/") == todos
    as_bob.send("put", f"{at}todos/", [{"content": "Read", "status": "perhaps"}], 400)


def test_a_session_is_changed(as_bob: Api, at: str) -> None:
    row = as_bob.send("patch", at, {"title": "Mine", "provider": "openai", "archived": True})
    assert (row["title"], row["provider"], row["toolset"], row["archived"]) == ("Mine", "openai", "oats", True)
    as_bob.send("patch", at, {"title": ""}, 400)


def test_the_generic_door_takes_every_command(as_bob: Api, at: str) -> None:
    assert as_bob.post(f"{at}commands/", {"command": "add_comment", "text": "Hm"})["entry"]["fact"]["type"] == "comment.added"
    assert as_bob.post(f"{at}commands/", {"command": "make_coffee"}, 400)["kind"] == "invalid"


def test_what_the_session_changed_is_told(as_bob: Api, project: Project) -> None:
    (project.root / "old.txt").write_text("old\n")
    row = as_bob.post("sessions/", {"project": project.public_id}, 201)
    (project.root / "new.txt").write_text("one\ntwo\n")
    diff = as_bob.get(f"sessions/{row['id']}/diff/")
    assert [(one["path"], one["change"]) for one in diff["files"]] == [("new.txt", "created")]
    assert (diff["added"], diff["removed"]) == (2, 0)


def test_the_inbox_holds_what_waits_and_says_who_may(as_alice: Api, as_bob: Api, waiting: Session) -> None:
    (item,) = as_bob.get("inbox/")
    assert (item["session"]["id"], item["ask"]["approval"]["approval_id"], item["may_decide"]) == (waiting.public_id, "a-c1", False)
    assert as_alice.get("inbox/")[0]["may_decide"] is True
    perform(waiting, waiting.created_by or User(), p.StopRun())
    assert as_bob.get("inbox/") == []


# --- who may -----------------------------------------------------------------------------------------------------------

READ = ["", "snapshot/", "events/", "events/1/", "approvals/", "questions/", "plan/", "todos/", "diff/"]
WRITTEN = [
    "messages/", "stop/", "comments/", "approvals/a/decide/", "questions/q/answer/", "plan/review/", "plan/comments/", "plan/revise/",
    "plan/leave/", "memories/m/leave-out/", "worktree/land/", "worktree/drop/", "commands/",
]  # fmt: skip


@pytest.mark.parametrize("path", READ)
def test_a_viewer_reads_and_a_stranger_finds_nothing(session: Session, bob: User, charlie: User, at: str, path: str) -> None:
    Membership.objects.filter(user=bob).update(role="viewer")
    Api(bob).get(at + path)
    assert Api(charlie).get(at + path, 404)["kind"] == "missing"
    assert Client().get(f"/api/{at}{path}").status_code == 401


@pytest.mark.parametrize("path", WRITTEN)
def test_a_stranger_writes_nothing(session: Session, charlie: User, at: str, path: str) -> None:
    assert Api(charlie).post(at + path, {}, 404)["kind"] == "missing"
    assert Client().post(f"/api/{at}{path}").status_code == 401


def test_a_stranger_lists_and_changes_nothing(waiting: Session, project: Project, charlie: User, at: str) -> None:
    stranger = Api(charlie)
    assert stranger.get("sessions/")["results"] == []
    assert stranger.get("sessions/", q="lexer")["results"] == []
    assert stranger.get("inbox/") == []
    stranger.post("sessions/", {"project": project.public_id}, 404)
    stranger.send("patch", at, {"title": "Mine"}, 404)
    stranger.send("put", f"{at}todos/", [], 404)
