from __future__ import annotations

import time

import pytest

from agents.search.ranking import Described, ranked, words_of

THINGS = [
    Described("get_app_logs", ("logs", "output"), "Show what an application wrote to its log."),
    Described("deploy_app", ("deploy", "release"), "Bring a new version of an application to the servers."),
    Described("webfetch", ("url", "page"), "Read a page of the web."),
    Described("listIssues", ("bugs",), "Issues of a repository."),
    Described("rename_file", (), "Give a file another name."),
    Described("write_file", (), "Write a file anew."),
]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("deploy the new release", "deploy_app"),
        ("how do I see the logs of the app", "get_app_logs"),
        ("fetch a url from the web", "webfetch"),
        ("issues", "listIssues"),
        ("BUGS", "listIssues"),
        ("rename", "rename_file"),
        ("write_file", "write_file"),
        ("deplyo", "deploy_app"),
        ("releasing", "deploy_app"),
    ],
)
def test_what_fits_best_stands_first(query: str, first: str) -> None:
    assert ranked(query, THINGS)[0] == first


@pytest.mark.parametrize("query", ["", "   ", "the of a", "xyzzy", "?!", "日本語"])
def test_what_fits_nothing_finds_nothing(query: str) -> None:
    assert ranked(query, THINGS) == []


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    things = [*THINGS, *(Described(f"file_{letter}", (), "Something with a file.") for letter in "abcdef")]
    assert ranked("rename file", things)[0] == "rename_file"


def test_what_fits_alike_stands_by_name_whatever_the_order() -> None:
    things = [Described(name, (), "Same.") for name in ("saw_b", "saw_c", "saw_a")]
    assert ranked("saw", things) == ranked("saw", things[::-1]) == ["saw_a", "saw_b", "saw_c"]


def test_the_barely_fitting_are_left_out() -> None:
    things = [Described("plant_tree", ("garden",)), Described("mend_fence", (), "Mend a fence beside a tree.")]
    assert ranked("plant a tree in the garden", things) == ["plant_tree"]


def test_names_are_taken_apart_into_words() -> None:
    assert words_of("mcp__git-hub__listIssues2 Ärger_über") == ["mcp", "git", "hub", "list", "issues2", "ärger", "über"]


def test_a_huge_query_over_many_things_takes_no_time() -> None:
    things = [
        Described(f"tool_{n}", tuple(f"word{n}{k}" for k in range(10)), " ".join(f"text{n}x{k}" for k in range(60))) for n in range(200)
    ]
    began = time.monotonic()
    ranked(" ".join(f"question{n}" for n in range(5000)), things)
    assert time.monotonic() - began < 5
