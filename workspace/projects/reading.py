"""Looking into a workspace from the page: its folders and files, through the confined door that tools use too."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from agents.errors import PathRefused
from agents.sandboxes.files import ConfinedFiles
from agents.sandboxes.sandbox import FileStat
from workspace.errors import Invalid, Missing
from workspace.projects.models import Project

TEXT_LIMIT = 512 * 1024
"""Bytes of a file that are shown."""
ENTRIES_LIMIT = 5000


def folder(project: Project, path: str) -> dict[str, Any]:
    """Folders before files, each by name. Raises Missing or Invalid."""
    with _told(path) as path:
        files = _files(project)
        found = sorted(files.entries(path), key=lambda entry: (entry.kind != "folder", entry.path.lower()))
        entries = [_entry(entry) for entry in found if entry.path != ".git"]
        return {"path": files.relative(path), "entries": entries[:ENTRIES_LIMIT]}


def _entry(entry: FileStat) -> dict[str, Any]:
    modified = datetime.fromtimestamp(entry.modified, UTC)
    return {"name": entry.path.rsplit("/", 1)[-1], "path": entry.path, "kind": entry.kind, "size": entry.size, "modified": modified}


def file(project: Project, path: str) -> dict[str, Any]:
    """The beginning of a file as text; of a binary file only its size. Raises Missing or Invalid."""
    with _told(path) as path:
        files = _files(project)
        size = files.stat(path).size
        return shown(files.relative(path), size, files.read(path, TEXT_LIMIT + 1))


def shown(path: str, size: int, data: bytes) -> dict[str, Any]:
    """A file of so many bytes as the API shows it; `data` is its beginning, a byte more than is shown where there is more."""
    binary = b"\0" in data[:8192]
    text = "" if binary else data[:TEXT_LIMIT].decode(errors="replace")
    return {"path": path, "size": size, "binary": binary, "text": text, "truncated": len(data) > TEXT_LIMIT and not binary}


def _files(project: Project) -> ConfinedFiles:
    return ConfinedFiles(str(project.root), "/workspace")


@contextmanager
def _told(path: str) -> Iterator[str]:
    """What the file system says, in the words of the API."""
    if "\0" in path:
        raise Invalid("That is no path")
    try:
        yield path or "."
    except PathRefused as wrong:
        raise Invalid("This path is not in the workspace", str(wrong)) from wrong
    except FileNotFoundError as wrong:
        raise Missing("There is no such file", f"Nothing is at {path or 'the workspace'} (any more).") from wrong
    except (IsADirectoryError, NotADirectoryError) as wrong:
        raise Invalid("This is not what was asked for", "A folder was asked for as a file, or a file as a folder.") from wrong
    except OSError as wrong:
        raise Invalid("This path cannot be read", f"{errno.errorcode.get(wrong.errno or 0, 'error')}: {wrong.strerror}.") from wrong
