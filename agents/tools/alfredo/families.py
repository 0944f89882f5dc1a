"""Families of models: which words about a tool a model is given follows from its name."""

from __future__ import annotations

import re
from enum import StrEnum


class ModelFamily(StrEnum):
    """Models that are told of a tool in the same words. NEXT_GEN are those, of any vendor, that need few of them."""

    GENERIC = "generic"
    ANTHROPIC = "anthropic"
    OPENAI = "openai"
    GEMINI = "gemini"
    NEXT_GEN = "next_gen"


_NEXT_GEN = (
    (re.compile(r"claude-(?:[a-z]+-)*(\d{1,2})(?!\d)"), 4.0),
    (re.compile(r"gpt-(\d{1,2}(?:\.\d)?)"), 5.0),
    (re.compile(r"gemini-(\d{1,2}(?:\.\d)?)"), 2.5),
    (re.compile(r"grok-(\d{1,2})"), 4.0),
)
"""How a model's name says its generation, and the first that is of the next."""
_VENDORS = (
    (re.compile(r"claude|anthropic"), ModelFamily.ANTHROPIC),
    (re.compile(r"\bgpt|chatgpt|codex|openai|\bo[134](?:-|$)"), ModelFamily.OPENAI),
    (re.compile(r"gemini|gemma"), ModelFamily.GEMINI),
)


def family_of(model: str) -> ModelFamily:
    """The family of the model with this name, such as "gpt-4.1-mini" or "anthropic/claude-sonnet-4"; GENERIC where nothing is known."""
    name = model.lower()
    for pattern, first in _NEXT_GEN:
        if (found := pattern.search(name)) and float(found[1]) >= first:
            return ModelFamily.NEXT_GEN
    return next((family for pattern, family in _VENDORS if pattern.search(name)), ModelFamily.GENERIC)
