"""Memories found by full text: words in every form, ranked, safe against whatever is typed, and marked."""

from __future__ import annotations

import random
from typing import Any

import pytest
from django.db import connection

from tests.workspace.memories.test_api import remember, signed_in, titles
from workspace.accounts.models import Team, User
from workspace.memories.actions import Belonging
from workspace.memories.models import Memory
from workspace.projects.models import Project


@pytest.fixture
def mine(alice: User) -> Belonging:
    return Belonging(owner=alice)


def found(query: str) -> list[str]:
    return [memory.title for memory in Memory.objects.all().matching(query)]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("parser", "The parsers are slow."), ("parsers", "One parser."), ("testing", "We tested it."), ("pars", "parser"),
        ("PARSER", "a Parser!"), ("lexer", "see src/lexer.py"), ("lexer.py", "see src/lexer.py"), ("src/lexer.py", "see src/lexer.py"),
        ("max_line", "MAX_LINE = 140"), ("größe", "die Größe zählt"), ("данные", "все данные здесь"), ("数据库", "数据库 在这里"),
        ('"short functions"', "Write short functions."), ("it's", "it's here"), ("the", "The one."), ("x-ray", "an x-ray of it"),
    ],
)  # fmt: skip
def test_a_word_is_found_in_every_form(query: str, text: str, mine: Belonging) -> None:
    remember(mine, "Wanted", text)
    remember(mine, "Other", "zebra")
    assert found(query) == ["Wanted"]


@pytest.mark.parametrize("query", ['"functions short"', "parsing-lexer", "short -functions", "arser", "zebra"])
def test_what_is_not_there_is_not_found(query: str, mine: Belonging) -> None:
    remember(mine, "Style", "Write short functions.")
    assert found(query) == []


def test_title_and_tags_weigh_more_than_content(mine: Belonging) -> None:
    remember(mine, "Content", "a parser among many other things")
    remember(mine, "Tagged", "something else", tags=["parser"])
    remember(mine, "The parser", "something else")
    for number in range(8):
        remember(mine, f"Other {number}", "nothing of the kind")
    assert found("parser") == ["The parser", "Tagged", "Content"]


def test_a_rare_word_weighs_at_least_as_much_as_a_frequent_one(mine: Belonging) -> None:
    for number in range(6):
        remember(mine, f"Note {number}", "python")
    remember(mine, "Both", "python and cobol")
    assert found("python cobol")[0] == "Both"


def test_words_to_leave_out_are_left_out(mine: Belonging) -> None:
    remember(mine, "One", "parser and lexer")
    remember(mine, "Two", "parser alone")
    assert found("parser -lexer") == ["Two"]
    assert found("-lexer") == ["Two"]
    assert found('parser -"and lexer"') == ["Two"]


SIGNS = "\"'()*:^-+%_\\&|!<>~{}[]@#$/?.,;=\0\n\t😀\u202e ORANDNOTNEARab"


def test_nothing_that_is_typed_is_an_error(alice: User, mine: Belonging) -> None:
    remember(mine, "a", "b OR c AND NOT near")
    typed = random.Random(7)
    for _ in range(150):
        found("".join(typed.choice(SIGNS) for _ in range(typed.randrange(1, 30))))
    for query in ("NEAR(a b)", "title:a", 'a"', "a OR", "NOT a", "a*", "{title}: a", "x" * 100_000, "a " * 50_000, "'a' & !b:*A"):
        assert signed_in(alice).get("/api/memories/", {"q": query[:4_000]}).status_code == 200
        found(query)


def test_the_index_follows_every_change_and_deletion(mine: Belonging, alice: User) -> None:
    memory = remember(mine, "Old", "first", tags=["Über", "ci/cd"])
    assert (found("first"), found("über"), found("cd")) == (["Old"], ["Old"], ["Old"])
    Memory.objects.filter(pk=memory.pk).update(title="New", content="second", tags=["other"])
    assert (found("old"), found("first"), found("über"), found("second"), found("other")) == ([], [], [], ["New"], ["New"])
    Memory.objects.filter(pk=memory.pk).delete()
    assert found("second") == []
    remember(mine, "Gone with its owner", "third")
    alice.delete()
    assert found("third") == []


def test_a_memory_too_long_to_index_is_kept_and_found_by_its_beginning(mine: Belonging) -> None:
    content = "begins " + " ".join(f"word{number}" for number in range(200_000))
    remember(mine, "Long", content)
    assert found("begins") == ["Long"]
    assert Memory.objects.get().content == content


def test_filters_hold_and_nobody_finds_what_is_not_theirs(
    alice: User, bob: User, charlie: User, project: Project, team: Team
) -> None:  # fmt: skip
    remember(Belonging(owner=alice), "Alice's parser", type="user")
    remember(Belonging(owner=bob), "Bob's parser", type="user")
    remember(Belonging(project=project), "The parser")
    remember(Belonging(team=team), "All parsers")
    assert titles(signed_in(alice), q="parsers", type="user") == ["Alice's parser"]
    assert set(titles(signed_in(bob), q="parser")) == {"Bob's parser", "The parser", "All parsers"}
    assert titles(signed_in(bob), q="parser", project=project.public_id) == ["The parser"]
    assert titles(signed_in(charlie), q="parser") == []
    team.memberships.filter(user=bob).update(role="viewer")
    assert set(titles(signed_in(bob), q="parser")) == {"Bob's parser", "The parser", "All parsers"}


def test_a_result_says_why_and_where(alice: User, mine: Belonging) -> None:
    remember(mine, "😀 The Parsers", "Run tests on <b>parsing</b> and tested parser.", tags=["style", "parser"])
    (row,) = signed_in(alice).get("/api/memories/", {"q": "parser Tests -cobol"}).json()["results"]
    assert row["why"] == "shares “parser”, “tests”"
    marks: dict[str, Any] = row["marks"]
    assert [row["title"][start:end] for start, end in marks["title"]] == ["Parsers"]
    assert [row["content"][start:end] for start, end in marks["content"]] == ["tests", "tested", "parser"]
    assert marks["tags"] == [1]


def test_outside_of_a_search_nothing_is_marked(alice: User, mine: Belonging) -> None:
    memory = remember(mine, "The parser")
    row = signed_in(alice).get(f"/api/memories/{memory.public_id}/").json()
    assert (row["why"], row["marks"]) == ("", {"title": [], "content": [], "tags": []})


def test_the_best_come_in_pages_without_gap_or_double(alice: User, mine: Belonging) -> None:
    for number in range(9):
        remember(mine, f"Note {number}", "parser " * (number + 1) + "and more words of every kind")
    client, seen, address = signed_in(alice), [], "/api/memories/?q=parser&limit=2"
    while address:
        page = client.get(address).json()
        seen += [row["title"] for row in page["results"]]
        address = page["next"]
    assert seen == found("parser")
    assert sorted(seen) == [f"Note {number}" for number in range(9)]


@pytest.mark.django_db
def test_the_index_is_used() -> None:
    plan = Memory.objects.all().matching("parser").explain()
    assert "fulltext" in plan or connection.vendor == "postgresql"  # which reads so few rows one by one
