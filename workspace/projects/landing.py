"""Landing a worktree: what its agent changed is merged with the workspace as it is now and put into its files.

All that takes time happens first, in folders of ours. What is left is a look whether the files are still those that were
merged, and a rename for each; where one fails, those before it are taken back.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import TypeVar

from agents.events import FileChange
from agents.pieces import well_formed
from agents.sandboxes.files import ConfinedFiles
from workspace.errors import Conflict
from workspace.projects import git, merging
from workspace.projects.models import Project
from workspace.projects.swapping import Swap
from workspace.projects.worktrees import base_tree, explained, standing

NONE = "000000"
"""Git's mode of what is not there."""
LOCKED = 256
"""The most files whose locks are held at once: each takes an open file."""
NAMED = 10
"""Files that a refusal names."""
TRIES = 3
T = TypeVar("T")
Modes = Mapping[str, tuple[str, str]]
Look = tuple[int, ...] | None
"""What tells a file from whatever it may become; None: there is none."""


class Moved(Exception):
    """A file was changed since it was merged. Merge anew."""


@dataclass(frozen=True)
class Landing:
    """A merge ready to be put in place. `modes` says of each path what it was and will be, `looks` how it was found."""

    root: Path
    stage: Path
    modes: Modes
    looks: Mapping[str, Look]
    changes: tuple[FileChange, ...]

    def put(self) -> None:
        """Change the workspace's files. Raises Moved, or Unavailable, with everything as it was."""
        gone = sorted((path for path, (_, after) in self.modes.items() if after == NONE), reverse=True)
        with explained("The worktree could not be landed"), self._locked():
            if any(_look(self.root / path) != look for path, look in self.looks.items()):
                raise Moved
            with Swap(self.root, self.stage) as swap:
                for path in gone:
                    swap.take_out(path)
                for path in sorted(self.modes.keys() - set(gone)):
                    swap.put_in(path)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Hold the locks that tools hold while they change a file."""
        paths = [f"./{path}" for path in self.modes if self._can_be_locked(path)]
        with ConfinedFiles(str(self.root), str(self.root)).locked(*paths[:LOCKED]):
            yield

    def _can_be_locked(self, path: str) -> bool:
        """Links are locked as what they lead to, if they lead anywhere; below a file that becomes a folder there is nothing yet."""
        return not (self.root / path).is_symlink() and not any(str(parent) in self.modes for parent in PurePosixPath(path).parents)


def land(project: Project, child_id: str, base: str, keep: Callable[[Landing], T], seen: str = "", into: Path | None = None) -> T:
    """Merge what the agent changed since `base` into the workspace's files, which `keep` does by putting what it is given.

    `into` is another worktree of the project, to be landed in instead. Nothing is staged or committed. Raises Conflict, with
    nothing changed, where both sides changed the same, or where the worktree is not what `seen`, a hash of `worktrees.look`,
    says any more; and Unavailable.
    """
    for _ in range(TRIES):
        with suppress(Moved), prepared(project, child_id, base, seen, into) as landing:
            return keep(landing)
    raise Conflict("The files change all the time", "Land the worktree when nobody works on them.")


@contextmanager
def prepared(project: Project, child_id: str, base: str, seen: str = "", into: Path | None = None) -> Iterator[Landing]:
    """The merge, ready to be put in place. Raises Conflict, naming the files, where it cannot be."""
    root = project.root
    with explained("The worktree could not be landed"):
        start = base_tree(project, base)
        _refuse("These files are too large to be landed", git.left_out(root, start, standing(child_id)))
        theirs = git.snapshot(root, start, standing(child_id))
        if seen not in ("", theirs):
            raise Conflict(
                "The worktree has changed since you looked", "Look at its changes again before you land them. Nothing was changed."
            )
        with TemporaryDirectory(dir=git.own_repository(root), prefix="landing-") as folder:
            yield _merged(root, into or root, Path(folder) / "files", (start, theirs))


def _merged(root: Path, place: Path, stage: Path, trees: tuple[str, str]) -> Landing:
    """`trees`: what the worktree began with, and what it is now. What stands in `place` is the other side."""
    start, theirs = trees
    ours = git.snapshot(root, start, place)
    merged = merging.merge(root, start, ours, theirs)
    _refuse("The workspace and the agent changed the same", merged.conflicts)
    modes = merging.altered(root, ours, merged.tree)
    _refuse("Something that git does not know is in the way", [path for path in modes if _blocked(place, path, modes)])
    looks = {path: _look(place / path) for path in modes}
    if modes.keys() & merging.altered(root, ours, git.snapshot(root, start, place)).keys():
        raise Moved  # between the first look and the second, which went into `looks`
    stage.mkdir()
    merging.check_out(root, merged.tree, stage, [path for path, (_, after) in modes.items() if after != NONE])
    return Landing(place, stage, modes, looks, tuple(git.diff(root, ours, merged.tree)))


def _blocked(root: Path, path: str, modes: Modes) -> bool:
    """Whether changing this file would overwrite something that was not merged: ignored, too large, or of another kind."""
    place = root / path
    if modes[path][0] != NONE:
        return not git.fits(os.fsencode(place))
    for parent in PurePosixPath(path).parents[:-1]:
        at = root / parent
        if os.path.lexists(at) and (at.is_symlink() or not at.is_dir()) and str(parent) not in modes:
            return True
    if place.is_dir() and not place.is_symlink():
        inner = (Path(folder, name).relative_to(root) for folder, _, names in os.walk(place) for name in names)
        return any(str(file) not in modes for file in inner)
    return os.path.lexists(place)


def _look(place: Path) -> Look:
    try:
        found = place.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return (found.st_mode, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def _refuse(title: str, paths: Sequence[str]) -> None:
    if paths:
        more = f" and {len(paths) - NAMED} more" if len(paths) > NAMED else ""
        raise Conflict(title, well_formed(f"{', '.join(paths[:NAMED])}{more}. Nothing was changed."))
