"""What workflows say to a model: templates that lie with the other prompts."""

from __future__ import annotations

from agents.prompts import HERE


def said(template: str, **told: object) -> str:
    """The text of this name with its blanks filled. What is filled in may hold braces."""
    return (HERE / "workflows" / f"{template}.md").read_text().strip().format(**told)
