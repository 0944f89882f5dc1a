"""The tools of the mcp group that find, call and combine what MCP servers offer."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field

from agents.errors import ToolError
from agents.mcp.names import tool_name
from agents.pieces import Attachment, Piece
from agents.ports import McpAnswer, McpServers, McpTool
from agents.search.ranking import Described, ranked
from agents.tools.lending import asked, lines_of, one_line, result_of, servers
from agents.tools.oats.mcp_naming import Meant, known_tools, meant
from agents.tools.oats.mcp_previous import OPAQUE, filled, uses_previous
from agents.tools.tool import Tool, ToolContext, ToolResult
from agents.words import counted

MOST_CALLS = 16
AT_ONCE = 4
SHOWN = 20
ATTACHED = 1_400_000
"""Base64 characters of files that a combined result holds at most."""
MCP = "mcp://"


class McpGroup(Tool):
    """Base of the group."""

    group: ClassVar[str] = "mcp"


class McpDiscover(McpGroup):
    """Lists, and reads a resource where its mcp:// address is given."""

    name: ClassVar[str] = "mcp_discover"
    description: ClassVar[str] = (
        "List the tools and resources that the connected MCP servers offer. Name a server to see only its own, and words to see what "
        "fits them. To read a resource, give its address as the query: mcp://<server>/<uri>."
    )
    keywords: ClassVar[tuple[str, ...]] = ("list", "servers", "resources", "read resource")
    read_only: ClassVar[bool] = True
    mutates: ClassVar[bool] = False

    server: str = Field("", description="The server's name; empty for all.")
    query: str = Field("", description="Words to look for, or the mcp:// address of a resource to read.")
    refresh: bool = Field(False, description="Ask the servers anew rather than rely on what they told before.")

    def subject(self, context: ToolContext) -> str:
        return self.query if self.query.startswith(MCP) else ""

    def prompt(self, context: ToolContext) -> str:
        return f"read {self.query}" if self.query.startswith(MCP) else self.name

    def requires_permission(self, context: ToolContext) -> str | None:
        return self.prompt(context) if self.query.startswith(MCP) else None

    async def run(self, context: ToolContext) -> ToolResult:
        mcp = servers(context)
        if self.query.startswith(MCP):
            server, _, uri = self.query.removeprefix(MCP).partition("/")
            return result_of(server, uri, await mcp.read(server, uri))
        names = [self.server] if self.server else list(mcp.names())
        pages = await asyncio.gather(*(self._page(mcp, name) for name in names))
        shown = "\n\n".join(pages) or "No MCP server is set up for this project."
        return ToolResult(f"MCP servers: {len(names)}", shown, {"servers": names})

    async def _page(self, mcp: McpServers, server: str) -> str:
        """One server's part; what is wrong with it stands in its part alone."""
        try:
            tools = await mcp.tools(server, self.refresh)
            resources = await mcp.resources(server)
        except ToolError as wrong:
            if self.server:
                raise
            return f"{server}: {wrong}"
        lines = [_line(tool) for tool in _fitting(self.query, tools)]
        read = [f"- {MCP}{server}/{uri} ({name})" for uri, name in resources if self.query.lower() in f"{uri} {name}".lower()]
        return "\n".join([f"{server}: {counted(len(tools), 'tool')}, {counted(len(resources), 'resource')}", *lines, *read])


class McpCall(McpGroup):
    name: ClassVar[str] = "mcp_call"
    description: ClassVar[str] = (
        "Call one tool of an MCP server by its name, as mcp_discover lists it (mcp__server__tool, or server/tool). Works for tools that "
        "a server came to offer only lately."
    )
    subject_names_tools: ClassVar[bool] = True

    tool_name: str = Field(min_length=1, description="mcp__server__tool, or server/tool.")
    arguments_: dict[str, Any] = Field({}, alias="arguments", description="What the tool takes, by its own schema.")
    task_description: str = Field("", description="What the call is for, in a few words, for the people who watch.")

    def subject(self, context: ToolContext) -> str:
        return lines_of(self.parts(context))

    def parts(self, context: ToolContext) -> Sequence[tuple[str, str]]:
        return [(self._meant(context).rule_name, one_line(self.arguments_))]

    def prompt(self, context: ToolContext) -> str:
        target = self._meant(context)
        why = f" ({self.task_description})" if self.task_description else ""
        return asked(target.server, target.tool, self.arguments_) + why

    async def run(self, context: ToolContext) -> ToolResult:
        target = self._meant(context)
        return result_of(target.server, target.tool, await servers(context).call(target.server, target.tool, self.arguments_))

    def _meant(self, context: ToolContext) -> Meant:
        return meant(self.tool_name, servers(context))


class OneCall(Piece):
    """One of several calls."""

    tool_name: str = Field(min_length=1)
    arguments: dict[str, Any] = {}


class Calls(McpGroup):
    """Base of the two that make several calls."""

    subject_names_tools: ClassVar[bool] = True

    calls: tuple[OneCall, ...] = Field(min_length=1, max_length=MOST_CALLS, description="The calls: each a tool_name and its arguments.")

    def subject(self, context: ToolContext) -> str:
        return lines_of(self.parts(context))

    def parts(self, context: ToolContext) -> Sequence[tuple[str, str]]:
        """What is filled in later cannot be judged now, so such a call is also judged as one of which nothing is known."""
        found = [(meant(call.tool_name, servers(context)).rule_name, call.arguments) for call in self.calls]
        plain = [(rule, one_line(arguments)) for rule, arguments in found]
        return [*plain, *((rule, OPAQUE) for rule, arguments in found if uses_previous(arguments))]

    def prompt(self, context: ToolContext) -> str:
        targets = [meant(call.tool_name, servers(context)) for call in self.calls]
        return "; ".join(asked(target.server, target.tool, call.arguments) for target, call in zip(targets, self.calls, strict=True))


class McpChain(Calls):
    name: ClassVar[str] = "mcp_chain"
    description: ClassVar[str] = (
        "Call several tools of MCP servers one after the other, stopping at the first that fails. In the arguments of a later call "
        "{{previous}} stands for the text of the result before it, and {{previous.some.field}} for a field of its structured result."
    )

    async def run(self, context: ToolContext) -> ToolResult:
        told: list[ToolResult] = []
        before: McpAnswer | None = None
        for call in self.calls:
            target = meant(call.tool_name, servers(context))
            try:
                before = await servers(context).call(target.server, target.tool, filled(call.arguments, before))
            except ToolError as wrong:
                told.append(ToolResult(f"{target.server}: {target.tool}", error=str(wrong)))
                break
            told.append(result_of(target.server, target.tool, before))
            if before.failed:
                break
        return _together(told, len(self.calls))


class McpFanOut(Calls):
    name: ClassVar[str] = "mcp_fan_out"
    description: ClassVar[str] = (
        "Call several tools of MCP servers side by side and get every result, those that failed among them. The calls must not depend "
        "on each other."
    )

    async def run(self, context: ToolContext) -> ToolResult:
        gate = asyncio.Semaphore(AT_ONCE)

        async def one(call: OneCall) -> ToolResult:
            target = meant(call.tool_name, servers(context))
            async with gate:
                try:
                    return result_of(target.server, target.tool, await servers(context).call(target.server, target.tool, call.arguments))
                except ToolError as wrong:
                    return ToolResult(f"{target.server}: {target.tool}", error=str(wrong))

        return _together(await asyncio.gather(*(one(call) for call in self.calls)), len(self.calls))


class McpRank(McpGroup):
    name: ClassVar[str] = "mcp_rank"
    description: ClassVar[str] = "Which tools of the MCP servers fit a task best, in your own words for the task."
    keywords: ClassVar[tuple[str, ...]] = ("find", "which", "best")
    read_only: ClassVar[bool] = True
    mutates: ClassVar[bool] = False
    asks: ClassVar[Literal["allow", "ask"]] = "allow"

    task: str = Field(min_length=1, description="What is to be done.")
    top_k: int = Field(5, ge=1, le=SHOWN, description="How many to name.")

    async def run(self, context: ToolContext) -> ToolResult:
        known = known_tools(servers(context))
        best = _fitting(self.task, known)[: self.top_k]
        lines = [f"{place}. {_line(tool)[2:]}" for place, tool in enumerate(best, 1)]
        names = [tool_name(tool.server, tool.name) for tool in best]
        return ToolResult(f"Tools that fit: {len(best)}", "\n".join(lines) or "No tool of an MCP server fits this task.", {"tools": names})


def _fitting(query: str, tools: Sequence[McpTool]) -> list[McpTool]:
    """Best first; all of them where there are no words to go by."""
    if not query.strip():
        return list(tools)
    by_name = {tool_name(tool.server, tool.name): tool for tool in tools}
    return [
        by_name[name]
        for name in ranked(query, [Described(name, (tool.server, tool.name), tool.description) for name, tool in by_name.items()])
    ]


def _line(tool: McpTool) -> str:
    first = tool.description.strip().partition("\n")[0][:200]
    takes = ", ".join(tool.schema.get("properties", {}))
    return f"- {tool_name(tool.server, tool.name)}({takes}): {first}"


def _together(told: Sequence[ToolResult], wanted: int) -> ToolResult:
    """One result of several, each under its title; it has failed where one of them has, or where not all were made."""
    pages, files, left = [], list[Attachment](), ATTACHED
    for number, one in enumerate(told, 1):
        said = one.output if one.error is None else f"Error: {one.error}\n{one.output}".rstrip()
        pages.append(f"{number}. {one.title}\n{said}")
        for file in one.attachments:
            left -= len(file.data)
            if left >= 0:
                files.append(file)
    failed = sum(one.error is not None for one in told)
    undone = f" {wanted - len(told)} calls behind it were not made." if wanted > len(told) else ""
    error = f"{failed} of {len(told)} calls failed.{undone}" if failed else None
    return ToolResult(
        f"MCP calls: {len(told)}", "\n\n".join(pages), {"calls": len(told), "failed": failed}, error, attachments=tuple(files)
    )
