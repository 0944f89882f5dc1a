"""Where skills come from: those that ship with this library, a person's own on this machine, and those of a project."""

from __future__ import annotations

from pathlib import Path

from agents.sandboxes.files import ConfinedFiles
from agents.sandboxes.sandbox import Files
from agents.skills.folder import FolderSkills
from agents.skills.merging import MergedSkills

BUILTIN = Path(__file__).parent / "builtin"
PROJECT_PLACES = (".agents/skills", ".claude/skills", "skills", ".atloop/skills")
"""Folders of a workspace that skills lie in, that which counts most first."""


def builtin() -> FolderSkills:
    return FolderSkills(_files(BUILTIN), (".",), "builtin")


def of_person(folder: Path) -> FolderSkills:
    """Those in a folder of this machine, which need not exist."""
    return FolderSkills(_files(folder), (".",), "user")


def of_project(files: Files) -> FolderSkills:
    """Those in a workspace."""
    return FolderSkills(files, PROJECT_PLACES, "project", shared=True)


def without_host(files: Files, person: Path) -> MergedSkills:
    """All that there can be where nobody keeps skills in a database."""
    return MergedSkills(builtin(), of_person(person), of_project(files))


def _files(folder: Path) -> ConfinedFiles:
    return ConfinedFiles(str(folder), str(folder), writable=False)
