"""SEARCH/REPLACE blocks: every case of the case file, and what the cases leave open."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.edits.searchreplace import Place, apply_blocks
from agents.errors import ToolError

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parents[2] / "cases/searchreplace-cases.json").read_text())["cases"]
PIECES = ["------- SEARCH", "=======", "+++++++ REPLACE", "a", "b", "", "+++++ REPLACE", "-- SEARCH", "=====", "========", "+++++++", "```"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_blocks_do_what_their_case_says(case: dict[str, Any]) -> None:
    before = case["before"].encode()
    if case["expect"]["ok"]:
        assert apply_blocks(before, case["diff"]).data == case["expect"]["after"].encode()
        return
    with pytest.raises(ToolError) as refusal:
        apply_blocks(before, case["diff"])
    wanted = case["expect"]["error_gist"].split(":")[0].split(" found")[0].removesuffix("s").lower()
    assert wanted in str(refusal.value).lower()


def block(search: str, replace: str) -> str:
    return f"------- SEARCH\n{search}=======\n{replace}+++++++ REPLACE\n"


def edited(before: bytes, diff: str) -> bytes:
    return apply_blocks(before, diff).data


def test_lines_replaced_by_nothing_are_gone_with_their_ends() -> None:
    assert edited(b"a\r\nb\r\nc\r\n", block("b\n", "")) == b"a\r\nc\r\n"
    assert edited(b"a\nb", block("b\n", "")) == b"a\n"
    assert edited(b"a b c\n", block(" b\n", "")) == b"a c\n"


def test_an_empty_search_writes_lines_into_an_empty_file_only() -> None:
    assert edited(b"", block("", "new\n")) == b"new\n"
    assert edited(b"", block("", "")) == b""
    for blank in ("", "\n", "\n\n", "  \n"):
        with pytest.raises(ToolError, match="only fits an empty file"):
            apply_blocks(b"a\n\nb\n", block(blank, "new\n"))


def test_line_ends_byte_order_mark_and_a_missing_last_newline_are_kept() -> None:
    assert edited(b"a\r\nb\r\n", block("a\n", "x\ny\n")) == b"x\r\ny\r\nb\r\n"
    assert edited(b"a\r\nb\r\n", block("a\n", "x\n").replace("\n", "\r\n")) == b"x\r\nb\r\n"
    assert edited(b"a\r\nb\nc\r\n", block("b\n", "x\ny\n")) == b"a\r\nx\ny\nc\r\n"
    assert edited(b"\xef\xbb\xbfa\nb", block("b\n", "x\n")) == b"\xef\xbb\xbfa\nx"


@pytest.mark.parametrize("before", [b"a\0\n", b"\xff\xfea"])
def test_what_is_no_text_is_refused(before: bytes) -> None:
    with pytest.raises(ToolError, match="cannot be edited as text"):
        apply_blocks(before, block("a\n", "b\n"))


def test_every_block_says_where_it_was_put_and_how_many_places_there_were() -> None:
    done = apply_blocks(b"x\ny\nx\n", block("x\n", "z\n") + block("y\nx\n", "w\n"))
    assert done.data == b"z\nw\n"
    assert done.places == (Place(1, 2), Place(2, 1))


@pytest.mark.parametrize("odd", ["-- SEARCH", "+++++ REPLACE", "   +++++++ REPLACE", "+++++++ replace", "=======", "------- SEARCH "])
def test_a_misspelt_marker_behind_a_good_block_is_not_overlooked(odd: str) -> None:
    with pytest.raises(ToolError, match="line 6 is no marker"):
        apply_blocks(b"a\nb\n", block("a\n", "x\n") + f"{odd}\nb\n")


@pytest.mark.parametrize(
    "end", ["+++++ REPLACE", "+++++++ REPLACE ", "  +++++++ REPLACE", "+++++++ REPL", "+++++++", "```", "+++++ REPLACE\n\n"]
)
def test_an_end_that_is_none_never_gets_into_the_file(end: str) -> None:
    with pytest.raises(ToolError, match="block 1 has no REPLACE line as it should be"):
        apply_blocks(b"a\n", f"------- SEARCH\na\n=======\nx\n{end}")


def test_a_last_block_without_its_end_is_taken_and_said_so() -> None:
    done = apply_blocks(b"a\nb\n", block("a\n", "x\n") + "------- SEARCH\nb\n=======\ny\n")
    assert (done.data, done.ended) == (b"x\ny\n", False)
    assert apply_blocks(b"a\n", block("a\n", "x\n")).ended


HEADED = b"Title\n=======\nold\n"


def test_lines_of_equal_signs_that_may_each_part_a_block_are_refused() -> None:
    with pytest.raises(ToolError, match=r"3, 5, 7.*any of which may part it"):
        apply_blocks(HEADED, block("Title\n=======\nold\n", "Title\n=======\nnew\n"))


def test_of_several_lines_of_equal_signs_the_one_as_long_as_the_marker_parts_the_block() -> None:
    longer = "---------- SEARCH\nTitle\n=======\nold\n==========\nTitle\n=======\nnew\n+++++++ REPLACE"
    assert edited(HEADED, longer) == b"Title\n=======\nnew\n"
    assert edited(b"A title\n=========\nold\n", block("=========\nold\n", "=========\nnew\n")) == b"A title\n=========\nnew\n"


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("\n".join))
def test_no_marker_and_no_half_block_ever_gets_into_a_file_unseen(diff: str) -> None:
    with suppress(ToolError):
        done = apply_blocks(b"a\nb\na\n", diff)
        assert b"------- SEARCH" not in done.data
        assert b"+++++++ REPLACE" not in done.data
