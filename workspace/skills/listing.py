"""Skills as pages list them: of every source, and which of two with one name counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import cast, get_args

from asgiref.sync import async_to_sync

from agents.errors import PathRefused
from agents.pieces import well_formed
from agents.ports import SkillEntry, SkillSource
from agents.sandboxes.files import ConfinedFiles
from agents.skills.sources import builtin, of_project
from workspace.accounts.models import Team, User
from workspace.projects.models import Project
from workspace.skills.models import Skill, SkillQuerySet, SkillSwitch

STRENGTH: dict[SkillSource, int] = {source: at for at, source in enumerate(get_args(SkillSource))}
BUILTIN_ID = "builtin-"
"""Before the name of a skill that ships with the product: its id, which no uploaded one can have."""


@dataclass(frozen=True)
class Listed:
    """`id` is "" for one that lies in a workspace, whose `folder` says where. `overridden_by` is "" for one that counts."""

    id: str
    name: str
    description: str
    source: SkillSource
    folder: str = ""
    complaint: str = ""
    team: Team | None = None
    owner: User | None = None
    uploaded: datetime | None = None
    uploaded_by: User | None = None
    file_count: int = 0
    size: int = 0
    on: bool = True
    overridden_by: SkillSource | str = ""


def of_person(rows: SkillQuerySet) -> list[Listed]:
    """What ships with the product, and these."""
    return ranked([*shipped(), *map(of_row, rows.measured())])


def in_project(project: Project, person: User) -> list[Listed]:
    """As agents that act for this person have them there, those left out too. Reads the workspace."""
    off = SkillSwitch.objects.off_in(project)
    rows = Skill.objects.of_session(project.team_id, person).measured()
    return [replace(one, on=one.name not in off) for one in ranked([*shipped(), *map(of_row, rows), *_lying_in(project)])]


def ranked(found: Iterable[Listed]) -> list[Listed]:
    """By name, of one name that which counts first; the others say what overrides them."""
    ordered = sorted(found, key=lambda one: (one.name, -STRENGTH[one.source]))
    strongest = {one.name: one.source for one in reversed(ordered)}
    return [replace(one, overridden_by="" if one.source == strongest[one.name] else strongest[one.name]) for one in ordered]


@lru_cache(maxsize=1)
def shipped() -> tuple[Listed, ...]:
    """They change with the product alone."""
    return tuple(_shipped(one.entry) for one in builtin().found())


def _shipped(entry: SkillEntry) -> Listed:
    files = shipped_files(entry.name)
    size = sum(size for _, size in files)
    id = f"{BUILTIN_ID}{entry.name}"
    return Listed(id, entry.name, entry.description, "builtin", complaint=entry.complaint, file_count=len(files), size=size)


def shipped_files(name: str) -> list[tuple[str, int]]:
    """Paths with their bytes. Raises ToolError for a name there is none of."""
    paths: Sequence[str] = async_to_sync(builtin().files)(name)
    return [(path, len(shipped_file(name, path))) for path in paths]


def shipped_file(name: str, path: str) -> bytes:
    """Raises ToolError for a name or a path there is none of."""
    data: bytes = async_to_sync(builtin().read)(name, path)
    return data


def of_row(row: Skill) -> Listed:
    """A row with its measures."""
    return Listed(
        row.public_id, row.name, row.description, cast("SkillSource", row.scope), team=row.team, owner=row.owner,
        uploaded=row.uploaded, uploaded_by=row.uploaded_by, file_count=getattr(row, "file_count", 0), size=getattr(row, "size", 0),
    )  # fmt: skip


def _lying_in(project: Project) -> list[Listed]:
    try:
        found = of_project(ConfinedFiles(str(project.root), "/workspace", writable=False)).found()
    except (OSError, PathRefused):
        return []
    return [Listed("", one.entry.name, one.entry.description, "project", well_formed(one.folder), one.entry.complaint) for one in found]
