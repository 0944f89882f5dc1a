"""Folders as Alfredo's tools are given them, and what of them a rule keeps out of sight."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agents.errors import ToolError
from agents.sandboxes.sandbox import FileStat
from agents.tools.places import errors_told, is_barred
from agents.tools.tool import ToolContext
from agents.words import counted


def existing_folder(context: ToolContext, path: str) -> str:
    """The folder from the workspace's root. Raises ToolError where there is none."""
    files = context.sandbox.files
    with errors_told(path, "list_files"):
        try:
            kind = files.stat(path).kind
        except FileNotFoundError:
            raise ToolError(f"Directory not found: {path}. See what there is with list_files.") from None
        if kind != "folder":
            raise ToolError(f"Path is not a directory: {path}. Name the folder it lies in.")
        return files.relative(path)


class Left:
    """Leaves out what a rule denies to a tool, or to `read_file`, and counts it."""

    def __init__(self, context: ToolContext, tool: str) -> None:
        self._context, self._tools = context, (tool, "read_file")
        self.count = 0

    def over(self, found: Iterable[FileStat]) -> Iterator[FileStat]:
        """What is left of these."""
        for each in found:
            if any(is_barred(self._context, tool, each.path) for tool in self._tools):
                self.count += 1
            else:
                yield each

    def notices(self) -> list[str]:
        return [f"[{counted(self.count, 'path')} left out: a rule of this project denies looking there]"] if self.count else []
