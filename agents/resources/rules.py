"""rule://: the files in which a project tells agents how it wants to be worked on."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from fnmatch import fnmatchcase
from time import monotonic

from agents.errors import PathRefused, ToolError
from agents.reading.frontmatter import MOST, head
from agents.resources.address import Address
from agents.resources.files import shown
from agents.resources.resource import Resource, Surroundings
from agents.sandboxes.sandbox import Files

ANYWHERE = ("AGENTS.md", "CLAUDE.md", "CONTRIBUTING.md", ".cursorrules")
"""Names of rules in any folder."""
FIXED = (".cursor/rules/*.md", ".cursor/rules/*.mdc", ".github/copilot-instructions.md")
"""Paths of rules, from the root."""
HIDDEN = (".cursor", ".cursor/rules", ".github")
"""The hidden folders that are looked into."""
PRUNED = frozenset({"node_modules", "vendor", "target", "dist", "build", "__pycache__", "venv", "site-packages"})
DEPTH = 3
MOST_FOLDERS = 500
MOST_RULES = 200
SECONDS = 5.0
"""How long is looked for them."""


async def rule(address: Address, around: Surroundings) -> Resource:
    return await asyncio.to_thread(_read, address, around.files)


def _read(address: Address, files: Files) -> Resource:
    if address.is_root:
        return Resource(address.url, _listing(files))
    return shown(address.url, files, rule_path(address, files))


def _listing(files: Files) -> str:
    found = rules(files)
    if not found:
        return f"This project has no rules of its own. It could have them in {', '.join(ANYWHERE)}."
    return "\n".join(f"rule://{path}{_about(files, path)}" for path in found)


def rules(files: Files) -> list[str]:
    """The paths of all rules near the root, those nearest first. Blocking."""
    found: list[str] = []
    ahead = deque([("", 0)])
    late = monotonic() + SECONDS
    for _ in range(MOST_FOLDERS):
        if not ahead or len(found) >= MOST_RULES or monotonic() > late:
            break
        folder, depth = ahead.popleft()
        with suppress(OSError, PathRefused):
            for one in files.entries(folder or "."):
                if one.kind == "file" and is_rule(one.path):
                    found.append(one.path)
                elif one.kind == "folder" and depth < DEPTH and _worth_a_look(files, one.path):
                    ahead.append((one.path, depth + 1))
    return found[:MOST_RULES]


def is_rule(path: str) -> bool:
    """Whether a file at this path from the root is one."""
    name = path.rpartition("/")[2].lower()
    return name in (known.lower() for known in ANYWHERE) or any(
        fnmatchcase(path, fixed) and path.count("/") == fixed.count("/") for fixed in FIXED
    )


def _worth_a_look(files: Files, path: str) -> bool:
    """No folder that is reached by a link: it would be gone through twice, or for ever."""
    name = path.rpartition("/")[2]
    return (path in HIDDEN or not name.startswith(".")) and name not in PRUNED and files.relative(path) == path


def _about(files: Files, path: str) -> str:
    """What it says of itself and of the files it is for, as editors write that."""
    with suppress(OSError, PathRefused):
        told = head(files.read(path, MOST + 16).decode(errors="replace"))
        words = [told.get("description", ""), f"for {told['globs']}" if told.get("globs") else ""]
        said = "; ".join(word for word in words if word)
        return f" — {said}" if said else ""
    return ""


def rule_path(address: Address, files: Files) -> str:
    """The workspace path behind rule://path[:selector]. Blocking. Raises ToolError for what is no file of rules."""
    path = "/".join(address.parts)
    if is_rule(path) or is_rule(path.partition(":")[0]):
        return path
    known = rules(files)
    named = [one for one in known if path.lower() in (one.lower(), one.rpartition("/")[2].lower(), _stem(one))]
    if not named:
        raise ToolError(f"{address.url} was not found: the project has no such rules. There are: {', '.join(known[:20]) or 'none'}.")
    return named[0]


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0].lower()
