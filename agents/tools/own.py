"""Tools of a team's own: classes that installed packages name as entry points, added behind the tools that come with Countersign."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from agents.errors import ToolUnfit
from agents.tools.alfredo.custom import BaseToolHandler, registry
from agents.tools.registry import TOOLSETS, complaint_about, toolset
from agents.tools.tool import Tool

GROUP = "countersign.tools"
log = logging.getLogger(__name__)


@dataclass
class OwnTools:
    """Toolset → the own tools in it by name; and, a sentence each, what could not be taken."""

    by_toolset: dict[str, dict[str, type[Tool]]] = field(default_factory=dict)
    complaints: list[str] = field(default_factory=list)

    def take(self, entry: EntryPoint) -> None:
        """Add what the entry point names; a complaint when it is not to be had."""
        try:
            tool = loaded(entry)
            for name in tool.toolsets:
                self._require_room(name, tool)
        except ToolUnfit as unfit:
            complaint = f"The tool {entry.name!r} ({entry.value}) is left out. {unfit}"
            log.warning(complaint)
            self.complaints.append(complaint)
        else:
            for name in tool.toolsets:
                self.by_toolset.setdefault(name, {})[tool.name] = tool

    def _require_room(self, name: str, tool: type[Tool]) -> None:
        if name not in TOOLSETS:
            raise ToolUnfit(f"It wants to be in the toolset {name!r}, and there is none; write some of: {', '.join(TOOLSETS)}.")
        if complaint := complaint_about(tool, {**TOOLSETS[name].tools, **self.by_toolset.get(name, {})}):
            raise ToolUnfit(complaint)


def loaded(entry: EntryPoint) -> type[Tool]:
    """The class the entry point names. Raises ToolUnfit where it cannot be imported, or is no tool that could be told to a model."""
    try:
        tool = entry.load()
    except (Exception, SystemExit) as wrong:
        raise ToolUnfit(f"It cannot be imported: {type(wrong).__name__}: {wrong}.") from wrong
    if isinstance(tool, type) and issubclass(tool, BaseToolHandler):
        tool = registry.tool(tool)
    if not (isinstance(tool, type) and issubclass(tool, Tool)):
        raise ToolUnfit("It is not a subclass of agents.tools.tool.Tool, nor of agents.tools.alfredo.custom.BaseToolHandler.")
    if missing := [name for name in ("name", "description") if not isinstance(getattr(tool, name, None), str)]:
        raise ToolUnfit(f"It has no {' and no '.join(missing)}.")
    if isinstance(tool.toolsets, str):
        raise ToolUnfit("Its toolsets are no tuple of names.")
    if tool.run is Tool.run:
        raise ToolUnfit("It does not say what it does: there is no run.")
    try:
        tool.definition("")
    except Exception as wrong:
        raise ToolUnfit(f"Its fields cannot be told as a JSON Schema: {wrong}.") from wrong
    return tool


def taken(entries: Iterable[EntryPoint]) -> OwnTools:
    """What these entry points give, in the order of their names."""
    own = OwnTools()
    for entry in sorted(entries, key=lambda entry: (entry.name, entry.value)):
        own.take(entry)
    return own


@cache
def own_tools() -> OwnTools:
    """What the packages installed beside us give; looked up once a process."""
    return taken(entry_points(group=GROUP))


def furnished(name: str) -> dict[str, type[Tool]]:
    """A toolset with the team's own tools behind it, by name. Raises ToolError naming the toolsets there are."""
    return {**toolset(name), **own_tools().by_toolset.get(name, {})}
