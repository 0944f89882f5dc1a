"""The tool `ls`."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from pydantic import Field

from agents.errors import ToolError
from agents.pieces import in_line
from agents.sandboxes.sandbox import FileStat
from agents.tools.agent_loop.places import CWD, FINDER, placed
from agents.tools.agent_loop.small import LookingTool
from agents.tools.places import errors_told, full_path, is_barred, subject_path
from agents.tools.tool import ToolContext, ToolResult

MOST = 500
NOTHING = "(empty directory)"


class Ls(LookingTool):
    """What a folder holds, by name whatever the case; 500 entries."""

    name: ClassVar[str] = "ls"
    description: ClassVar[str] = "List a folder: one name a line, sorted, hidden ones too; names of folders end with /."
    keywords: ClassVar[tuple[str, ...]] = ("folder", "list", "directory", "files", "names")

    path: str = Field("", description="The folder; by default where cwd is.")
    cwd: str = Field("", description=CWD)

    def subject(self, context: ToolContext) -> str:
        return subject_path(context, self._place(context))

    async def work(self, context: ToolContext) -> ToolResult:
        place = self._place(context)
        with errors_told(place, FINDER):
            path = full_path(context, place)
            try:
                entries = await asyncio.to_thread(context.sandbox.files.entries, place)
            except NotADirectoryError:
                raise ToolError(f"{place} is not a folder; read shows files.") from None
        names = await asyncio.to_thread(self._names, entries, context)
        shown = [in_line(name) for name in names[:MOST]]
        if len(names) > MOST:
            shown.append(f"\n[{MOST} of {len(names)} entries. find looks for the others by name]")
        metadata = {"path": path, "entries": len(names), "truncated": len(names) > MOST}
        return ToolResult(f"List: {self.subject(context)}", "\n".join(shown) or NOTHING, metadata)

    def _place(self, context: ToolContext) -> str:
        return placed(context, self.path or ".", self.cwd)

    def _names(self, entries: list[FileStat], context: ToolContext) -> list[str]:
        allowed = [one for one in entries if not is_barred(context, self.name, one.path)]
        names = [one.path.rpartition("/")[2] + "/" * (one.kind == "folder") for one in allowed]
        return sorted(names, key=lambda name: (name.casefold(), name))
