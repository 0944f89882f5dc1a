"""Replacing quoted text: exactly, nearly, by swapping a block; and all the cases that are refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.edits.replacement import occurrences, replace
from agents.errors import ToolError

SUMS = b"x=1\n\ndef compute_sum(values):\n    acc = 0\n    for v in values:\n        acc += v\n    return acc\n\ny=2\n"
TOTAL = "def compute_total(items):\n    total = 0\n    for i in items: total += i\n    return total\n"
WORDS = st.lists(st.text(alphabet="abcdefgh =().", min_size=1, max_size=30), min_size=1, max_size=12)


def test_one_exact_place_is_replaced() -> None:
    done = replace(b"one\ntwo\nthree\n", "two", "2")
    assert (done.data, done.strategy, done.confidence, done.lines) == (b"one\n2\nthree\n", "exact_match", 1.0, (2,))


def test_several_exact_places_are_refused_with_their_number_and_lines() -> None:
    with pytest.raises(ToolError, match=r"occurs 3 times \(at lines 1, 3, 4\)"):
        replace(b"x\ny\nx\nx\n", "x", "z")


def test_all_exact_places_are_replaced_when_asked() -> None:
    done = replace(b"x\ny\nx x\n", "x", "zz", every=True)
    assert (done.data, done.count) == (b"zz\ny\nzz zz\n", 3)


def test_a_slip_of_the_pen_is_forgiven_and_said() -> None:
    done = replace(b"def f(a, b):\n\treturn a+b\n\nprint(1)\n", "def f(a,b):\n    return a + b", "def f(a, b):\n\treturn b+a")
    assert (done.data, done.strategy) == (b"def f(a, b):\n\treturn b+a\n\nprint(1)\n", "fuzzy_match")
    assert 0.8 < done.confidence < 1


def test_a_rewritten_block_is_swapped() -> None:
    done = replace(SUMS, TOTAL, "def compute_total(items):\n    return sum(items)\n")
    assert (done.data, done.strategy) == (b"x=1\n\ndef compute_total(items):\n    return sum(items)\n\ny=2\n", "write_swap")


@pytest.mark.parametrize("new", ["b = 3", "b = 3\n"])
def test_a_near_match_never_joins_lines(new: str) -> None:
    for old in ("b = 22", "b = 22\n"):
        done = replace(b"a = 1\nb = 2\nc = 3\n", old, new)
        assert done.strategy == "fuzzy_match"
        assert done.data.startswith(b"a = 1\nb = 3\n")
        assert done.data.endswith(b"\nc = 3\n")


def test_a_near_match_at_the_end_leaves_the_file_without_a_final_newline() -> None:
    assert replace(b"first = 1\nsecond = 2", "second  = 2\n", "second = 3\n").data == b"first = 1\nsecond = 3"


def test_a_near_match_replaced_by_nothing_removes_its_lines() -> None:
    assert replace(b"keep me\nthrow me away now\nkeep me too\n", "throw me  away now\n", "").data == b"keep me\nkeep me too\n"


def test_two_places_that_are_equally_near_are_refused() -> None:
    twice = b"def one():\n    return compute(1)\n\nfiller\n\ndef one():\n    return compute(1)\n"
    with pytest.raises(ToolError, match="two places are about as near"):
        replace(twice, "def one():\n    return  compute( 1)\n", "pass\n")


def test_a_second_place_that_is_nearly_as_near_is_refused() -> None:
    data = b"total = first + second\nfiller\ntotal = first + seconds\n"
    with pytest.raises(ToolError, match="two places are about as near"):
        replace(data, "total = first+ second_", "x")


def test_the_clearly_nearest_of_similar_places_is_taken() -> None:
    lines = [f"    value_{n} = table[{n}] + offset\n" for n in range(100, 140)]
    done = replace("".join(lines).encode(), "\tvalue_117 = table[117]  + offset\n", "gone\n")
    assert done.data.decode() == "".join([*lines[:17], "gone\n", *lines[18:]])


@pytest.mark.parametrize("old", ["nothing of the kind stands here", "   \n\n", "9"])
def test_what_is_not_there_is_refused(old: str) -> None:
    with pytest.raises(ToolError, match="was not found"):
        replace(SUMS, old, "new")


def test_line_ends_and_byte_order_mark_stay() -> None:
    data = b"\xef\xbb\xbfone\r\ntwo\r\nthree\r\n"
    assert replace(data, "two\nthree", "2\n2.5\n3").data == b"\xef\xbb\xbfone\r\n2\r\n2.5\r\n3\r\n"


def test_in_a_mixed_file_new_lines_end_as_their_neighbours() -> None:
    data = b"a\r\nb\nc\r\nd\n"
    assert replace(data, "b", "b1\nb2").data == b"a\r\nb1\nb2\nc\r\nd\n"
    assert replace(data, "c", "c1\nc2").data == b"a\r\nb\nc1\r\nc2\r\nd\n"


@pytest.mark.parametrize(("data", "reason"), [(b"a\0b", "binary"), (b"a\xffb", "not UTF-8")])
def test_what_is_no_text_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(ToolError, match=reason):
        replace(data, "a", "c")


def test_half_a_character_is_refused() -> None:
    with pytest.raises(ToolError, match="half a character"):
        replace(b"a", "a", "\ud83d")


@pytest.mark.parametrize("height", [1, 20, 100, 300])
def test_a_rewritten_block_is_found_among_a_thousand_lines(height: int) -> None:
    lines = [f"    if item_{n % 9} > {n}: result = self.call_{n}(item_{n % 7}, {n * 31})  # step {n}\n" for n in range(1000)]
    old = "".join(lines[400 : 400 + height]).replace("result", "outcome")
    done = replace("".join(lines).encode(), old, "gone\n")
    assert done.lines == (401,)


@given(WORDS, st.integers(0, 11), st.text(alphabet="abc \n", max_size=20))
def test_an_edit_never_touches_other_lines(lines: list[str], at: int, new: str) -> None:
    at %= len(lines)
    old = lines[at][: len(lines[at]) // 2] + "~" + lines[at][len(lines[at]) // 2 :]
    try:
        done = replace("\r\n".join([*lines, ""]).encode(), old, new)
    except ToolError:
        return
    *after, end = done.data.decode().split("\r\n")
    above = done.lines[0] - 1
    below = lines[above + 4 :]  # a window for one line is at most four lines tall
    assert after[:above] == lines[:above]
    assert after[len(after) - len(below) :] == below
    assert end == ""
    assert not any("\n" in line for line in after)


def test_nothing_stands_nowhere() -> None:
    assert occurrences("abc", "") == []
