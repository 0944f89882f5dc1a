"""The tool `tool_search`: find tools that the model was not told of yet, and have them offered from then on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from pydantic import Field

from agents.errors import ToolError
from agents.events import ToolsLoaded
from agents.search.ranking import Described, ranked
from agents.tools.tool import Tool, ToolContext, ToolResult

SELECT = "select:"
FEWEST, MOST = 1, 20


@dataclass(frozen=True)
class Found:
    """The tools that were meant, and what was asked for in vain."""

    tools: tuple[type[Tool], ...]
    missing: tuple[str, ...] = ()


class ToolSearch(Tool):
    """Whatever it finds is offered to the model from its next request on."""

    name: ClassVar[str] = "tool_search"
    description: ClassVar[str] = (
        "Many of your tools are only named at the start, to save room. This one gives you their schemas; from then on you can call them "
        "like any other. Write select:name1,name2 for those you know by name, or say in a few words what you want to do."
    )
    aliases: ClassVar[tuple[str, ...]] = ("search_tools", "find_tool", "load_tool_schema")
    group: ClassVar[str] = "deferred_tools"
    always_load: ClassVar[bool] = True
    strict: ClassVar[bool] = True
    read_only: ClassVar[bool] = True
    mutates: ClassVar[bool] = False
    asks: ClassVar[Literal["allow", "ask"]] = "allow"

    query: str = Field(min_length=1, description="select: and names separated by commas, or what the tool should be good for.")
    max_results: int = Field(8, description="How many tools a search may find, 1 to 20; a selection gives all that it names.")

    async def run(self, context: ToolContext) -> ToolResult:
        query = self.query.strip()
        if not query:
            raise ToolError("The query is empty. Write select: and names of tools, or what you want to do.")
        if query.lower().startswith(SELECT):
            found = selected(query[len(SELECT) :], context.tools)
        else:
            most = min(max(self.max_results, FEWEST), MOST)
            found = Found((await asyncio.to_thread(fitting, query, context.tools))[:most])
        return told(query, found, context.tools)


def selected(names: str, tools: Mapping[str, type[Tool]]) -> Found:
    """The tools with these names or aliases, whatever their case, in the order of the toolset. Raises ToolError for no name at all."""
    wanted = list(dict.fromkeys(name.strip().lower() for name in names.split(",") if name.strip()))
    if not wanted:
        raise ToolError("Name the tools behind select:, separated by commas.")
    aliases = {alias.lower(): tool for tool in reversed(list(tools.values())) for alias in tool.aliases}
    known = {**aliases, **{tool.name.lower(): tool for tool in tools.values()}}
    meant = {known[name].name for name in wanted if name in known}
    return Found(tuple(tool for tool in tools.values() if tool.name in meant), tuple(name for name in wanted if name not in known))


def fitting(query: str, tools: Mapping[str, type[Tool]]) -> tuple[type[Tool], ...]:
    """The tools that fit the query, best first; never the search itself."""
    return tuple(tools[name] for name in ranked(query, [described(tool) for tool in tools.values() if tool is not ToolSearch]))


def described(tool: type[Tool]) -> Described:
    return Described(tool.name, (*tool.aliases, *tool.keywords), tool.description)


def told(query: str, found: Found, tools: Mapping[str, type[Tool]]) -> ToolResult:
    """What the model reads, and the fact by which the tools are offered to it."""
    schemas = [schema(tool) for tool in found.tools]
    lines = [f"- {one['name']}\n{json.dumps(one, ensure_ascii=False)}" for one in schemas]
    if missing := [f"No tool is called {name!r}.{near(name, tools)}" for name in found.missing]:
        lines.append("\n".join(missing))
    if not found.tools:
        lines.append(f"Nothing was found for {query!r}. There are: {', '.join(tools)}.")
    names = [tool.name for tool in found.tools]
    loaded = tuple(tool.name for tool in found.tools if not tool.always_load)
    metadata = {"query": query, "matched_tool_names": names, "schemas": schemas, "missing": list(found.missing)}
    facts = (ToolsLoaded(tools=loaded),) if loaded else ()
    return ToolResult(f"Tools found: {len(names)}", "\n\n".join(lines), metadata, facts=facts)


def schema(tool: type[Tool]) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description, "parameters": tool.parameters()}


def near(name: str, tools: Iterable[str]) -> str:
    """A sentence with names much like this one, "" where there are none."""
    names: Sequence[str] = ranked(name, [Described(other) for other in tools])[:3]
    return f" Did you mean {' or '.join(names)}?" if names else ""
