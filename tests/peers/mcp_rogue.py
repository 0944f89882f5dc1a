"""An MCP server that misbehaves as its only argument says, by hand and with nothing but the standard library.

It can be copied into a workspace and run there. `--help` lists what it can do wrong.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

WRONGS = (
    "nothing", "silent", "hangs-at-list", "hangs-at-call", "dies-at-start", "dies-at-call", "no-json", "junk-beside", "bad-schema",
    "bad-output", "no-output", "endless-schema", "wrong-types", "huge", "long", "floods",
    "odd-names", "endless-list", "changes", "no-protocol", "asks-back",
)  # fmt: skip
GOOD = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
TOTAL = {"type": "object", "properties": {"total": {"type": "integer"}}, "required": ["total"]}
wrong = sys.argv[1] if len(sys.argv) > 1 else "nothing"
calls: list[dict[str, Any]] = []


def say(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def hang() -> None:
    while True:
        time.sleep(3600)


def tools(cursor: str | None) -> dict[str, Any]:
    echo: dict[str, Any] = {"name": "echo", "description": "Says it back.", "inputSchema": GOOD}
    if wrong == "hangs-at-list":
        hang()
    if wrong == "bad-schema":
        return {"tools": [echo, {"name": "broken", "inputSchema": {"type": "object", "properties": {"a": {"type": "no such type"}}}}]}
    if wrong in ("bad-output", "no-output"):
        return {"tools": [{**echo, "outputSchema": TOTAL}]}
    if wrong == "endless-schema":
        doubled = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(40)}
        return {"tools": [{**echo, "inputSchema": {"type": "object", "$ref": "#/$defs/d0", "$defs": {**doubled, "d40": {}}}}]}
    if wrong == "wrong-types":
        return {"tools": [{"name": 7, "inputSchema": "no"}]}
    if wrong == "odd-names":
        names = ["a/b.c", "a b", "ü", "x" * 120, "echo", "echo", "\u0007", "y" * 300]
        return {"tools": [{**echo, "name": name} for name in names]}
    if wrong == "endless-list":
        number = int(cursor or 0)
        return {"tools": [{**echo, "name": f"tool{number}"}], "nextCursor": str(number + 1)}
    return {"tools": [echo] if wrong != "changes" or not calls else [{**echo, "name": "other"}]}


def call(arguments: dict[str, Any]) -> dict[str, Any]:
    calls.append(arguments)
    text = str(arguments.get("text", ""))
    if wrong == "hangs-at-call":
        hang()
    if wrong == "dies-at-call":
        sys.stderr.write(f"I cannot go on with {os.environ.get('KEY', 'nothing')}\n")
        sys.exit(3)
    if wrong == "bad-output":
        return {"content": [], "structuredContent": {"total": "many"}}
    return {"content": [{"type": "text", "text": said(text)}]}


def said(text: str) -> str:
    if wrong == "huge":
        return "x" * (9 * 2**20)
    if wrong == "floods":
        while True:
            say({"method": "notifications/message", "params": {"level": "info", "data": "drip"}})
    if wrong == "long":
        return "x" * 500_000
    if wrong == "changes":
        say({"method": "notifications/tools/list_changed"})
    if wrong == "asks-back":
        say({"id": "q1", "method": "sampling/createMessage", "params": {"messages": [], "maxTokens": 1}})
        return sys.stdin.readline()
    return content(text[5:]) if text.startswith("file:") else text or os.environ.get("KEY", "")


def content(path: str) -> str:
    try:
        return Path(path).read_text()
    except OSError as refused:
        return f"cannot: {type(refused).__name__}"


def answer(message: dict[str, Any]) -> dict[str, Any]:
    method, params = message["method"], message.get("params") or {}
    if method == "initialize":
        if wrong == "no-protocol":
            return {"hello": "you"}
        able = {"tools": {"listChanged": True}}
        return {"protocolVersion": "2025-06-18", "capabilities": able, "serverInfo": {"name": "rogue", "version": "1"}}
    if method == "tools/list":
        return tools(params.get("cursor"))
    if method == "tools/call":
        return call(params.get("arguments") or {})
    return {}


def main() -> None:
    if wrong == "--help":
        sys.stdout.write(" ".join(WRONGS) + "\n")
        return
    if wrong == "dies-at-start":
        sys.exit("no configuration")
    for line in sys.stdin:
        if wrong == "silent":
            continue
        if wrong == "no-json":
            sys.stdout.write("Welcome!\n" * 3)
            sys.stdout.flush()
            continue
        if wrong == "junk-beside":
            sys.stdout.write('loading…\n{"half": \n[1]\n')
        message = json.loads(line)
        if "id" in message and "method" in message:
            say({"id": message["id"], "result": answer(message)})


if __name__ == "__main__":
    main()
