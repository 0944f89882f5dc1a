"""Selectors behind paths: what they mean, whose name wins, and what is said to wrong ones."""

from __future__ import annotations

import pytest

from agents.errors import ToolError
from agents.reading.selectors import Selector, Span, beyond_end, split


def nothing(path: str) -> bool:
    return False


@pytest.mark.parametrize(
    ("suffix", "spans"),
    [
        ("5", [(5, None)]),
        ("L5", [(5, None)]),
        ("5-16", [(5, 16)]),
        ("L5-L16", [(5, 16)]),
        ("l5-16", [(5, 16)]),
        ("5..16", [(5, 16)]),
        ("5+3", [(5, 7)]),
        ("5-", [(5, None)]),
        ("5-16,960-973", [(5, 16), (960, 973)]),
        ("960-973, 5-16", [(5, 16), (960, 973)]),
        ("10:20", [(10, 20)]),
        ("20:10", [(20, None)]),
        ("7:7", [(7, 7)]),
    ],
)
@pytest.mark.parametrize("word", ["", "raw", "conflicts"])
def test_lines_are_selected_alone_and_with_a_word_on_either_side(suffix: str, spans: list[tuple[int, int | None]], word: str) -> None:
    expected = Selector(tuple(Span(*span) for span in spans), raw=word == "raw", conflicts=word == "conflicts")
    paths = [f"a/b.py:{suffix}:{word}", f"a/b.py:{word}:{suffix}"] if word else [f"a/b.py:{suffix}"]
    assert [split(path, nothing) for path in paths] == [("a/b.py", expected)] * len(paths)


@pytest.mark.parametrize("path", ["a.py", "a:b", "a.py:main", "a.py:", ":5", "a.py:5-x", "a.py:-5", "C:raw.txt", "a.py:+3"])
def test_what_is_no_selector_is_part_of_the_name(path: str) -> None:
    assert split(path, nothing) == (path, None)


@pytest.mark.parametrize(
    ("path", "real", "expected"),
    [
        ("odd:5", "odd:5", ("odd:5", None)),
        ("odd:raw", "odd:raw", ("odd:raw", None)),
        ("odd:5:raw", "odd:5", ("odd:5", Selector(raw=True))),
        ("odd:5:10", "odd:5", ("odd:5", Selector((Span(10),)))),
        ("odd:0", "odd:0", ("odd:0", None)),
        ("odd:5:raw", "odd", ("odd", Selector((Span(5),), raw=True))),
    ],
)
def test_the_longest_name_that_exists_wins(path: str, real: str, expected: tuple[str, Selector | None]) -> None:
    assert split(path, real.__eq__) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://example.test:8080", ("http://example.test:8080", None)),
        ("www.example.test:8080", ("www.example.test:8080", None)),
        ("http://[::1]:8080", ("http://[::1]:8080", None)),
        ("http://[::1]", ("http://[::1]", None)),
        ("http://example.test:8080:5-8", ("http://example.test:8080", Selector((Span(5, 8),)))),
        ("http://example.test:8080:5", ("http://example.test:8080", Selector((Span(5),)))),
        ("https://example.test/page:5-8", ("https://example.test/page", Selector((Span(5, 8),)))),
        ("https://example.test:1/page:8080", ("https://example.test:1/page", Selector((Span(8080),)))),
        ("https://example.test:raw", ("https://example.test", Selector(raw=True))),
        ("artifact://3:5-8", ("artifact://3", Selector((Span(5, 8),)))),
    ],
)
def test_a_port_is_a_port(url: str, expected: tuple[str, Selector | None]) -> None:
    assert split(url, nothing) == expected


@pytest.mark.parametrize(
    ("suffix", "why"),
    [
        ("0", "lines start at 1"),
        ("0-5", "lines start at 1"),
        ("3-0", "lines start at 1"),
        ("0:7", "lines start at 1"),
        ("1-2,0-5", "lines start at 1"),
        ("5+", "a count of at least 1"),
        ("5+0", "a count of at least 1"),
        ("9-3", "ends before it begins"),
        ("1-2,9-3", ":3-9"),
    ],
)
def test_a_selector_that_selects_nothing_is_an_error_in_words(suffix: str, why: str) -> None:
    with pytest.raises(ToolError, match=why):
        split(f"a.py:{suffix}", nothing)


@pytest.mark.parametrize(
    ("path", "total", "shown"),
    [
        ("a:5-6", 100, [(4, 9)]),
        ("a:1-2", 100, [(1, 5)]),
        ("a:98-99", 100, [(97, 100)]),
        ("a:5", 100, [(5, 100)]),
        ("a:5-6:raw", 100, [(5, 6)]),
        ("a:30-31,5-6", 100, [(4, 9), (29, 34)]),
        ("a:10-11,5-6", 100, [(4, 14)]),
        ("a:5-6,90", 100, [(4, 9), (90, 100)]),
        ("a:5-6,200-300", 100, [(4, 9)]),
        ("a:101-102", 100, []),
        ("a:raw", 3, [(1, 3)]),
        ("a:raw", 0, []),
    ],
)
def test_a_bounded_range_is_shown_with_a_line_before_and_three_after(path: str, total: int, shown: list[tuple[int, int]]) -> None:
    _, selector = split(path, nothing)
    assert selector is not None
    assert selector.shown(total) == tuple(Span(*span) for span in shown)


def test_context_is_shown_but_was_not_asked_for() -> None:
    selector = Selector((Span(5, 6), Span(90)))
    assert [line for line in (4, 5, 6, 7, 89, 90, 1000) if selector.has(line)] == [5, 6, 90, 1000]
    assert (selector.bounded, Selector((Span(5, 6),)).bounded, Selector(raw=True).bounded) == (False, True, False)


def test_lines_behind_the_end_are_told_with_how_to_read_the_last() -> None:
    assert beyond_end(Selector((Span(9, 12),)), 3, "a.py") == "Line 9 is beyond end of file (3 lines total). Read a.py:3 for the last line."
    assert "beyond end of document (1 line total)" in beyond_end(Selector((Span(2),)), 1, "a.pdf", "document")
    assert beyond_end(Selector((Span(2),)), 0, "a.py").endswith("The file is empty.")
