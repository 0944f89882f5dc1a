"""What a person types into a search field, as terms: words in any form, "exact phrases", and -words that must not be there.

Nothing typed can be an error: what is neither a letter nor a digit only parts words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from agents.words import WORD

MOST_TEXT = 2_000
"""Characters of a query that are read."""
MOST_TERMS = 24
LONGEST_WORD = 64
OPEN_FROM = 3
"""Letters from which a word also stands for longer ones that begin so."""
SAYS_NOTHING = frozenset(
    WORD.findall(
        "a about after again all also am an and any are as at be been before being below between both but by can could did do "
        "does doing down during each few for from further had has have having he her here hers him his how i if in into is it its "
        "just me more most my no nor not now of off on once only or other our out over own please s same she should so some such "
        "than that the their them then there these they this those through to too under t until up very was we were what when "
        "where which while who whom why will with would you your"
    )
)
"""Words that stand everywhere: left out of a query that has others."""
_TYPED = re.compile(r"""(-?)"([^"]*)"?|([^\s"'’,;|&()\[\]{}<>!?]+)""")
"""A phrase, or what stands together: src/lexer.py is three words side by side, parser,lexer are two words."""


@dataclass(frozen=True)
class Term:
    """One or more words that stand side by side. `open`: the last may be the beginning of a longer one."""

    words: tuple[str, ...]
    open: bool = True
    excluded: bool = False


def read_terms(query: str) -> tuple[Term, ...]:
    """The query's terms, at most MOST_TERMS."""
    terms = [term for found in _TYPED.finditer(query[:MOST_TEXT]) if (term := _term(found)).words]
    telling = [term for term in terms if len(term.words) > 1 or not SAYS_NOTHING.issuperset(term.words)]
    return tuple(dict.fromkeys(telling or terms))[:MOST_TERMS]


def _term(found: re.Match[str]) -> Term:
    minus, phrase, bare = found.groups()
    if bare is None:
        return Term(_words(phrase), open=False, excluded=minus == "-")
    excluded = bare.startswith("-") and bare[1:2].isalnum()
    words = _words(bare)
    return Term(words, open=not excluded and len(words[-1:]) == 1 and len(words[-1]) >= OPEN_FROM, excluded=excluded)


def _words(text: str) -> tuple[str, ...]:
    return tuple(word[:LONGEST_WORD] for word in WORD.findall(text.lower()))


def any_form(words: Iterable[str]) -> tuple[Term, ...]:
    """A term for each word: its forms count, longer words that begin so do not."""
    return tuple(Term((word[:LONGEST_WORD],), open=False) for word in words)
