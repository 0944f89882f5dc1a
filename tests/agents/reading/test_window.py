"""Windows of numbered lines."""

from __future__ import annotations

import pytest

from agents.errors import ToolError
from agents.reading.window import window


def test_lines_are_numbered_from_one() -> None:
    assert window(b"one\r\ntwo").text == "     1\tone\n     2\ttwo"


def test_a_window_shows_its_lines_and_knows_the_rest() -> None:
    shown = window(b"one\ntwo\nthree\n", offset=2, limit=1)
    assert (shown.text, shown.first, shown.last, shown.shown, shown.total) == ("     2\ttwo", 2, 2, 1, 4)


@pytest.mark.parametrize("offset", [0, -5])
def test_an_offset_below_one_is_one(offset: int) -> None:
    assert window(b"a\nb", offset=offset, limit=1).text == "     1\ta"


def test_past_the_end_there_is_nothing() -> None:
    shown = window(b"a\n", offset=9)
    assert (shown.text, shown.shown, shown.total) == ("", 0, 2)


def test_a_long_line_is_cut_and_marked() -> None:
    assert window(b"x" * 2001).text == "     1\t" + "x" * 2000 + "..."
    assert window(b"x" * 2000).text.endswith("x")


def test_bytes_that_are_no_text_become_a_sign_and_nul_is_refused() -> None:
    assert window(b"a\xffb").text == "     1\ta\N{REPLACEMENT CHARACTER}b"
    with pytest.raises(ToolError, match="binary"):
        window(b"a\0b")


def test_an_empty_file_shows_one_empty_line() -> None:
    assert window(b"").text == "     1\t"
