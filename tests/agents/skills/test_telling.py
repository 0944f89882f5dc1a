from __future__ import annotations

import pytest

from agents.skills.telling import told
from tests.agents.skills.stocked import text


def test_a_skill_tells_its_name_and_when_it_is_of_use() -> None:
    assert told(text("release", "How a release\n  is made")) == told(text("release", "How a release is made"))
    one = told(text("release", "How a release is made"))
    assert (one.name, one.description, one.complaint) == ("release", "How a release is made", "")


@pytest.mark.parametrize(
    ("text_of_it", "name", "complaint"),
    [
        ("", "", "no name and no description"),
        ("# Release", "", "no name and no description"),
        ("---\ndescription: x\n---\n", "", "has no name."),
        ("---\nname: x\n---\n", "x", "has no description."),
        ("---\nname: [a]\ndescription: x\n---\n", "", "has no name."),
        (text("Release"), "Release", "small letters"),
        (text("../up"), "", "small letters"),
        (text("a/b"), "", "small letters"),
        (text("x" * 65), "", "small letters"),
        ("---\n" + "[" * 500 + "\n---\n", "", "no name and no description"),
    ],
)
def test_what_is_wrong_with_it_is_a_sentence_and_no_failure(text_of_it: str, name: str, complaint: str) -> None:
    one = told(text_of_it)
    assert one.name == name
    assert complaint in one.complaint


@pytest.mark.parametrize("letter", ["\\ud800", "\\0"])
def test_what_no_database_and_no_page_takes_is_replaced(letter: str) -> None:
    assert told(f'---\nname: x\ndescription: "a{letter}b"\n---\n').description == "a\ufffdb"
