"""The API of sessions: everything that can be done without a browser, and by whom."""

from __future__ import annotations

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from agents import events as e
from tests.workspace.sessions import worker
from tests.workspace.sessions.api import Api
from workspace.accounts.models import Membership, User
from workspace.projects.models import Project
from workspace.sessions import log
from workspace.sessions import protocol as p
from workspace.sessions.actions import perform
from workspace.sessions.models import LoggedFact, Session
from workspace.sessions.state import state_after

HELLO = p.SendMessage(message_id="message-1", text="Please fix the lexer.")


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
    assert snapshot.context_window == 128_000
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
