"""Paths of this set: `path` from `cwd`, and `cwd` from where the agent works; both stay in the workspace."""

from __future__ import annotations

import posixpath

from agents.tools.places import begin_in
from agents.tools.tool import ToolContext

FINDER = "find"
"""The tool that finds files, for errors."""
CWD = "The folder that path starts from; by default the workspace."


def placed(context: ToolContext, path: str, cwd: str) -> str:
    """The path as the workspace's files take it."""
    start = begin_in(context, cwd)
    return path if start == "." or path.startswith(("/", "~")) else f"{start}/{path}"


def from_cwd(context: ToolContext, path: str, cwd: str) -> str:
    """A path from the workspace's root as one that starts from `cwd`, so that it can be given to these tools again."""
    start = context.sandbox.files.relative(begin_in(context, cwd))
    return path if start == "." else posixpath.relpath(path, start)
