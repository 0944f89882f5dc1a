"""Which of some named and described things fit a query best: shared words count by how rare they are, and slips of the pen are forgiven."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log

from rapidfuzz.fuzz import ratio

IN_NAME, IN_WORDS, IN_TEXT = 4.0, 2.5, 1.0
"""What a word of the query is worth where it is found."""
ALIKE = 80
"""Likeness in percent from which a word passes for a misspelt one."""
WORTH_NAMING = 0.25
"""Things that score less than this part of the best are left out."""
MOST_WORDS = 20
STOP = frozenset(
    re.findall(
        r"\w+",
        "a an and any are as at be by can do for from how i in into is it its me my of on or some that the this to tool tools use with",
    )
)


@dataclass(frozen=True)
class Described:
    """A thing by its name, other words it goes by, and a description."""

    name: str
    words: tuple[str, ...] = ()
    text: str = ""

    @cached_property
    def _fields(self) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
        return frozenset(words_of(self.name)), frozenset(words_of(" ".join(self.words))), frozenset(words_of(self.text))

    def holds(self, word: str) -> bool:
        return any(word in field for field in self._fields)

    def worth(self, word: str) -> float:
        """How well this one word of a query fits, 0 where not at all."""
        name, words, text = self._fields
        return max(IN_NAME * best(part_of, word, name), IN_WORDS * best(likeness, word, words), IN_TEXT * best(same_stem, word, text))

    def named_in(self, asked: Sequence[str]) -> float:
        """How much of its name the query says, from 0 to 1."""
        name = self._fields[0]
        return len(name.intersection(asked)) / max(1, len(name))


def ranked(query: str, things: Sequence[Described]) -> list[str]:
    """The names of the things that fit, best first; those that fit alike by name."""
    asked = list(dict.fromkeys(word for word in words_of(query) if word not in STOP))[:MOST_WORDS]
    rarity = {word: log(1 + len(things) / max(1, sum(thing.holds(word) for thing in things))) for word in asked}
    scores = {thing.name: sum(rarity[word] * thing.worth(word) for word in asked) + thing.named_in(asked) for thing in things}
    least = max(scores.values(), default=0.0) * WORTH_NAMING
    return sorted((name for name, score in scores.items() if score > 0 and score >= least), key=lambda name: (-scores[name], name))


def words_of(text: str) -> list[str]:
    """The words of a text in lower case; words_in_one and wordsInOne are taken apart."""
    return re.findall(r"[^\W_]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text).lower())


def best(how: Callable[[str, str], float], word: str, others: Iterable[str]) -> float:
    return max((how(word, other) for other in others), default=0.0)


def part_of(word: str, other: str) -> float:
    """As likeness, and names are put together of words: web and fetch are in webfetch."""
    within = len(word) >= 3 and len(other) - len(word) >= 3 and (other.startswith(word) or other.endswith(word))
    return max(likeness(word, other), 0.7 * within)


def likeness(word: str, other: str) -> float:
    """1 for the same word, less for another form of it or a misspelt one, 0 for another."""
    stem = same_stem(word, other)
    return stem or 0.6 * ratio(word, other, score_cutoff=ALIKE) / 100 * (min(len(word), len(other)) >= 4)


def same_stem(word: str, other: str) -> float:
    """1 for the same word, less where the two differ in their ending only: logs and log, release and releasing."""
    if word == other:
        return 1.0
    short, long = sorted((word, other), key=len)
    if long.startswith(short):
        return 0.8 if len(short) >= 4 or long[len(short) :] in ("s", "es") else 0.0
    return 0.8 if len(short) >= 6 and long.startswith(short[:-1]) and len(long) - len(short) <= 3 else 0.0
