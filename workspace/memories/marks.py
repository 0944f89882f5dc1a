"""Where a memory holds the words that were looked for: what a page marks, and what "why" says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agents.words import placed, root_of
from workspace.fulltext.terms import Term
from workspace.memories.models import Memory

MOST = 100
"""Places told of one text."""
MOST_NAMED = 5


@dataclass(frozen=True)
class Marks:
    """Places as (start, end) in characters (code points); of tags, the numbers of those that hold a word."""

    title: tuple[tuple[int, int], ...] = ()
    content: tuple[tuple[int, int], ...] = ()
    tags: tuple[int, ...] = ()


class Looked:
    """The words of some terms, ready to be looked up in many texts."""

    def __init__(self, terms: Iterable[Term]) -> None:
        self.whole: dict[str, str] = {}
        """Root to the word as it was asked for."""
        self.beginnings: dict[str, str] = {}
        for term in terms:
            for word in () if term.excluded else term.words:
                self.whole.setdefault(root_of(word), word)
            if term.open:
                self.beginnings.setdefault(root_of(term.words[-1]), term.words[-1])

    def asked(self, root: str) -> str | None:
        """The word that was asked for and that a word of this root answers."""
        if root in self.whole:
            return self.whole[root]
        return next((word for beginning, word in self.beginnings.items() if root.startswith(beginning)), None)

    def places(self, text: str) -> tuple[tuple[int, int], ...]:
        return tuple((start, end) for start, end, root in placed(text) if self.asked(root) is not None)[:MOST]

    def words_in(self, *texts: str) -> set[str]:
        """Those of the words asked for that stand in one of the texts."""
        return {asked for text in texts for _, _, root in placed(text) if (asked := self.asked(root)) is not None}

    def in_order(self, words: Iterable[str]) -> list[str]:
        """As they were asked for."""
        wanted = set(words)
        return [word for word in dict.fromkeys(self.whole.values()) if word in wanted]

    def marks(self, memory: Memory) -> Marks:
        tags = tuple(number for number, tag in enumerate(memory.tags) if self.places(tag))
        return Marks(self.places(memory.title), self.places(memory.content), tags)

    def why(self, memory: Memory) -> str:
        return shares(self.in_order(self.words_in(memory.title, memory.content, *memory.tags)))


def shares(words: Sequence[str]) -> str:
    """The reason a memory was found, as people read it: shares “parser”, “tests”."""
    named = ", ".join(f"“{word}”" for word in words[:MOST_NAMED])
    return f"shares {named}" if named else ""
