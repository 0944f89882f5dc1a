"""Texts and their bytes: tags, line ends, byte order marks, and what is no text."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.edits.hashline.body import Body
from agents.edits.hashline.rows import header, numbered, shown_lines
from agents.edits.hashline.tags import tag_of
from agents.errors import NotText, ToolError
from tests.agents.edits.hashline.cases import hashline


@pytest.mark.parametrize("vector", hashline("tag_vectors"), ids=lambda vector: repr(vector["text"]))
def test_tags_are_those_of_the_case_file(vector: dict[str, Any]) -> None:
    assert tag_of(vector["text"]) == vector["tag"]


def test_a_tag_does_not_see_line_ends_and_trailing_blanks() -> None:
    assert tag_of("\ufeffone  \r\ntwo\t\rthree\n") == tag_of("one\ntwo\nthree\n") == "2543"
    assert tag_of(" one\ntwo\nthree\n") != "2543"
    assert tag_of("collision-389\n") == tag_of("collision-445\n") == "D474"


def test_a_tag_of_endless_blanks_takes_no_time() -> None:
    began = time.process_time()
    tag_of(" " * 2_000_000 + "x")
    assert time.process_time() - began < 2


@given(st.text(alphabet="ab é\t\n", max_size=30), st.booleans(), st.sampled_from(["\n", "\r\n", "\r"]))
def test_bytes_come_back_as_they_were(text: str, bom: bool, newline: str) -> None:
    data = b"\xef\xbb\xbf" * bom + text.replace("\n", newline).encode()
    body = Body.of(data)
    assert (body.text, body.bytes_of(body.text)) == (text, data)


@pytest.mark.parametrize(
    ("data", "text", "after"),
    [(b"a\r\nb\nc", "a\nb\nc", b"a\r\nb\r\nc"), (b"a\nb\r\nc\r", "a\nb\nc\n", b"a\nb\nc\n"), (b"a\rb\r\n", "a\nb\n", b"a\r\nb\r\n")],
)
def test_the_first_line_end_is_that_of_all(data: bytes, text: str, after: bytes) -> None:
    assert (Body.of(data).text, Body.of(data).bytes_of(text)) == (text, after)


@pytest.mark.parametrize("data", [b"a\0b", b"\xff\xfe", b"caf\xe9"])
def test_what_is_no_text_says_so(data: bytes) -> None:
    with pytest.raises(NotText):
        Body.of(data)


def test_half_a_character_is_refused() -> None:
    with pytest.raises(ToolError, match="half a character"):
        Body.of(b"").bytes_of("\ud800")


def test_rows_have_numbers_and_the_end_has_none() -> None:
    assert numbered(shown_lines("a\n\nc\n")) == "1:a\n2:\n3:c"
    assert numbered(shown_lines("x"), 7) == "7:x"
    assert (shown_lines(""), shown_lines("\n")) == ([], [""])
    assert header("src/a.py", "1A2B") == "[src/a.py#1A2B]"
