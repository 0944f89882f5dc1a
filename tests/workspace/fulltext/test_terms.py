"""How a query is read."""

from __future__ import annotations

import pytest

from workspace.fulltext.terms import MOST_TERMS, Term, read_terms


@pytest.mark.parametrize(
    ("query", "terms"),
    [
        ("Fix parsers", [Term(("fix",)), Term(("parsers",))]),
        ('"run the tests" now-or-never', [Term(("run", "the", "tests"), open=False), Term(("now", "or", "never"))]),
        ("lexer.py", [Term(("lexer", "py"), open=False)]),
        ("the parser's (tests,docs)", [Term(("parser",)), Term(("tests",)), Term(("docs",))]),
        ('one"two three', [Term(("one",)), Term(("two", "three"), open=False)]),
        ("parser -lexer", [Term(("parser",)), Term(("lexer",), open=False, excluded=True)]),
        ('-"old way"', [Term(("old", "way"), open=False, excluded=True)]),
        ("go at it", [Term(("go",), open=False)]),
        ("the of", [Term(("the",)), Term(("of",), open=False)]),
        ("parser parser", [Term(("parser",))]),
        ("- -- * \" ( ) : ^ ' % _ \\ & | ! <->", []),
        ("\0par\0ser", [Term(("par", "ser"))]),
        ("", []),
    ],
)
def test_a_query_is_read_as_terms(query: str, terms: list[Term]) -> None:
    assert list(read_terms(query)) == terms


def test_of_an_endless_query_the_beginning_counts() -> None:
    assert len(read_terms(" ".join(f"word{number}" for number in range(5_000)))) == MOST_TERMS
    (term,) = read_terms("x" * 1_000_000)
    assert len(term.words[0]) == 64
