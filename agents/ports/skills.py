"""Skills: folders with a SKILL.md that say how something is done, wherever they come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

SkillSource = Literal["builtin", "user", "team", "project"]
"""Where a skill lies; of two with one name, that of the later source counts."""


@dataclass(frozen=True)
class SkillEntry:
    """A skill as it is listed. `folder` is where a project's lies in its workspace, "" for others.

    `complaint` says what is wrong with how it tells of itself, "" where nothing is; it can be read all the same.
    """

    name: str
    description: str
    source: SkillSource
    folder: str = ""
    complaint: str = ""


class Skills(Protocol):
    """The skills that are switched on where this session works.

    Contract: paths are relative to the skill's folder; one that leaves it, by a link too, is refused. Raises ToolError with what there
    is instead for a name or path there is none of, TooLarge for a file of more than 10 MiB.
    """

    async def all(self) -> Sequence[SkillEntry]:
        """By name, each name once."""

    async def files(self, name: str) -> Sequence[str]:
        """The paths of every file in its folder, SKILL.md among them."""

    async def read(self, name: str, path: str = "SKILL.md") -> bytes: ...
