"""The skills of one session: `agents.ports.Skills` for the host, from the database and from the workspace."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from channels.db import DatabaseSyncToAsync
from django.db.models import QuerySet

from agents.errors import ToolError
from agents.ports import SkillEntry, SkillSource
from agents.sandboxes.sandbox import Files
from agents.skills.merging import MergedSkills
from agents.skills.sources import builtin, of_project
from agents.skills.telling import SKILL
from workspace.accounts.models import User
from workspace.projects.models import Project
from workspace.skills.models import Skill, SkillFile, SkillQuerySet, SkillSwitch


class Speakers(Protocol):
    """The session that reads."""

    @property
    def shared(self) -> bool:
        """Whether others than the person it acts for speak in it: then nothing of that person's own is used."""


class DatabaseSkills:
    """What the agent of this session may read. Looks anew at each call: what was switched off meanwhile is not there any more.

    `files` are those of the place where the session works, a worktree's too.
    """

    def __init__(self, project: Project, acting_for: User | None, files: Files, session: Speakers) -> None:
        self._project, self._acting_for, self._session = project, acting_for, session
        self._builtin, self._there = builtin(), of_project(files)

    async def all(self) -> Sequence[SkillEntry]:
        found: Sequence[SkillEntry] = await DatabaseSyncToAsync(self.listed, thread_sensitive=False)()
        return found

    def listed(self) -> Sequence[SkillEntry]:
        """The same, blocking."""
        off = SkillSwitch.objects.off_in(self._project)
        persons, teams = self._uploaded()
        shipped, there = ([one.entry for one in place.found()] for place in (self._builtin, self._there))
        found = {one.name: one for one in (*shipped, *persons.listed(), *teams.listed(), *there)}
        return [one for name, one in sorted(found.items()) if name not in off]

    async def files(self, name: str) -> Sequence[str]:
        return await (await self._merged()).files(name)

    async def read(self, name: str, path: str = SKILL) -> bytes:
        return await (await self._merged()).read(name, path)

    async def _merged(self) -> MergedSkills:
        off: set[str] = await DatabaseSyncToAsync(SkillSwitch.objects.off_in, thread_sensitive=False)(self._project)
        return MergedSkills(self._builtin, *self._uploaded(), self._there, off=off)

    def _uploaded(self) -> tuple[UploadedSkills, UploadedSkills]:
        """The person's, then the team's."""
        own = None if self._session.shared else self._acting_for
        rows = Skill.objects.of_session(self._project.team_id, own)
        return UploadedSkills(rows.filter(scope="user"), "user"), UploadedSkills(rows.filter(scope="team"), "team")


class UploadedSkills:
    """`Skills` over rows, each name once among them."""

    def __init__(self, rows: SkillQuerySet, source: SkillSource) -> None:
        self._rows, self._source = rows, source

    async def all(self) -> Sequence[SkillEntry]:
        listed: list[SkillEntry] = await DatabaseSyncToAsync(self.listed, thread_sensitive=False)()
        return listed

    async def files(self, name: str) -> Sequence[str]:
        paths: list[str] = await DatabaseSyncToAsync(self._paths, thread_sensitive=False)(name)
        return paths

    async def read(self, name: str, path: str = SKILL) -> bytes:
        data: bytes = await DatabaseSyncToAsync(self._read, thread_sensitive=False)(name, path)
        return data

    def listed(self) -> list[SkillEntry]:
        """The same, blocking."""
        return [SkillEntry(row.name, row.description, self._source) for row in self._rows.order_by("name")]

    def _paths(self, name: str) -> list[str]:
        return sorted(self._files(name).values_list("path", flat=True))

    def _read(self, name: str, path: str) -> bytes:
        wanted = "/".join(step for step in path.replace("\\", "/").split("/") if step not in ("", "."))
        found = self._files(name).filter(path=wanted).first()
        if found is None or path.startswith("/"):
            known = self._paths(name)
            raise ToolError(f"The skill {name} has no file {path!r}. Its files: {', '.join(known[:20])}{', …' if len(known) > 20 else ''}.")
        return bytes(found.data)

    def _files(self, name: str) -> QuerySet[SkillFile]:
        return SkillFile.objects.filter(skill__in=self._rows.filter(name=name))
