"""Credentials found by the rules of gitleaks, which many people keep up to date; the `secretscreen` package ships them as data.

Of its rules those are used that know a secret by its own look: a keyword of the rule must stand within what it found. Those
that guess from the words around it would take ordinary code out of what a model reads, and then its edits would not fit.
The rules are written for RE2, whose time grows with the length of the text and with nothing else.
"""

from __future__ import annotations

import math
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import re2

SHORTEST_KEYWORD = 3
GUESSED = r"[\w.-]{0,50}?"
"""How the patterns begin that look at the words around a secret."""


@dataclass(frozen=True)
class LeakRule:
    """`entropy` is the least a secret has, in bits a character."""

    keywords: frozenset[str]
    pattern: Any
    entropy: float


def leaks(text: str) -> list[tuple[int, int]]:
    """Where the secrets stand, as (start, end), in order and apart from each other."""
    lowered = text.lower()
    longest = {match.group() for match in keywords().finditer(lowered)}
    met = {word for word in every_keyword() if any(word in other for other in longest)} if longest else frozenset()
    found = sorted(place for rule in rules() if met & rule.keywords for place in _found(rule, text))
    apart: list[tuple[int, int]] = []
    for start, end in found:
        if apart and start < apart[-1][1]:
            apart[-1] = apart[-1][0], max(end, apart[-1][1])
        else:
            apart.append((start, end))
    return apart


def _found(rule: LeakRule, text: str) -> Iterator[tuple[int, int]]:
    for match in rule.pattern.finditer(text):
        start, end = match.span(1) if rule.pattern.groups and match.group(1) else match.span()
        secret = text[start:end]
        if any(keyword in secret.lower() for keyword in rule.keywords) and _entropy(secret) >= rule.entropy:
            yield start, end


def _entropy(secret: str) -> float:
    """Shannon entropy in bits a character."""
    return -sum(count / len(secret) * math.log2(count / len(secret)) for count in Counter(secret).values())


@cache
def rules() -> tuple[LeakRule, ...]:
    stored = tomllib.loads(files("secretscreen").joinpath("gitleaks.toml").read_text(encoding="utf-8"))["rules"]
    return tuple(rule for entry in stored if (rule := _rule(entry)))


def _rule(entry: dict[str, Any]) -> LeakRule | None:
    pattern = str(entry.get("regex", ""))
    words = frozenset(word.lower() for word in entry.get("keywords", ()) if len(word) >= SHORTEST_KEYWORD)
    if not pattern or not words or GUESSED in pattern:
        return None
    return LeakRule(words, re2.compile(pattern), float(entry.get("entropy", 0.0)))


@cache
def every_keyword() -> frozenset[str]:
    return frozenset(word for rule in rules() for word in rule.keywords)


@cache
def keywords() -> Any:
    """One pattern that finds the keywords; of those that begin alike it finds the longest."""
    options = re2.Options()
    options.longest_match = True
    return re2.compile("|".join(sorted(map(re2.escape, every_keyword()))), options)
