"""SEARCH/REPLACE blocks: every case of the case file, and what the cases leave open."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agents.edits.blocks import apply_blocks
from agents.errors import ToolError

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parents[2] / "cases/searchreplace-cases.json").read_text())["cases"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_blocks_do_what_their_case_says(case: dict[str, Any]) -> None:
    before = case["before"].encode()
    if case["expect"]["ok"]:
        assert apply_blocks(before, case["diff"]) == case["expect"]["after"].encode()
        return
    with pytest.raises(ToolError) as refusal:
        apply_blocks(before, case["diff"])
    wanted = case["expect"]["error_gist"].split(":")[0].split(" found")[0].removesuffix("s").lower()
    assert wanted in str(refusal.value).lower()


def block(search: str, replace: str) -> str:
    return f"------- SEARCH\n{search}=======\n{replace}+++++++ REPLACE\n"


def test_lines_replaced_by_nothing_are_gone_with_their_ends() -> None:
    assert apply_blocks(b"a\r\nb\r\nc\r\n", block("b\n", "")) == b"a\r\nc\r\n"
    assert apply_blocks(b"a b c\n", block(" b\n", "")) == b"a c\n"


def test_an_empty_search_writes_into_an_empty_file_only() -> None:
    assert apply_blocks(b"", block("", "new\n")) == b"new"
    with pytest.raises(ToolError, match="only fits an empty file"):
        apply_blocks(b"a", block("", "new\n"))


def test_line_ends_of_the_file_are_kept() -> None:
    assert apply_blocks(b"a\r\nb\r\n", block("a\n", "x\ny\n")) == b"x\r\ny\r\nb\r\n"


def test_a_misspelt_marker_behind_a_good_block_is_not_overlooked() -> None:
    with pytest.raises(ToolError, match="line 6 is no marker"):
        apply_blocks(b"a\nb\n", block("a\n", "x\n") + "-- SEARCH\nb\n=======\ny\n+++++++ REPLACE\n")
