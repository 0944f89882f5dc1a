"""What workflows say to a model: templates that lie with the other prompts."""

from __future__ import annotations

from agents.pieces import well_formed
from agents.prompts import HERE
from agents.shell.secrets import redact

LONGEST = 10_000
"""Characters of a model's own words that a workflow passes on."""


def said(template: str, **told: object) -> str:
    """The text of this name with its blanks filled. What is filled in may hold braces."""
    return (HERE / "workflows" / f"{template}.md").read_text().strip().format(**told)


def passed_on(words: str, most: int = LONGEST) -> str:
    """What a model said, for a fact that says it again: without secrets, and of long words the beginning."""
    clean = redact(well_formed(words[: 4 * most]))[0]
    return clean if max(len(clean), len(words)) <= most else f"{clean[:most]} […]"
