"""The API of sessions: everything that can be done without a browser, and by whom."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from agents import events as e
from tests.workspace.sessions import worker
from workspace.accounts.models import Membership, User
from workspace.projects.models import Project
from workspace.sessions import log
from workspace.sessions import protocol as p
from workspace.sessions.actions import perform
from workspace.sessions.models import LoggedFact, Session
from workspace.sessions.state import state_after

HELLO = p.SendMessage(message_id="message-1", text="Please fix the lexer.")


class Api:
    """The API as one person reaches it."""

    def __init__(self, person: User) -> None:
        self.client = Client()
        self.client.force_login(person)

    def get(self, path: str, answers: int = 200, **query: Any) -> Any:
        return self._read(self.client.get(f"/api/{path}", query), answers)

    def send(self, method: str, path: str, body: object, status: int = 200) -> Any:
        send = getattr(self.client, method)
        return self._read(send(f"/api/{path}", json.dumps(body), content_type="application/json"), status)

    def post(self, path: str, body: object = None, status: int = 200) -> Any:
        return self.send("post", path, body or {}, status)

    def _read(self, response: Any, status: int) -> Any:
        assert response.status_code == status, response.content
        return response.json()


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


# --- opening and finding -----------------------------------------------------------------------------------------------


def test_a_session_is_opened_with_a_prompt_and_is_at_work(as_bob: Api, project: Project) -> None:
    row = as_bob.post("sessions/", {"project": project.public_id, "prompt": "Fix the lexer.\nIt loops."}, 201)
    assert (row["title"], row["status"], row["created_by"]["name"]) == ("Fix the lexer.", "queued", "Bob Boyd")
    types = [entry["fact"]["type"] for entry in as_bob.get(f"sessions/{row['id']}/events/")["results"]]
    assert types == ["session.opened", "user.spoke", "run.queued"]


def test_a_session_takes_its_choices_from_the_project_or_the_wish(as_bob: Api, project: Project) -> None:
    assert as_bob.post("sessions/", {"project": project.public_id}, 201)["provider"] == "scripted"
    wish = {"project": project.public_id, "title": "Mine", "provider": "openai", "model": "m"}
    row = as_bob.post("sessions/", wish, 201)
    assert (row["title"], row["provider"], row["model"], row["toolset"]) == ("Mine", "openai", "m", "oats")


@pytest.mark.parametrize("wish", [{"provider": "oracle"}, {"toolset": "hammers"}, {"colour": "red"}, {"title": "x" * 201}])
def test_a_wish_that_makes_no_sense_is_explained(as_bob: Api, project: Project, wish: dict[str, str]) -> None:
    problem = as_bob.post("sessions/", {"project": project.public_id, **wish}, 400)
    assert problem["kind"] == "invalid"
    assert list(problem["fields"]) == list(wish)


def test_a_viewer_opens_nothing(as_bob: Api, bob: User, project: Project) -> None:
    Membership.objects.filter(user=bob).update(role="viewer")
    assert as_bob.post("sessions/", {"project": project.public_id}, 403)["kind"] == "forbidden"


def test_nothing_is_opened_in_an_archived_project(as_bob: Api, project: Project) -> None:
    Project.objects.update(archived=True)
    as_bob.post("sessions/", {"project": project.public_id}, 409)


def test_search_finds_what_was_said_and_shows_where(as_bob: Api, session: Session, alice: User, project: Project) -> None:
    Session.objects.create(project=project, title="Another")
    perform(session, alice, p.SendMessage(message_id="message-1", text="Look at the tokenizer of the lexer, please."))
    log.append(session.pk, [worker.spoke(text="The lexer drops a token.")])
    (row,) = as_bob.get("sessions/", q="LEXER token")["results"]
    assert (row["id"], row["snippet"]) == (session.public_id, "The lexer drops a token.")
    assert as_bob.get("sessions/", q="lexer cobol")["results"] == []
    assert as_bob.get("sessions/", q="parser")["results"][0]["snippet"] == ""


def test_lists_are_narrowed(as_bob: Api, session: Session, alice: User, bob: User, project: Project) -> None:
    other = Session.objects.create(project=project, created_by=bob, status="running", archived=True)

    def ids(**query: Any) -> list[str]:
        return [row["id"] for row in as_bob.get("sessions/", **query)["results"]]

    assert ids() == [other.public_id, session.public_id]
    assert ids(person=alice.public_id) == [session.public_id]
    assert ids(status="running") == [other.public_id]
    assert ids(archived="0") == [session.public_id]
    assert ids(archived="1") == [other.public_id]
    assert ids(project=project.public_id, status="failed") == []
    as_bob.get("sessions/", 400, status="sleeping")


def test_lists_come_in_pages(as_bob: Api, project: Project) -> None:
    made = [Session.objects.create(project=project).public_id for _ in range(5)]
    first = as_bob.get("sessions/", limit=2)
    seen = [row["id"] for row in first["results"]]
    following = first["next"]
    while following:
        page = as_bob.get(following.split("/api/")[1])
        seen += [row["id"] for row in page["results"]]
        following = page["next"]
    assert seen == made[::-1]


def test_a_list_costs_few_queries(as_bob: Api, project: Project, django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    for _ in range(10):
        Session.objects.create(project=project)
    with django_assert_max_num_queries(5):
        as_bob.get("sessions/")


# --- the log -----------------------------------------------------------------------------------------------------------


def test_a_snapshot_is_the_state_and_the_newest_entries(as_bob: Api, session: Session, at: str, alice: User) -> None:
    for turn in range(60):
        log.append(session.pk, [e.CommentAdded(comment_id=str(turn), text="Hm")], by=alice)
    snapshot = p.Snapshot.model_validate(as_bob.get(f"{at}snapshot/"))
    session.refresh_from_db()
    assert snapshot.state == session.view
    assert [entry.seq for entry in snapshot.entries] == list(range(12, 62))
    assert (snapshot.first, snapshot.rights) == (12, ("view", "comment", "prompt", "stop", "manage_memories"))
    assert {person.name for person in snapshot.people} == {"Alice Ames", "Bob Boyd"}
    assert as_bob.get(f"{at}snapshot/", limit=100)["first"] == 0


def test_a_snapshot_names_people_who_have_left(as_bob: Api, session: Session, at: str, alice: User) -> None:
    Membership.objects.filter(user=alice).delete()
    assert alice.public_id in {person["id"] for person in as_bob.get(f"{at}snapshot/")["people"]}


def test_a_snapshot_and_the_events_behind_it_are_a_fresh_snapshot(as_bob: Api, waiting: Session, at: str) -> None:
    before = p.Snapshot.model_validate(as_bob.get(f"{at}snapshot/"))
    Api(waiting.created_by or User()).post(f"{at}stop/")
    state = before.state
    for event in as_bob.get(f"{at}events/", since=state.head)["results"]:
        entry = p.WireEntry.model_validate(event)
        state = state_after(state, e.Entry(**entry.model_dump(exclude={"cut", "fact"}), fact=entry.fact))
    assert state == p.Snapshot.model_validate(as_bob.get(f"{at}snapshot/")).state


def test_events_are_read_forwards_and_backwards(as_bob: Api, waiting: Session, at: str) -> None:
    def seqs(**query: int) -> tuple[list[int], int | None]:
        page = as_bob.get(f"{at}events/", **query)
        return [entry["seq"] for entry in page["results"]], page["next"]

    assert seqs(since=2, limit=3) == ([3, 4, 5], 5)
    assert seqs(since=5, limit=3) == ([6, 7], None)
    assert seqs(before=4, limit=2) == ([2, 3], 3)
    assert seqs(before=2, limit=5) == ([1], 1)
    assert seqs(before=1) == ([], None)
    as_bob.get(f"{at}events/", 400, since="yesterday")


def test_long_bodies_are_cut_and_fetched_whole(as_bob: Api, session: Session, at: str) -> None:
    output = "".join(f"line {number}\n" for number in range(2000))
    change = e.FileChange(path="a", change="modified", diff="+" * 20_000)
    finished = e.ToolFinished(call_id="c1", tool="bash", title="Bash", output=output, changes=(change,), metadata={"exit": 0})
    log.append(session.pk, [finished, e.UserSpoke(message_id="message-1", text=output)])
    cut, said = as_bob.get(f"{at}events/", since=1)["results"]
    assert cut["cut"] == ["output", "changes.0.diff"]
    assert (cut["fact"]["output"][:7], cut["fact"]["output"][-5:]) == ("line 0\n", "1999\n")
    assert len(cut["fact"]["output"]) < 4096
    assert (said["cut"], said["fact"]["text"]) == ([], output)
    whole = as_bob.get(f"{at}events/2/")
    assert (whole["fact"], whole["cut"]) == (finished.model_dump(mode="json"), [])
    as_bob.get(f"{at}events/9/", 404)


def test_a_session_with_an_entry_from_the_future_still_opens(as_bob: Api, session: Session, at: str) -> None:
    LoggedFact.objects.filter(session=session).update(type="moon.landed", data='{"type": "moon.landed"}')
    (entry,) = as_bob.get(f"{at}snapshot/")["entries"]
    assert entry["fact"]["type"] == "notice.given"
    assert "moon.landed" in entry["fact"]["text"]


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
    "plan/leave/", "commands/",
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
