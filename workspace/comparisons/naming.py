"""The sides of a comparison by what sets them apart."""

from __future__ import annotations

from typing import Protocol

from agents.tools.registry import TOOLSETS

CHOICES = ("toolset", "workflow", "protocol")


class Chosen(Protocol):
    """How an agent works."""

    @property
    def toolset(self) -> str: ...
    @property
    def workflow(self) -> str: ...
    @property
    def protocol(self) -> str: ...


def differing(left: Chosen, right: Chosen) -> list[str]:
    return [name for name in CHOICES if getattr(left, name) != getattr(right, name)]


def labels(left: Chosen, right: Chosen) -> tuple[str, str]:
    """A few words for each; the same for both only where somebody has made the sides alike since."""
    apart = differing(left, right) or ["toolset"]
    return _label(left, apart), _label(right, apart)


def _label(side: Chosen, apart: list[str]) -> str:
    title = TOOLSETS[side.toolset].title if side.toolset in TOOLSETS else side.toolset
    return ", ".join(title if name == "toolset" else getattr(side, name) for name in apart)
