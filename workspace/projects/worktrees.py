"""Git worktrees of sessions: a folder and a branch of their own, begun from the workspace as it stands.

The folder is `worktrees/<session id>` in Countersign's home; beside it we note whose it is. Everything is done from outside,
with our own repository for the workspace: neither the project's git configuration nor the agent's can make us run anything.
"""

from __future__ import annotations

import os
import shutil
import stat
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings

from agents.errors import PathRefused
from agents.events import FileChange
from agents.pieces import well_formed
from agents.sandboxes.private import scratch_folders
from workspace.errors import AppError, Unavailable
from workspace.projects import git, merging
from workspace.projects.gitfolder import GitFolder
from workspace.projects.models import Project

BRANCHES = "countersign/agent-"
UNCLAIMED = 3600.0
"""Seconds after which a worktree that no session tells of is a leftover; until then its session may be about to be kept."""


@dataclass(frozen=True)
class Worktree:
    """`name` is the agent's id, `base` the commit it began with."""

    name: str
    path: Path
    branch: str
    base: str


def place_of(child_id: str) -> Path:
    """Where the worktree of the session with this public id is, or would be."""
    return Path(settings.COUNTERSIGN_HOME) / "worktrees" / child_id


def branch_of(child_id: str) -> str:
    return BRANCHES + child_id[-8:]


def make(project: Project, child_id: str, files: Path | None = None, base: str = "") -> Worktree:
    """A worktree for the session with this public id, begun from the workspace as it is now, or from `files`, another worktree of it.

    With `base`, the commit that another worktree began with, it begins exactly as that did. What is uncommitted is in its
    base; the workspace's index, HEAD and branches stay as they are. Whatever an attempt before this one left is replaced.
    Raises Unavailable with the reason where there can be none.
    """
    if project.archived:
        raise Unavailable("This project is archived", "Take it out of the archive to work in it.")
    with explained("The worktree could not be made"):
        GitFolder(project.root).check()
        drop(project, child_id)
        try:
            return _made(project, child_id, files, base)
        except BaseException:
            with suppress(AppError):
                drop(project, child_id)
            raise


def _made(project: Project, child_id: str, files: Path | None, base: str) -> Worktree:
    root, worktree = project.root, Worktree(child_id[-8:], place_of(child_id), branch_of(child_id), "")
    head, head_tree = git.head_commit(root), git.head_tree(root)
    tree = base_tree(project, base) if base else git.snapshot(root, head_tree, files)
    if not base:
        base = head if head and tree == head_tree else merging.commit(root, tree, head, f"Where agent {worktree.name} began")
    _note(child_id, project)
    worktree.path.mkdir(mode=0o700)
    index = merging.check_out(root, tree, worktree.path)
    folder, registered = GitFolder(root), f"agent-{worktree.name}"
    folder.add_packs(merging.packed(root, base, head_tree))
    folder.add_branch(worktree.branch, base)
    folder.add_worktree(registered, worktree.path, worktree.branch, index)
    (worktree.path / ".git").write_text(f"gitdir: {root}/.git/worktrees/{registered}\n")
    return Worktree(worktree.name, worktree.path, worktree.branch, base)


def changes(project: Project, child_id: str, base: str) -> tuple[FileChange, ...]:
    """What the agent has made of its base until now, with diffs. Raises Unavailable where the worktree is gone."""
    return look(project, child_id, base)[0]


def look(project: Project, child_id: str, base: str) -> tuple[tuple[FileChange, ...], str]:
    """The same, and the hash of the files that were looked at, which landing can be held to.

    Files too large to be compared are named without a diff; landing refuses them.
    """
    with explained("The worktree cannot be read"):
        root, start, place = project.root, base_tree(project, base), standing(child_id)
        large = [FileChange(path=well_formed(path), change="modified") for path in git.left_out(root, start, place)]
        tree = git.snapshot(root, start, place)
        return (*git.diff(root, start, tree), *large), tree


def diff(project: Project, child_id: str, base: str) -> str:
    """The same as one unified diff."""
    with explained("The worktree cannot be read"):
        start = base_tree(project, base)
        return merging.text_between(project.root, start, git.snapshot(project.root, start, standing(child_id)))


def standing(child_id: str) -> Path:
    place = place_of(child_id)
    if not place.is_dir():
        raise Unavailable("The worktree is gone from the server's disk", "Drop it, and start its agent anew.")
    return place


def base_tree(project: Project, base: str) -> str:
    tree = git.tree_of(project.root, base)
    if not tree:
        raise Unavailable("The commit the worktree began with is gone", "What its agent changed cannot be told any more.")
    return tree


def drop(project: Project, child_id: str) -> None:
    """Remove the folder, its registration and its branch; what is gone already is passed over. Raises Unavailable."""
    with explained("The worktree could not be removed"):
        if (project.root / ".git").is_dir():
            folder = GitFolder(project.root)
            folder.remove_worktree(f"agent-{child_id[-8:]}")
            folder.remove_branch(branch_of(child_id))
        _remove(child_id)


def prune(is_open: Callable[[str], bool]) -> int:
    """Drop every worktree that no session calls its own any more; gives how many those were."""
    leftovers = [child_id for child_id in _noted() if not is_open(child_id) and _age(child_id) > UNCLAIMED]
    for child_id in leftovers:
        project = Project.objects.filter(public_id=_note_of(child_id).read_text()).first()
        if project is None:
            _remove(child_id)
        else:
            drop(project, child_id)
    return len(leftovers)


def _note_of(child_id: str) -> Path:
    """The file that names the project. It stands outside the worktree, where the agent cannot change it."""
    return place_of(".projects") / child_id


def _note(child_id: str, project: Project) -> None:
    note = _note_of(child_id)
    note.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    note.write_text(project.public_id)


def _noted() -> Collection[str]:
    folder = place_of(".projects")
    return [note.name for note in folder.iterdir()] if folder.is_dir() else []


def _age(child_id: str) -> float:
    return time.time() - _note_of(child_id).stat().st_mtime


def _remove(child_id: str) -> None:
    place = place_of(child_id)
    if place.exists():
        shutil.rmtree(Path(scratch_folders(os.path.realpath(place))[0]).parent, onerror=_open_up)
        shutil.rmtree(place, onerror=_open_up)
    _note_of(child_id).unlink(missing_ok=True)


def _open_up(act: Callable[..., Any], path: str, wrong: Any) -> None:
    """Try again with rights to a folder that a command locked up."""
    if not isinstance(wrong[1], PermissionError):
        raise wrong[1]
    for folder in (Path(path).parent, Path(path)):
        if stat.S_ISDIR(folder.lstat().st_mode):
            folder.chmod(0o700)
    if stat.S_ISDIR(Path(path).lstat().st_mode):
        shutil.rmtree(path)
    else:
        act(path)


@contextmanager
def explained(title: str) -> Iterator[None]:
    """Say what the disk or an odd path refused as people can read it."""
    try:
        yield
    except (OSError, PathRefused) as wrong:
        raise Unavailable(title, getattr(wrong, "strerror", None) or str(wrong)) from wrong
