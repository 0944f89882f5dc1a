"""Sessions found by what was said in them: in every form, ranked, and still a page at a time."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from agents import events as e
from tests.workspace.sessions.api import Api
from workspace.accounts.models import Membership, User
from workspace.projects.models import Project
from workspace.sessions import log
from workspace.sessions.finding import snippet
from workspace.sessions.models import Session

pytestmark = pytest.mark.django_db


def opened(project: Project, title: str, *said: str, parent: Session | None = None) -> Session:
    session = Session.objects.create(project=project, parent=parent, root=parent)
    log.append(session.pk, [e.SessionOpened(title=title, toolset="oats", provider="scripted", model="demo")])
    facts = [e.UserSpoke(message_id=f"message-{number}", text=text) for number, text in enumerate(said)]
    log.append(session.pk, facts)
    return session


def titles(api: Api, q: str, **more: Any) -> list[str]:
    return [row["title"] for row in api.get("sessions/", q=q, **more)["results"]]


def test_a_word_is_found_in_every_form_in_title_and_talk(as_bob: Api, project: Project) -> None:
    opened(project, "Talk", "Please look at the parsers.")
    opened(project, "Testing parsers", "hello")
    opened(project, "Other", "zebra")
    assert titles(as_bob, "parser") == ["Testing parsers", "Talk"]
    assert titles(as_bob, "tests") == ["Testing parsers"]
    assert titles(as_bob, "pars") == ["Testing parsers", "Talk"]
    assert titles(as_bob, '"the parsers"') == ["Talk"]
    assert titles(as_bob, "parser -testing") == ["Talk"]
    assert set(titles(as_bob, "-zebra")) == {"Talk", "Testing parsers"}


def test_every_word_has_to_stand_somewhere_in_the_session(as_bob: Api, project: Project) -> None:
    opened(project, "Lexer", "one", "two tokens", "three")
    opened(project, "Half", "one")
    assert titles(as_bob, "lexer token one") == ["Lexer"]
    assert titles(as_bob, "lexer cobol") == []


def test_the_most_relevant_come_first_and_among_equals_the_newest(as_bob: Api, project: Project) -> None:
    names = ["apart", "old", "new", "named parser tests"]
    apart, *others = [opened(project, name) for name in names]
    log.append(apart.pk, [e.UserSpoke(message_id="message-a", text="a parser"), e.UserSpoke(message_id="message-b", text="some tests")])
    for session in others[:2]:
        log.append(session.pk, [e.UserSpoke(message_id="message-c", text="the parser and its tests")])
    assert titles(as_bob, "parser tests") == ["named parser tests", "new", "old", "apart"]


def test_a_search_comes_in_pages_without_gap_or_double(as_bob: Api, project: Project) -> None:
    for number in range(7):
        opened(project, f"Session {number}", "parser " * (number % 3 + 1))
    whole, seen, cursor = titles(as_bob, "parser"), list[str](), ""
    while True:
        at_cursor: dict[str, Any] = {"cursor": cursor} if cursor else {}
        page = as_bob.get("sessions/", q="parser", limit=2, **at_cursor)
        seen += [row["title"] for row in page["results"]]
        if not page["next"]:
            break
        cursor = page["next"].split("cursor=")[1].split("&")[0].replace("%3D", "=")
    assert seen == whole
    assert len(set(seen)) == 7


def test_a_list_without_a_search_goes_by_time_however_many_there_are(as_bob: Api, project: Project) -> None:
    for number in range(3):
        session = opened(project, f"Session {number}")
        Session.objects.filter(pk=session.pk).update(active_at=timezone.now() - timedelta(days=number))
    assert titles(as_bob, "") == titles(as_bob, "  ()") == ["Session 0", "Session 1", "Session 2"]


def test_a_renamed_session_is_found_by_its_new_title_only(as_bob: Api, project: Project) -> None:
    session = opened(project, "Cobol")
    log.append(session.pk, [e.SessionRenamed(title="Fortran")])
    assert (titles(as_bob, "cobol"), titles(as_bob, "fortran")) == ([], ["Fortran"])


def test_what_a_sub_agent_said_is_found_with_the_root_of_its_tree(as_bob: Api, project: Project) -> None:
    root = opened(project, "Root", "begin")
    opened(project, "Child", "it is the tokenizer, I say", parent=root)
    (row,) = as_bob.get("sessions/", q="tokenizers")["results"]
    assert (row["title"], row["snippet"]) == ("Root", "it is the tokenizer, I say")


def test_narrowed_lists_stay_narrow_and_strangers_find_nothing(
    as_bob: Api, project: Project, alice: User, bob: User, charlie: User
) -> None:  # fmt: skip
    ours = opened(project, "Ours", "parser")
    Session.objects.filter(pk=ours.pk).update(created_by=alice)
    assert titles(as_bob, "parser", person=alice.public_id) == ["Ours"]
    assert titles(as_bob, "parser", person=bob.public_id) == []
    assert titles(Api(charlie), "parser") == []
    Membership.objects.filter(user=bob).update(role="viewer")
    assert titles(as_bob, "parser") == ["Ours"]
    Membership.objects.filter(user=bob).delete()
    assert titles(as_bob, "parser") == []


@pytest.mark.parametrize("q", ['"', "a AND (", "NEAR(", "*", "\\", "'; DROP TABLE", "title:x", "%", "-", "😀", "<->", "!a"])
def test_nothing_that_is_typed_is_an_error(as_bob: Api, project: Project, q: str) -> None:
    opened(project, "Some", "a title x drop table")
    titles(as_bob, q)


@pytest.mark.parametrize(
    ("text", "word", "shown"),
    [
        ("The parsers are slow.", "parser", "The parsers are slow."),
        ("x" * 50 + " parsing " + "y" * 200, "parse", "… " + "x" * 31 + " parsing " + "y" * 119 + " …"),
        ("one\n\n two", "one", "one two"),
        ("nothing of it", "zebra", "nothing of it"),
    ],
)
def test_a_snippet_shows_the_word_in_whatever_form(text: str, word: str, shown: str) -> None:
    assert snippet(text, word) == shown
