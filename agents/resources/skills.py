"""skill://: folders of the workspace with a SKILL.md, which says how something is done here."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from agents.errors import PathRefused, ToolError
from agents.reading.frontmatter import MOST, head
from agents.resources.address import Address
from agents.resources.files import placed, shown
from agents.resources.resource import Resource, Surroundings
from agents.sandboxes.sandbox import Files

FOLDERS = (".agents/skills", ".claude/skills", "skills")
"""Where skills lie; of two with one name, the first folder's counts."""
SKILL = "SKILL.md"
MOST_SKILLS = 200


@dataclass(frozen=True)
class Skill:
    """`name` as its front matter has it, else its folder's own name; `folder` from the workspace's root."""

    name: str
    folder: str
    description: str


async def skill(address: Address, around: Surroundings) -> Resource:
    return await asyncio.to_thread(_read, address, around.files)


def _read(address: Address, files: Files) -> Resource:
    if address.is_root:
        return Resource(address.url, _listing(skills(files)))
    return shown(address.url, files, skill_path(address, files))


def _listing(found: list[Skill]) -> str:
    if not found:
        return f"This workspace has no skills. One is a folder with a {SKILL} in {', '.join(FOLDERS)}."
    return "\n".join(f"skill://{one.name}{f' — {one.description}' if one.description else ''}" for one in found)


def skills(files: Files) -> list[Skill]:
    """All there are, by name. Blocking."""
    by_name: dict[str, Skill] = {}
    for folder in _folders(files):
        one = _skill(files, folder)
        if one is not None and len(by_name) < MOST_SKILLS:
            by_name.setdefault(one.name, one)
    return sorted(by_name.values(), key=lambda one: one.name)


def _folders(files: Files) -> Iterator[str]:
    for place in FOLDERS:
        with suppress(OSError, PathRefused):
            yield from [one.path for one in files.entries(place) if one.kind == "folder"][: 2 * MOST_SKILLS]


def _skill(files: Files, folder: str) -> Skill | None:
    try:
        told = head(files.read(f"{folder}/{SKILL}", MOST + 16).decode(errors="replace"))
    except (OSError, PathRefused):
        return None
    own = folder.rpartition("/")[2]
    name = told.get("name", "")
    return Skill(name if name and not set(name) & set("/:?#%\\") else own, folder, told.get("description", ""))


def skill_path(address: Address, files: Files) -> str:
    """The workspace path behind skill://name[/path][:selector]; SKILL.md where no path is named. Blocking.

    Raises ToolError where there is no such skill, and where the path leaves its folder, by a link too.
    """
    first, *names = address.parts or [""]
    name, colon, selector = first.partition(":")
    folder = _folder(name, address, files)
    path = "/".join([folder, *(names or [SKILL])]) + (f"{colon}{selector}" if not names else "")
    root, place = placed(files, folder, address.url), placed(files, path, address.url)
    if not place.startswith(f"{root}/"):
        raise ToolError(f"{address.url} leads out of the skill's folder {folder}; only what lies in it can be read so.")
    return path


def _folder(name: str, address: Address, files: Files) -> str:
    found = skills(files)
    named = [one.folder for one in found if name in (one.name, one.folder.rpartition("/")[2])]
    if not named:
        known = ", ".join(one.name for one in found[:20]) or "none"
        raise ToolError(f"{address.url} was not found: there is no skill {name!r}. Skills of this workspace: {known}.")
    return named[0]
