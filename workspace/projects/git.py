"""What changed in a workspace, told by git without ever trusting the workspace's own repository.

An agent can write anything into `.git`, and git runs programs that its configuration names. So the host keeps a repository
of its own for every workspace (`.snapshots/<id>.git` beside it), reads files through that, and of the workspace's `.git`
takes nothing but objects and the commit that HEAD names.
"""

from __future__ import annotations

import os
import re
import stat
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from agents.errors import PathRefused
from agents.events import FileChange
from agents.sandboxes.files import ConfinedFiles
from workspace.errors import Unavailable
from workspace.projects.patches import read_changes, with_patches

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
FILE_LIMIT = 50 * 2**20
"""Bytes. Larger files are left out of snapshots, so that one of them cannot fill the disk twice."""
PATCH_LIMIT = 8 * 2**20
SECONDS = 60
SAFE = {
    "core.hooksPath": "/dev/null",
    "core.fsmonitor": "false",
    "core.quotePath": "false",
    "core.autocrlf": "false",
    "core.compression": "1",
    "core.untrackedCache": "false",
    "gc.auto": "0",
    "protocol.allow": "never",
}
ENVIRONMENT = {
    "PATH": os.defpath,
    "HOME": "/nonexistent",
    "LC_ALL": "C.UTF-8",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_AUTHOR_NAME": "Countersign",
    "GIT_AUTHOR_EMAIL": "countersign@localhost",
    "GIT_COMMITTER_NAME": "Countersign",
    "GIT_COMMITTER_EMAIL": "countersign@localhost",
}
_COMMIT = re.compile(r"[0-9a-f]{40}")
_BRANCH = re.compile(r"ref: (refs/heads/[^\s\\:?*\[~^]+)")


def run(*arguments: str, env: Mapping[str, str], stdin: bytes = b"", limit: int | None = None, allow: tuple[int, ...] = (0,)) -> bytes:
    """One git command's output, at most `limit` bytes of it. Raises Unavailable when git fails or hangs."""
    switches = [part for name, value in SAFE.items() for part in ("-c", f"{name}={value}")]
    try:
        done = subprocess.run(
            ["git", *switches, *arguments], input=stdin, capture_output=True, env={**ENVIRONMENT, **env}, timeout=SECONDS, check=False
        )
    except FileNotFoundError as wrong:
        raise Unavailable("git is not installed", "Install git on the server.") from wrong
    except subprocess.TimeoutExpired as wrong:
        raise Unavailable("git did not answer", f"It took longer than {SECONDS} seconds.") from wrong
    if done.returncode not in allow:
        raise Unavailable("git failed", done.stderr.decode(errors="replace").strip()[-500:])
    return done.stdout[:limit]


def begin(root: Path, message: str = "Countersign: start") -> None:
    """Make the folder a repository (unless it is one) and commit all that is in it. Only for folders no agent has seen yet."""
    env = {"GIT_DIR": str(root / ".git"), "GIT_WORK_TREE": str(root)}
    if not (root / ".git").is_dir():
        run("init", "--quiet", "--template=", "--initial-branch=main", env=env)
    run("add", "--all", env=env)
    run("commit", "--quiet", "--allow-empty", "--no-verify", "--no-gpg-sign", "-m", message, env=env)


def snapshot(root: Path, start: str | None = None, files: Path | None = None) -> str:
    """The tree (its hash) of all files that git would not ignore, untracked ones included; nothing in the workspace is changed.

    With `start`, a tree, the files it names are looked at even where they are ignored. With `files`, a worktree of this
    workspace, that is looked at instead; it needs a `start`.
    """
    own = own_repository(root)
    kept = own / "countersign.index"
    with TemporaryDirectory(dir=own, prefix="index-") as folder:
        index = Path(folder) / "index"
        env = {**environment(root, files), "GIT_INDEX_FILE": str(index)}
        if start:
            run("read-tree", start, env=env)
        elif kept.exists():
            index.write_bytes(kept.read_bytes())
        paths = [path for path in _listed(env) if fits(os.path.join(os.fsencode(files or root), path))]
        run("update-index", "-z", "--add", "--remove", "--replace", "--stdin", env=env, stdin=b"".join(path + b"\0" for path in paths))
        tree = run("write-tree", env=env).decode().strip()
        if not start:
            index.replace(kept)
    return tree


def left_out(root: Path, start: str, files: Path) -> list[str]:
    """The files of a worktree that differ from the tree `start` and that no snapshot takes: too large, or not to be read by us."""
    with TemporaryDirectory(dir=own_repository(root), prefix="index-") as folder:
        env = {**environment(root, files), "GIT_INDEX_FILE": str(Path(folder) / "index")}
        run("read-tree", start, env=env)
        places = {path: os.path.join(os.fsencode(files), path) for path in _listed(env)}
        odd = {path: place for path, place in places.items() if not fits(place) and os.path.isfile(place)}  # noqa: PTH113 — bytes
        known = _hashes(env) if odd else {}
        return [os.fsdecode(path) for path, place in odd.items() if known.get(path, "") != _hash(place, env)]


def _hashes(env: Mapping[str, str]) -> dict[bytes, str]:
    """Of every file in the index."""
    entries = (line.partition(b"\t") for line in run("ls-files", "--stage", "-z", env=env).split(b"\0") if line)
    return {path: about.split(b" ")[1].decode() for about, _, path in entries}


def _hash(place: bytes, env: Mapping[str, str]) -> str:
    if not os.access(place, os.R_OK):
        return "unknown"
    return run("hash-object", "--no-filters", "--", os.fsdecode(place), env=env).decode().strip()


def diff(root: Path, from_tree: str, to_tree: str | None = None, files: Path | None = None) -> list[FileChange]:
    """The files that differ, by path, with unified diffs (cut when very long; "Binary files … differ" for binary ones).

    Without `to_tree` the workspace, or its worktree `files`, is compared as it stands.
    """
    to_tree = to_tree or snapshot(root, from_tree, files)
    env = environment(root)
    trees = ("diff", "--no-ext-diff", "--no-textconv", "--find-renames", "-l500", "--no-color", from_tree, to_tree)
    changes = read_changes(run(*trees, "--raw", "--numstat", "-z", env=env))
    return with_patches(changes, run(*trees, "--patch", "--src-prefix=a/", "--dst-prefix=b/", env=env, limit=PATCH_LIMIT))


def head_tree(root: Path) -> str:
    """The tree of the workspace's last commit; the empty tree where there is none that can be read."""
    commit = _head_commit(ConfinedFiles(str(root), str(root)))
    return (commit and tree_of(root, commit)) or EMPTY_TREE


def head_commit(root: Path) -> str | None:
    """The workspace's last commit, None where there is none that can be read."""
    commit = _head_commit(ConfinedFiles(str(root), str(root)))
    return commit if commit and tree_of(root, commit) else None


def tree_of(root: Path, commit: str) -> str:
    """The tree of a commit; "" where it cannot be read."""
    return run("rev-parse", "--verify", "--quiet", f"{commit}^{{tree}}", env=environment(root), allow=(0, 1, 128)).decode().strip()


def _head_commit(files: ConfinedFiles) -> str | None:
    head = _read(files, ".git/HEAD")
    if _COMMIT.fullmatch(head):
        return head
    branch = _BRANCH.fullmatch(head)
    if branch is None:
        return None
    loose = _read(files, f".git/{branch[1]}")
    if _COMMIT.fullmatch(loose):
        return loose
    packed = [line.split(" ", 1) for line in _read(files, ".git/packed-refs", 4 * 2**20).splitlines() if line.endswith(f" {branch[1]}")]
    return packed[0][0] if packed and _COMMIT.fullmatch(packed[0][0]) else None


def _read(files: ConfinedFiles, path: str, limit: int = 4096) -> str:
    try:
        return files.read(path, limit).decode(errors="replace").strip()
    except (OSError, PathRefused):
        return ""


def _listed(env: Mapping[str, str]) -> list[bytes]:
    """Every file that the index of this environment names or git would not ignore."""
    names = run("ls-files", "-z", "--cached", "--others", "--exclude-standard", env=env).split(b"\0")
    return [path for name in names if name for path in _files_at(os.fsencode(env["GIT_WORK_TREE"]), name)]


def _files_at(start: bytes, name: bytes) -> list[bytes]:
    """The path itself; for a repository within the workspace, which git lists as one folder, every file in it."""
    if not name.endswith(b"/"):
        return [name]
    found = []
    for folder, folders, names in os.walk(os.path.join(start, name)):
        folders[:] = [inner for inner in folders if inner != b".git"]
        found += [os.path.relpath(os.path.join(folder, name), start) for name in names]
    return found


def fits(path: bytes) -> bool:
    """Whether a snapshot can take this file. One that is gone can: taking it means noting that it is gone."""
    try:
        found = os.lstat(path)
    except OSError:
        return True
    return stat.S_ISLNK(found.st_mode) or (stat.S_ISREG(found.st_mode) and found.st_size <= FILE_LIMIT and os.access(path, os.R_OK))


def own_repository(root: Path) -> Path:
    """Our repository for a workspace, made when it is first needed."""
    own = root.parent / ".snapshots" / f"{root.name}.git"
    if not (own / "HEAD").exists():
        own.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with TemporaryDirectory(dir=own.parent, prefix="new-") as folder:  # two may need it at the same moment
            made = Path(folder) / own.name
            made.mkdir(mode=0o700)
            run("init", "--quiet", "--bare", "--template=", "--initial-branch=main", env={"GIT_DIR": str(made)})
            with suppress(OSError):  # somebody else's is there by now
                made.rename(own)
    return own


def environment(root: Path, files: Path | None = None) -> dict[str, str]:
    """Our repository over the workspace's files, or over `files`. The workspace's own objects can be read: nothing is kept twice."""
    env = {"GIT_DIR": str(own_repository(root)), "GIT_WORK_TREE": str(files or root)}
    objects = root / ".git" / "objects"
    if not (root / ".git").is_symlink() and objects.is_dir() and not objects.is_symlink():
        env["GIT_ALTERNATE_OBJECT_DIRECTORIES"] = str(objects)
    return env
