"""An MCP server built with the official SDK: `python -m tests.peers.mcp_friendly`, over stdio or, with `--port N`, at /mcp of an address.

With a port it prints its address as its first line and takes only requests that carry the header `X-Key: right` where
`--key right` was given.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import socket
import sys
from pathlib import Path
from typing import Any

import mcp_types as types
import uvicorn
from mcp.server import MCPServer
from mcp.server.mcpserver import Context, Image
from pydantic import BaseModel
from starlette.responses import PlainTextResponse

server = MCPServer("friendly")
PIXEL = bytes.fromhex("89504e470d0a1a0a")


class Sum(BaseModel):
    total: int


@server.tool(description="Adds two whole numbers.")
def add(a: int, b: int = 1) -> Sum:
    return Sum(total=a + b)


@server.tool(description="Says what it was told.", annotations=types.ToolAnnotations(read_only_hint=True))
def echo(text: str) -> str:
    return text


@server.tool(description="Tells a variable of the server's environment.")
def environment(name: str) -> str:
    return os.environ.get(name, "not set")


@server.tool(description="Reads a file as the server sees it.")
def look(path: str) -> str:
    return Path(path).read_text()


@server.tool(description="Fails, always.")
def fail() -> str:
    raise ValueError("this tool fails")


@server.tool(description="Takes its time.")
async def wait(seconds: float) -> str:
    await asyncio.sleep(seconds)
    return "waited"


@server.tool(description="Gives a picture.", structured_output=False)
def picture(size: int = 8) -> list[Any]:
    return ["a picture", Image(data=PIXEL + b"\0" * size, format="png")]


@server.tool(description="Offers one more tool from now on.")
async def grow(context: Context) -> str:
    server.add_tool(late, description="Came late.")
    await context.session.send_tool_list_changed()
    return "grown"


def late() -> str:
    return "better late"


@server.resource("notes://today", name="today", mime_type="text/plain")
def today() -> str:
    return "Nothing happened."


class Guarded:
    """Refuses who does not bring the key."""

    def __init__(self, app: Any, key: str) -> None:
        self.app, self.key = app, key

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        headers = dict(scope.get("headers", []))
        if scope["type"] == "http" and self.key and headers.get(b"x-key", b"").decode() != self.key:
            await PlainTextResponse("who are you?", 401)(scope, receive, send)
            return
        await self.app(scope, receive, send)


def serve(port: int, key: str) -> None:
    listening = socket.create_server(("127.0.0.1", port))
    sys.stdout.write(f"http://127.0.0.1:{listening.getsockname()[1]}/mcp\n")
    sys.stdout.flush()
    app = Guarded(server.streamable_http_app(), key)
    uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listening])


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--port", type=int)
    reader.add_argument("--key", default="")
    options = reader.parse_args()
    if options.port is None:
        server.run()
    else:
        serve(options.port, options.key)


if __name__ == "__main__":
    main()
