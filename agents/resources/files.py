"""local:// is the workspace by another name; and how all schemes with files behind them read these."""

from __future__ import annotations

import asyncio

from agents.errors import ToolError
from agents.pieces import in_line
from agents.resources.address import Address
from agents.resources.resource import Resource, Surroundings
from agents.sandboxes.sandbox import Files

LARGEST = 16 * 2**20
"""Bytes of a file that is shown as a resource."""
MOST_LISTED = 500


async def local(address: Address, around: Surroundings) -> Resource:
    return await asyncio.to_thread(_read, address, around.files)


def local_path(address: Address, files: Files) -> str:
    """The workspace path it stands for. Raises ToolError where that leaves the workspace."""
    path = "." if address.is_root else address.path
    placed(files, path, address.url)
    return path


def placed(files: Files, path: str, url: str) -> str:
    """Where in the workspace the path ends. Raises ToolError where it leaves it, or cannot be gone."""
    try:
        return files.relative(path)
    except OSError as wrong:
        raise ToolError(f"{url} was not found: {path}: {wrong.strerror or wrong}.") from None


def _read(address: Address, files: Files) -> Resource:
    path = local_path(address, files)
    try:
        if files.stat(path).kind == "folder":
            return Resource(address.url, _listing(files, path), file=files.relative(path))
    except FileNotFoundError:
        raise ToolError(f"{address.url} was not found: the workspace has no {path}.") from None
    except OSError as wrong:
        raise ToolError(f"{address.url}: {wrong.strerror or wrong}.") from None
    return shown(address.url, files, path)


def _listing(files: Files, path: str) -> str:
    found = files.entries(path)
    rows = [f"{in_line(one.path)}{'/' if one.kind == 'folder' else ''}" for one in found[:MOST_LISTED]]
    left = len(found) - len(rows)
    return "\n".join([*rows, *([f"… {left} more"] if left > 0 else [])]) or "(empty directory)"


def shown(url: str, files: Files, path: str) -> Resource:
    """The text of a file. Blocking. Raises ToolError for what is missing, too large or no text."""
    try:
        data = files.read(path, LARGEST + 1)
    except (FileNotFoundError, NotADirectoryError):
        raise ToolError(f"{url} was not found: there is no file {path}.") from None
    except IsADirectoryError:
        raise ToolError(f"{url} is a folder; name a file in it.") from None
    except OSError as wrong:
        raise ToolError(f"{url}: {wrong.strerror or wrong}.") from None
    if len(data) > LARGEST:
        raise ToolError(f"{url} has more than {LARGEST // 2**20} MiB. Look at parts of {path} with bash.")
    return Resource(url, text_of(data, url), media_type(path), files.relative(path), immutable=False)


def text_of(data: bytes, url: str) -> str:
    """Raises ToolError for what is no text."""
    if b"\0" in data:
        raise ToolError(f"{url} is no text; it cannot be shown here.")
    return data.decode(errors="replace")


def media_type(path: str) -> str:
    return "text/markdown" if path.lower().endswith((".md", ".mdc", ".markdown")) else "text/plain"
