"""Which memories a new session is told of: few, short, and only those that clearly have to do with its first message."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import cast

from django.db.models import F
from django.utils import timezone

from agents.pieces import MemoryScope, RecalledMemory
from agents.words import root_of, words_of
from workspace.accounts.models import User
from workspace.fulltext.terms import SAYS_NOTHING, any_form
from workspace.memories.marks import Looked, shares
from workspace.memories.models import Memory
from workspace.projects.models import Project

MOST = 5
MOST_TEXT = 4_000
"""Characters of titles and contents in all."""
LEAST_TEXT = 200
"""Of a memory that does not fit whole at least so much is told, or nothing."""
MOST_READ = 20_000
MOST_WORDS = 60
"""Of a long message the first words count, as they say what it is about."""
CANDIDATES = 60
NAMED, HELD = 2, 1
"""What a shared word counts in title or tags, and in the content."""
ENOUGH, LONG_MESSAGE = 2, 25
"""Less is chance; a message of more words than LONG_MESSAGE must share one more."""
FEW = 8
"""Where there are more memories than this, a word that most of them hold tells nothing."""
SAYS_LITTLE = frozenset(
    map(
        root_of,
        words_of(
            "add agent also another bit build bug change check clean code come create do done everything explain feature file find first "
            "fix follow function get give go good great help here idea implement improve issue keep know last let like little look "
            "make many maybe much need new next nice number old one open part people possible problem project put question read remove "
            "right run say see session set show small something sort start still stop sure take task tell thank thanks thing think "
            "time today tool try two update use user want way well work write yes"
        ),
    )
)
"""What people ask every agent for, whatever it is about."""


@dataclass(frozen=True)
class Found:
    """A memory, the words of the message that it shares, and those of them that its title or tags hold."""

    memory: Memory
    words: tuple[str, ...]
    named: frozenset[str]

    def weight(self, usual: Collection[str]) -> int:
        return sum(NAMED if word in self.named else HELD for word in self.words if word not in usual)


def relevant(project: Project, person: User | None, message: str, without: Collection[str] = ()) -> list[Found]:
    """The memories of the project, its team and this person that the message should bring back, the best first."""
    words = _telling(message)
    if not words:
        return []
    terms = any_form(words)
    visible, looked = Memory.objects.of_session(project, person), Looked(terms)
    candidates = [_found(memory, looked) for memory in visible.about(terms)[:CANDIDATES]]
    usual = _usual(candidates, visible.count())
    enough = ENOUGH + (len(words) > LONG_MESSAGE)
    best = [one for one in candidates if one.weight(usual) >= enough and one.memory.public_id not in without]
    return sorted(best, key=lambda one: -one.weight(usual))[:MOST]


def _telling(message: str) -> list[str]:
    """The message's words that say what it is about, one for all its forms."""
    telling: dict[str, str] = {}
    for word in words_of(message[:MOST_READ]):
        root = root_of(word)
        if len(word) > 1 and word not in SAYS_NOTHING and root not in SAYS_LITTLE:
            telling.setdefault(root, word)
    return list(islice(telling.values(), MOST_WORDS))


def _found(memory: Memory, looked: Looked) -> Found:
    named = looked.words_in(memory.title, *memory.tags)
    return Found(memory, tuple(looked.in_order(named | looked.words_in(memory.content))), frozenset(named))


def _usual(candidates: Sequence[Found], all_there_are: int) -> set[str]:
    """The words that most memories hold."""
    if all_there_are <= FEW:
        return set()
    held = Counter(word for found in candidates for word in found.words)
    return {word for word, times in held.items() if times > all_there_are / 2}


def told(found: Sequence[Found]) -> tuple[RecalledMemory, ...]:
    """As the agent is told of them: no more text in all than MOST_TEXT."""
    left, memories = MOST_TEXT, list[RecalledMemory]()
    for one in found:
        title, content = one.memory.title, one.memory.content
        room = left - len(title)
        if len(content) > room:
            if room < LEAST_TEXT:
                continue
            content = f"{content[:room]}… [{len(content) - room} more characters: read the memory {one.memory.public_id[:8]}]"
        left -= len(title) + len(content)
        memories.append(
            RecalledMemory(
                memory_id=one.memory.public_id, title=title, content=content, why=shares(one.words),
                scope=cast("MemoryScope", one.memory.scope),
            )
        )  # fmt: skip
    return tuple(memories)


def count_use(memory_ids: Collection[str]) -> None:
    Memory.objects.filter(public_id__in=memory_ids).update(used_count=F("used_count") + 1, last_used=timezone.now())
