"""The tools `skill` and `read_skill_file`: what is written down about how something is done, read when it is needed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, ClassVar, Literal

from pydantic import Field

from agents.errors import TooLarge, ToolError
from agents.pieces import in_line
from agents.ports import SkillEntry, Skills
from agents.reading.frontmatter import body
from agents.skills.telling import SKILL
from agents.tools.places import is_barred
from agents.tools.tool import Tool, ToolContext, ToolResult

MOST_LISTED = 100
"""Files of a skill that are named with it."""
MOST_SHOWN = 100_000
"""Characters of one answer; of a longer text whole lines up to there."""
LOOKED_AT = 512
"""Bytes by which a file is judged to be text or not."""


class ReadsSkills(Tool):
    """What the two have in common: they change nothing, and reach nothing but what the host offers as skills."""

    keywords: ClassVar[tuple[str, ...]] = ("skill", "how", "guide", "instructions", "practice")
    read_only: ClassVar[bool] = True
    mutates: ClassVar[bool] = False
    asks: ClassVar[Literal["allow", "ask"]] = "allow"


class Skill(ReadsSkills):
    """A skill's SKILL.md without its head, and the names of the files beside it."""

    name: ClassVar[str] = "skill"
    description: ClassVar[str] = (
        "Read a skill: what is written down about how a kind of work is done here, such as debugging or releasing. Read one before work "
        "that it is about. The answer also names the files that belong to it; read_skill_file shows them."
    )
    always_load: ClassVar[bool] = True
    brings: ClassVar[tuple[str, ...]] = ("read_skill_file",)

    wanted: str = Field(alias="name", min_length=1, description="The skill's name, as in the list of skills.")

    def subject(self, context: ToolContext) -> str:
        return self.wanted

    async def run(self, context: ToolContext) -> ToolResult:
        skills = _skills(context)
        one = await _entry(skills, self.wanted)
        _refuse_barred(context, self.name, one, SKILL)
        text = body((await skills.read(one.name)).decode("utf-8-sig", errors="replace")).strip()
        files = [path for path in await _files(context, self.name, skills, one) if path != SKILL]
        output = f"# Skill: {one.name} (from {one.source})\n\n{_cut(text) or '(Its text is empty.)'}{_beside(one, files)}"
        metadata: dict[str, Any] = {"skill_name": one.name, "source": one.source, "content_length": len(text)}
        metadata["files"] = [in_line(path) for path in files[:MOST_LISTED]]
        return ToolResult(f"Skill: {one.name}", output, metadata)


def _cut(text: str) -> str:
    shown = "\n".join(_fitting(text.split("\n")))
    return shown if shown == text else f"{shown}\n\n[There is more: read_skill_file shows {SKILL} by lines]"


def _fitting(lines: Sequence[str]) -> Sequence[str]:
    """As many of the first lines as one answer holds; of a first one that is longer, its beginning."""
    ends = accumulate(len(line) + 1 for line in lines)
    fits = sum(end <= MOST_SHOWN for end in ends)
    return lines[:fits] if fits or not lines else [lines[0][:MOST_SHOWN]]


def _beside(one: SkillEntry, files: Sequence[str]) -> str:
    if not files:
        return ""
    named = "\n".join(f"- {in_line(path)}" for path in files[:MOST_LISTED])
    more = f"\n- … and {len(files) - MOST_LISTED} more" if len(files) > MOST_LISTED else ""
    place = f" They lie in {one.folder} of the workspace." if one.folder else ""
    return f'\n\nFiles of this skill; read_skill_file with skill_name "{one.name}" shows them.{place}\n{named}{more}'


class ReadSkillFile(ReadsSkills):
    """A file of a skill's folder, or some of its lines; nothing outside that folder."""

    name: ClassVar[str] = "read_skill_file"
    description: ClassVar[str] = (
        "Read a file that belongs to a skill, such as a guide or template that its text mentions. Skills need not lie in the workspace: "
        "do not look for their files with other tools. offset and limit choose lines."
    )

    path: str = Field(
        min_length=1, description="The file, relative to the skill's folder; without skill_name it begins with the skill's name."
    )
    skill_name: str = Field("", description="The skill that the file belongs to.")
    offset: int = Field(1, ge=1, description="Number of the first line to show, from 1.")
    limit: int | None = Field(None, ge=1, description="How many lines to show; by default all that follow.")

    def subject(self, context: ToolContext) -> str:
        return "/".join(self._place())

    async def run(self, context: ToolContext) -> ToolResult:
        skills = _skills(context)
        name, path = self._place()
        one = await _entry(skills, name)
        _refuse_barred(context, self.name, one, path)
        title = f"Skill file: {one.name}/{path}"
        metadata: dict[str, Any] = {"skill_name": one.name, "path": path}
        try:
            data = await skills.read(one.name, path)
        except TooLarge as large:
            return ToolResult(title, f"[{large}, and is not shown]", {**metadata, "file_type": "large"})
        except ToolError:
            if not one.folder or context.barred is None:
                raise
            known = ", ".join((await _files(context, self.name, skills, one))[:MOST_LISTED])
            raise ToolError(f"{path!r} of the skill {one.name} cannot be read. Its files: {known}.") from None
        return self._told(title, data, {**metadata, "file_size": len(data), "file_type": "text"})

    def _place(self) -> tuple[str, str]:
        """(skill, path in its folder). Without a skill_name, what stands before `skills/NAME/` says only where skills are kept."""
        if self.skill_name:
            return self.skill_name, _spelt(self.path)
        names = _spelt(self.path).strip("/").split("/")
        if "skills" in names[:-1]:
            names = names[names.index("skills") + 1 :]
        return names[0], "/".join(names[1:]) or SKILL

    def _told(self, title: str, data: bytes, metadata: dict[str, Any]) -> ToolResult:
        if b"\0" in data[:LOOKED_AT]:
            return ToolResult(title, f"[This file is no text: {len(data)} bytes]", {**metadata, "file_type": "binary"})
        lines = data.decode("utf-8-sig", errors="replace").split("\n")
        wanted = lines[self.offset - 1 :][: self.limit]
        chosen = _fitting(wanted)
        shown = {**metadata, "start_line": self.offset, "end_line": self.offset + len(chosen) - 1, "total_lines": len(lines)}
        if not chosen:
            return ToolResult(title, f"[Line {self.offset} is past the end: the file has {len(lines)} lines]", shown)
        return ToolResult(title, "\n".join(chosen) + self._more(wanted, chosen), shown)

    def _more(self, wanted: Sequence[str], chosen: Sequence[str]) -> str:
        if chosen == wanted:
            return ""
        cut = f"This line is cut at {MOST_SHOWN} characters" if chosen[0] != wanted[0] else "There is more"
        return f"\n\n[{cut}; offset={self.offset + len(chosen)} goes on]"


def _spelt(path: str) -> str:
    """The one spelling of a path by which rules judge it and by which it is read."""
    names = (name for name in path.replace("\\", "/").split("/") if name not in ("", "."))
    return "/" * path.startswith(("/", "\\")) + "/".join(names)


class OwnReadSkillFile(ReadSkillFile):
    """For a toolset that counts it among its own: offered before any skill was read."""

    always_load: ClassVar[bool] = True


def _skills(context: ToolContext) -> Skills:
    if context.reach.skills is None:
        raise ToolError("No skills can be reached from here. Go on without them.")
    return context.reach.skills


async def _entry(skills: Skills, name: str) -> SkillEntry:
    """That of this name, else that in a folder of this name."""
    every = await skills.all()
    for names in ([one.name for one in every], [one.folder.rpartition("/")[2] for one in every]):
        if name.strip() and name.strip() in names:
            return every[names.index(name.strip())]
    raise ToolError(f"There is no skill {name!r}. Skills: {', '.join(one.name for one in every) or 'none'}.")


async def _files(context: ToolContext, tool: str, skills: Skills, one: SkillEntry) -> list[str]:
    """Those of its files that no rule keeps from being read."""
    found = await skills.files(one.name)
    if not one.folder or context.barred is None:
        return list(found)
    return await asyncio.to_thread(lambda: [path for path in found if not is_barred(context, tool, f"{one.folder}/{path}")])


def _refuse_barred(context: ToolContext, tool: str, one: SkillEntry, path: str) -> None:
    """What a rule keeps from being read as a file of the workspace is not read as a part of a skill."""
    if one.folder and is_barred(context, tool, f"{one.folder}/{path}"):
        raise ToolError(f"{one.folder}/{path} was not read: a rule of this project denies reading there.")
