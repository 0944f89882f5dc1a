"""A text that is no file of the workspace, such as an archive's member or a table's rows, as a search goes through it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Text:
    """`label` is what its lines are shown under: the path by which `read` gives the same text."""

    label: str
    text: str
