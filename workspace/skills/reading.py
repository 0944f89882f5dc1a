"""One skill as it is read: its text, its files, whether it was uploaded or ships with the product."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agents.errors import ToolError
from agents.reading.frontmatter import body
from agents.skills.telling import SKILL
from workspace.accounts.models import Anyone
from workspace.errors import Missing
from workspace.projects.reading import shown
from workspace.skills.access import skill_for
from workspace.skills.listing import BUILTIN_ID, Listed, of_row, shipped, shipped_file, shipped_files
from workspace.skills.models import Skill


@dataclass(frozen=True)
class Opened:
    """`text` is SKILL.md without its head; `files` are paths with their bytes."""

    listed: Listed
    text: str
    files: Sequence[tuple[str, int]]


def opened(user: Anyone, skill_id: str) -> Opened:
    """Raises Missing."""
    name = shipped_name(skill_id)
    return _shipped(name) if name else _uploaded(skill_for(user, skill_id))


def _shipped(name: str) -> Opened:
    listed = [one for one in shipped() if one.name == name]
    if not listed:
        raise Missing("No such skill", "Nothing of this name ships with Countersign.")
    return Opened(listed[0], _body(shipped_file(name, SKILL)), shipped_files(name))


def _uploaded(skill: Skill) -> Opened:
    return Opened(of_row(skill), _body(_data(skill, SKILL)), list(skill.files.values_list("path", "size")))


def _body(data: bytes) -> str:
    return body(data.decode("utf-8-sig", errors="replace")).strip("\r\n")


def file(user: Anyone, skill_id: str, path: str) -> dict[str, Any]:
    """The beginning of a file as text; of a binary file only its size. Raises Missing."""
    data = whole_file(user, skill_id, path)
    return shown(path, len(data), data)


def whole_file(user: Anyone, skill_id: str, path: str) -> bytes:
    """Raises Missing."""
    name = shipped_name(skill_id)
    try:
        return shipped_file(name, path) if name else _data(skill_for(user, skill_id), path)
    except ToolError as wrong:
        raise Missing("There is no such file", str(wrong)) from wrong


def _data(skill: Skill, path: str) -> bytes:
    found = skill.files.filter(path=path).first()
    if found is None:
        raise Missing("There is no such file", f"{skill.name} has nothing at {path or 'this path'} (any more).")
    return bytes(found.data)


def shipped_name(skill_id: str) -> str:
    """The name of the skill that ships with the product, "" for any other."""
    return skill_id.removeprefix(BUILTIN_ID) if skill_id.startswith(BUILTIN_ID) else ""
