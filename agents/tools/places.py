"""What all file tools share: paths as the rules and people see them, and the file system's errors in words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from agents.errors import PathRefused, TooLarge, ToolError
from agents.sandboxes.sandbox import Files
from agents.tools.tool import ToolContext

LARGEST = 64 * 2**20
"""Bytes of a file that is changed or replaced: before and after are held at once, in their lines too."""


def subject_path(context: ToolContext, path: str) -> str:
    """The path as permission patterns match it: from the workspace's root, links resolved; as given when it is refused."""
    try:
        return context.sandbox.files.relative(path)
    except (PathRefused, OSError):
        return path


def full_path(context: ToolContext, path: str) -> str:
    """The absolute path by which commands in the sandbox know the file."""
    relative = context.sandbox.files.relative(path)
    return context.sandbox.mount if relative == "." else f"{context.sandbox.mount.rstrip('/')}/{relative}"


def searchable(context: ToolContext, path: str) -> str:
    """The file or folder from the workspace's root. Raises PathRefused for what a search would wait at, OSError where nothing is."""
    if context.sandbox.files.stat(path).kind == "other":
        raise PathRefused(f"{path!r} is a pipe, socket or device; only files and folders can be searched.")
    return context.sandbox.files.relative(path)


def in_words(relative: str) -> str:
    """A folder's path for a sentence."""
    return "the workspace" if relative == "." else relative


def begin_in(context: ToolContext, folder: str) -> str:
    """The folder a command or a search works in: the one that is named, else where this agent starts."""
    return folder or context.nesting.working_dir or "."


def is_plan_file(context: ToolContext, path: str) -> bool:
    """Whether plan mode is on and this is its plan's own file (and no link to another)."""
    return context.plan.holds_back and subject_path(context, path) == context.plan.plan_file


def is_barred(context: ToolContext, tool: str, path: str) -> bool:
    """Whether a rule denies this tool, or reading, a file that it comes upon; a link is judged by what it leads to, too."""
    if context.barred is None:
        return False
    return any(context.barred(name, subject) for subject in {path, subject_path(context, path)} for name in (tool, "read"))


def existing(files: Files, path: str) -> bytes | None:
    """The file's bytes, None where there is no file yet. Raises TooLarge."""
    try:
        data = files.read(path, LARGEST + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    if len(data) > LARGEST:
        raise TooLarge(f"{path} has more than {LARGEST // 2**20} MiB, too much to be changed here. Change or remove it by a command.")
    return data


@contextmanager
def errors_told(path: str, finder: str = "glob") -> Iterator[None]:
    """Turn what the file system refuses into a ToolError that names the path as the model wrote it, and the tool that finds files."""
    try:
        yield
    except FileNotFoundError:
        raise ToolError(f"File not found: {path}. Look for it with {finder}.") from None
    except IsADirectoryError:
        raise ToolError(f"{path} is a folder, not a file.") from None
    except NotADirectoryError:
        raise ToolError(f"{path}: a part of the path is a file, not a folder.") from None
    except PermissionError:
        raise ToolError(f"Permission denied: {path}.") from None
    except OSError as wrong:
        raise ToolError(f"{path}: {wrong.strerror or wrong}.") from None
