"""Which memories a message brings back: those that have to do with it, few and short."""

from __future__ import annotations

import pytest

from tests.workspace.memories.test_api import remember, signed_in
from workspace.accounts.models import Team, User
from workspace.memories.actions import Belonging
from workspace.memories.models import Memory
from workspace.memories.recall import MOST, MOST_TEXT, relevant, told
from workspace.projects.models import Project


@pytest.fixture
def ours(project: Project, team: Team, alice: User, bob: User) -> None:
    remember(Belonging(project=project), "Running the tests", "python -m unittest, from the project's root", by=alice)
    remember(Belonging(project=project), "Shipping", "A book weighs 400 g; shipping is free from 30 euros.", by=alice)
    remember(Belonging(team=team), "Style of the parsers", "recursive descent, no generated code", tags=["parsing"], by=alice)
    remember(Belonging(owner=alice), "Short parser reviews", "at most ten lines", type="user", by=alice)
    remember(Belonging(owner=bob), "Long parser reviews", "at least ten pages", type="user", by=bob)


def brought_back(project: Project, person: User | None, message: str) -> dict[str, str]:
    return {memory.title: memory.why for memory in told(relevant(project, person, message))}


@pytest.mark.usefixtures("ours")
def test_a_message_brings_back_what_shares_its_words_and_says_which(project: Project, alice: User) -> None:
    back = brought_back(project, alice, "Please fix the Parser, and add tests for parsing. It drops the last line.")
    assert back == {
        "Style of the parsers": "shares “parser”, “parsing”",
        "Running the tests": "shares “tests”",
        "Short parser reviews": "shares “parser”, “line”",
    }
    assert next(iter(back)) == "Style of the parsers"


@pytest.mark.usefixtures("ours")
@pytest.mark.parametrize(
    "message",
    [
        "", "   ", "?!", "hello", "Please add a new feature to the project and fix the code.", "Write a poem about the sea.",
        "What can you do?", "Say it in ten words", "😀", "\"'*:(", "Make the login page blue",
    ],
)  # fmt: skip
def test_a_message_about_something_else_brings_nothing_back(project: Project, alice: User, message: str) -> None:
    assert brought_back(project, alice, message) == {}


@pytest.mark.usefixtures("ours")
def test_only_ones_own_and_the_projects_and_its_teams_come_back(project: Project, bob: User, charlie: User, team: Team) -> None:
    assert set(brought_back(project, bob, "the parser")) == {"Style of the parsers", "Long parser reviews"}
    assert set(brought_back(project, None, "the parser")) == {"Style of the parsers"}
    foreign = Project.objects.create(team=Team.objects.get(slug="elsewhere"), name="Far", slug="far")
    assert brought_back(foreign, charlie, "the parser") == {}
    sibling = Project.objects.create(team=team, name="Sibling", slug="sibling")
    assert set(brought_back(sibling, bob, "tests of the parser")) == {"Style of the parsers", "Long parser reviews"}


@pytest.mark.usefixtures("ours")
def test_what_is_left_out_makes_room_for_the_next(project: Project, alice: User) -> None:
    style = Memory.objects.get(title="Style of the parsers")
    found = relevant(project, alice, "the parser", without=[style.public_id])
    assert [one.memory.title for one in found] == ["Short parser reviews"]


def test_few_come_back_and_no_more_text_than_may(project: Project) -> None:
    for name in ("north", "south", "east", "west", "up", "down", "back"):
        remember(Belonging(project=project), f"Parser {name}", "tokenizer " + "x " * 500)
    memories = told(relevant(project, None, "the tokenizer of the parser that goes west"))
    assert 3 <= len(memories) <= MOST
    assert memories[0].title == "Parser west"
    assert sum(len(memory.title) + len(memory.content) for memory in memories) <= MOST_TEXT + 100 * len(memories)


def test_a_memory_too_long_is_cut_and_says_so(project: Project) -> None:
    memory = remember(Belonging(project=project), "Parser", "word " * 3_000)
    (one,) = told(relevant(project, None, "the parser"))
    assert len(one.content) < MOST_TEXT + 100
    assert f"more characters: read the memory {memory.public_id[:8]}]" in one.content


def test_a_word_that_most_memories_hold_brings_none_back_alone(project: Project) -> None:
    for number in range(12):
        remember(Belonging(project=project), f"Bookshelf note {number}", "anything")
    remember(Belonging(project=project), "Bookshelf taxes", "by country")
    assert set(brought_back(project, None, "Improve the bookshelf")) == set()
    assert set(brought_back(project, None, "Improve taxes in the bookshelf")) == {"Bookshelf taxes"}


def test_a_long_message_must_share_more(project: Project) -> None:
    remember(Belonging(project=project), "Unrelated", "the harbour and the mountain, as they stand")
    many = " ".join(f"subject{number}" for number in range(40))
    assert brought_back(project, None, "harbour mountain")
    assert not brought_back(project, None, f"harbour mountain {many}")


@pytest.mark.usefixtures("ours")
def test_the_preview_is_what_would_come_back(project: Project, bob: User, alice: User, charlie: User, team: Team) -> None:
    address = f"/api/projects/{project.public_id}/recall/"
    rows = signed_in(bob).post(address, {"prompt": "Fix the parser"}, format="json").json()
    assert {(row["title"], row["why"], row["scope"]) for row in rows} == {
        ("Style of the parsers", "shares “parser”", "team"), ("Long parser reviews", "shares “parser”", "user"),
    }  # fmt: skip
    style = Memory.objects.get(title="Style of the parsers")
    assert {row["memory_id"]: row["content"] for row in rows}[style.public_id] == "recursive descent, no generated code"
    assert Memory.objects.filter(used_count__gt=0).count() == 0
    assert signed_in(alice).post(address, {"prompt": ""}, format="json").json() == []
    assert signed_in(alice).post(address, {}, format="json").status_code == 400
    assert signed_in(charlie).post(address, {"prompt": "Fix the parser"}, format="json").status_code == 404
    team.memberships.filter(user=bob).update(role="viewer")
    assert signed_in(bob).post(address, {"prompt": "Fix the parser"}, format="json").status_code == 403
