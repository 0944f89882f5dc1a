"""Commits, checkouts and merges of a workspace's trees, made in our own repository for it; see `git` for why there."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from workspace.projects.git import PATCH_LIMIT, environment, own_repository, run

PACK_SIZE = "50m"
"""About the most that one pack holds: each is read into memory as a whole."""
NO_GUESSES = ("-c", "merge.directoryRenames=false")
"""A file stands where somebody put it, even where its neighbours have moved."""


@dataclass(frozen=True)
class Merged:
    """The tree both sides make together. With `conflicts`, paths, it is not to be used."""

    tree: str
    conflicts: tuple[str, ...] = ()


def commit(root: Path, tree: str, parent: str | None, message: str) -> str:
    """A commit that no branch leads to."""
    parents = ["-p", parent] if parent else []
    return run("commit-tree", tree, *parents, "-m", message, env=environment(root)).decode().strip()


def packed(root: Path, commit: str, known_tree: str) -> dict[str, bytes]:
    """The commit with everything in it that `known_tree` does not hold, as pack and index files by name, each index last."""
    env = environment(root)
    names = run("rev-list", "--objects", "--no-object-names", f"{commit}^{{tree}}", f"^{known_tree}", env=env)
    with TemporaryDirectory(dir=own_repository(root), prefix="pack-") as folder:
        run("pack-objects", "-q", f"--max-pack-size={PACK_SIZE}", f"{folder}/pack", env=env, stdin=names + commit.encode() + b"\n")
        files = sorted(Path(folder).iterdir(), key=lambda file: file.suffix != ".pack")
        return {file.name: file.read_bytes() for file in files if file.suffix in (".pack", ".idx")}


def check_out(root: Path, tree: str, folder: Path, paths: Sequence[str] | None = None) -> bytes:
    """Write the tree's files, or only these, into a new folder of ours. Gives the git index that belongs to them."""
    with TemporaryDirectory(dir=own_repository(root), prefix="index-") as own:
        index = Path(own) / "index"
        env = {**environment(root, folder), "GIT_INDEX_FILE": str(index)}
        run("read-tree", tree, env=env)
        if paths is None:
            run("checkout-index", "--all", "--index", env=env)
        else:
            run("checkout-index", "-z", "--stdin", env=env, stdin=b"".join(os.fsencode(path) + b"\0" for path in paths))
        return index.read_bytes()


def merge(root: Path, base: str, ours: str, theirs: str) -> Merged:
    """What both sides, trees, made of the tree `base`, together."""
    start = commit(root, base, None, "base")
    sides = [commit(root, tree, start, "side") for tree in (ours, theirs)]
    told = run(*NO_GUESSES, "merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", *sides, env=environment(root), allow=(0, 1))
    tree, *conflicts = (part.decode(errors="replace") for part in told.split(b"\0") if part)
    return Merged(tree, tuple(dict.fromkeys(conflicts)))


def altered(root: Path, from_tree: str, to_tree: str) -> dict[str, tuple[str, str]]:
    """Path → its git modes before and after ("000000": there is none), of every file that differs. Paths decode as file names do."""
    fields = run("diff-tree", "-r", "-z", "--no-renames", from_tree, to_tree, env=environment(root)).split(b"\0")
    pairs = zip(fields[::2], fields[1::2], strict=False)
    return {os.fsdecode(path): (about[1:7].decode(), about[8:14].decode()) for about, path in pairs}


def text_between(root: Path, from_tree: str, to_tree: str) -> str:
    """One unified diff of everything, cut at the limit all diffs have."""
    switches = ("--no-ext-diff", "--no-textconv", "--find-renames", "-l500", "--no-color", "--src-prefix=a/", "--dst-prefix=b/")
    return run("diff", *switches, from_tree, to_tree, env=environment(root), limit=PATCH_LIMIT).decode(errors="replace")
