"""skill://: what is written down about how something is done, in folders of the workspace or wherever the host has it from."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from agents.errors import ToolError
from agents.ports import SkillEntry, Skills
from agents.resources.address import Address
from agents.resources.files import media_type, placed, shown, text_of
from agents.resources.resource import Resource, Surroundings
from agents.sandboxes.sandbox import Files
from agents.skills.folder import Found
from agents.skills.sources import PROJECT_PLACES, of_project
from agents.skills.telling import SKILL


async def skill(address: Address, around: Surroundings) -> Resource:
    skills: Skills = around.skills or of_project(around.files)
    if address.is_root:
        return Resource(address.url, _listing(await skills.all()))
    if around.skills is not None:
        await require_on(address, around.skills)
    if around.skills is None or await asyncio.to_thread(is_project_skill, address, around.files):
        return await asyncio.to_thread(_read, address, around.files)
    return await _elsewhere(address, around.skills)


def _listing(found: Sequence[SkillEntry]) -> str:
    if not found:
        return f"There are no skills here. A project's are folders with a {SKILL} in {', '.join(PROJECT_PLACES)}."
    return "\n".join(f"skill://{one.name}{f' — {one.description}' if one.description else ''}" for one in found)


async def require_on(address: Address, skills: Skills) -> None:
    """Raises ToolError where no skill that is switched on has this name, or lies in a folder of this name."""
    name, every = _parted(address)[0], await skills.all()
    if not any(name in (one.name, one.folder.rpartition("/")[2]) for one in every):
        raise ToolError(
            f"{address.url} was not found: There is no skill {name!r}. Skills: {', '.join(one.name for one in every) or 'none'}."
        )


def is_project_skill(address: Address, files: Files) -> bool:
    """Whether it names a skill of the workspace, whose files are edited as any others. Blocking."""
    return _named(_parted(address)[0], files) is not None


def _parted(address: Address) -> tuple[str, str, list[str]]:
    """(name, selector with its colon, path in the skill's folder) of skill://name[/path][:selector]."""
    first, *names = address.parts or [""]
    name, colon, selector = first.partition(":")
    return name, colon + selector, names


def _named(name: str, files: Files) -> Found | None:
    found = of_project(files).found()
    return next((one for which in (0, 1) for one in found if one.names[which] == name), None)


def _read(address: Address, files: Files) -> Resource:
    return shown(address.url, files, skill_path(address, files))


def skill_path(address: Address, files: Files) -> str:
    """The workspace path behind skill://name[/path][:selector]; SKILL.md where no path is named. Blocking.

    Raises ToolError where the workspace has no such skill, and where the path leaves its folder, by a link too.
    """
    name, selector, names = _parted(address)
    one = _named(name, files)
    if one is None:
        known = ", ".join(other.entry.name for other in of_project(files).found()[:20]) or "none"
        raise ToolError(f"{address.url} was not found: there is no skill {name!r}. Skills of this workspace: {known}.")
    path = "/".join([one.folder, *(names or [one.text])]) + ("" if names else selector)
    root, place = placed(files, one.folder, address.url), placed(files, path, address.url)
    if not place.startswith(f"{root}/"):
        raise ToolError(f"{address.url} leads out of the skill's folder {one.folder}; only what lies in it can be read so.")
    return path


async def _elsewhere(address: Address, skills: Skills) -> Resource:
    name, _, names = _parted(address)
    path = "/".join(names) or SKILL
    try:
        data = await skills.read(name, path)
    except ToolError as wrong:
        raise ToolError(f"{address.url} was not found: {wrong}") from wrong
    return Resource(address.url, text_of(data, address.url), media_type(path))
