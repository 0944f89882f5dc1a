"""Tools served to any MCP client: each call takes the way that calls of a session take, and what people would be asked is refused."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server

from agents import events as e
from agents.agent import Agent
from agents.calls import finished, settle_calls
from agents.host import InMemoryRecorder
from agents.permissions import Rule
from agents.tools.tool import Tool, ToolResult
from workspace.errors import AppError
from workspace.ids import new_id

log = logging.getLogger(__name__)

NEEDS_PEOPLE = frozenset({
    "question", "ask_user", "plan_enter", "plan_exit", "plan_status", "agent", "agent_status", "tool_search",
})  # fmt: skip
"""Tools that wait for people, for other sessions, or for a model that is told of tools little by little: they are not served."""
NOBODY = "This call needs a person's approval, and nobody can be asked here ({prompt}). A rule of the project can allow it beforehand."
Rules = Callable[[], Awaitable[tuple[Rule, ...]]]
Context = ServerRequestContext[dict[str, object]]


@dataclass
class ToolServer:
    """Serves an agent's tools; no model speaks. `rules` are asked before each call and raise AppError where it may not be made."""

    agent: Agent
    rules: Rules
    allow_asks: bool = False
    recorder: InMemoryRecorder = field(default_factory=InMemoryRecorder)
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def serve(self) -> None:
        """Over standard input and output, until the client leaves."""
        server = Server("countersign", on_list_tools=self.list_tools, on_call_tool=self.call_tool)
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    async def list_tools(self, context: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_declared(tool) for tool in self.agent.tools.values()])

    async def call_tool(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        """One call after the other: each may change what the next one finds."""
        call = e.Call(call_id=new_id(), tool=params.name, arguments=json.dumps(params.arguments or {}))
        async with self._turn:
            ended = await self._ended(call)
        log.info("%s: %s in %.2f s", ended.tool, "failed" if ended.error else "done", ended.seconds)
        return _result(ended)

    async def _ended(self, call: e.Call) -> e.ToolFinished:
        try:
            self.agent.rules = await self.rules()
        except AppError as refused:
            return finished(call, ToolResult(call.tool, error=str(refused)), 0.0)
        await self.recorder.keep(e.AgentSpoke(reply_id=new_id(), parts=(call,), finish="calls"))
        while await settle_calls(self.agent, self.recorder.history, self.recorder):
            await self.recorder.keep(self._decided(call))
        self.recorder.notes.clear()
        return next(fact for fact in self._facts() if isinstance(fact, e.ToolFinished) and fact.call_id == call.call_id)

    def _decided(self, call: e.Call) -> e.AnyFact:
        """What becomes of a call that waits for somebody's word."""
        asked = next(self._facts())
        if not isinstance(asked, e.ApprovalAsked):
            return finished(call, ToolResult(call.tool, error="This call waits for people, and nobody can be asked here."), 0.0)
        if self.allow_asks:
            return e.ApprovalDecided(approval_id=asked.approval_id, call_id=call.call_id, verdict="allow", hash=asked.hash)
        return finished(call, ToolResult(call.tool, error=NOBODY.format(prompt=asked.prompt)), 0.0)

    def _facts(self) -> Iterator[e.AnyFact]:
        """The newest first."""
        return (entry.fact for entry in reversed(self.recorder.entries))


def served(tools: dict[str, type[Tool]]) -> dict[str, type[Tool]]:
    return {name: tool for name, tool in tools.items() if name not in NEEDS_PEOPLE}


def _declared(tool: type[Tool]) -> types.Tool:
    told = tool.definition()
    hints = types.ToolAnnotations(read_only_hint=tool.read_only)
    return types.Tool(name=told.name, description=told.description, input_schema=told.parameters, annotations=hints)


def _result(ended: e.ToolFinished) -> types.CallToolResult:
    text = ended.output if ended.error is None else f"Error: {ended.error}\n{ended.output}".rstrip()
    content: list[types.ContentBlock] = [types.TextContent(text=text), *(_file(attachment) for attachment in ended.attachments)]
    return types.CallToolResult(content=content, is_error=ended.error is not None)


def _file(attachment: e.Attachment) -> types.ContentBlock:
    if attachment.media_type.startswith("image/"):
        return types.ImageContent(data=attachment.data, mime_type=attachment.media_type)
    name = f"attachment://{attachment.name}"
    return types.EmbeddedResource(resource=types.BlobResourceContents(uri=name, mime_type=attachment.media_type, blob=attachment.data))
