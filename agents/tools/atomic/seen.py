"""What this session has seen of a file: how it is called in a header, and its text kept so that an edit can be held against it."""

from __future__ import annotations

from agents.errors import PathRefused
from agents.ports import Snapshot
from agents.tools.tool import ToolContext

LARGEST_TAGGED = 16 * 2**20
"""Bytes. A larger file is shown without a tag and cannot be edited by line numbers."""


def display(context: ToolContext, path: str) -> str:
    """The path as headers give it: from the workspace's root, links resolved, with "/"; as given when it is refused."""
    try:
        return context.sandbox.files.relative(path)
    except (PathRefused, OSError):
        return path


def saw(context: ToolContext, path: str, text: str) -> Snapshot:
    """Keep the whole text of a file as its newest version in this session. Blocking. Raises PathRefused."""
    return context.reach.snapshots.record(context.sandbox.files.relative(path), text)
