"""The two tools of this set that change a file: their paths start from `cwd`, and their answers name the file as commands know it."""

from __future__ import annotations

from pydantic import Field, PrivateAttr

from agents.tools.agent_loop.places import CWD, placed
from agents.tools.agent_loop.small import SmallTool
from agents.tools.onefile import OneFile
from agents.tools.places import full_path
from agents.tools.tool import ToolContext, ToolResult


class SmallFile(SmallTool, OneFile):
    """Base of both. `full` is the file's absolute path once the call runs."""

    cwd: str = Field("", description=CWD)
    _full: str = PrivateAttr("")

    def place(self, context: ToolContext) -> str:
        return placed(context, self.path, self.cwd)

    @property
    def full(self) -> str:
        return self._full

    async def work(self, context: ToolContext) -> ToolResult:
        self._full = full_path(context, self.place(context))
        return await OneFile.run(self, context)
