"""A small language server whose manners are told by its arguments. Runs alone, with the standard library only.

good: answers everything. hang: is deaf after its start. deaf: never even starts. crash: dies at the first question. garbage: speaks
nonsense. refuse: answers with errors. odd: answers in shapes the protocol does not know. late: starts after a second.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

NAME = os.urandom(8).hex()
"""No other server's."""


def main(manner: str) -> None:
    if manner == "garbage":
        sys.stdout.write("Hello, I am a language server!\r\n\r\n")
        sys.stdout.flush()
    if manner == "late":
        time.sleep(1)
    while message := read():
        take(message, manner)


def read() -> Any:
    length = 0
    while (line := sys.stdin.buffer.readline().strip()) or not length:
        if not line:
            return None
        name, _, value = line.partition(b":")
        length = int(value) if name.lower() == b"content-length" else length
    return json.loads(sys.stdin.buffer.read(length))


def take(message: Any, manner: str) -> None:
    method, params = message.get("method"), message.get("params")
    if manner == "deaf" or (manner == "hang" and method not in ("initialize", "initialized")):
        return
    if manner == "crash" and method.startswith("textDocument/") and "id" in message:
        sys.stderr.write("I do not feel well\n")
        sys.stderr.flush()
        os._exit(3)
    if method in ("textDocument/didOpen", "textDocument/didChange"):
        publish(params)
    if "id" in message and method:
        reply(message["id"], method, params, manner)


def publish(params: Any) -> None:
    """Complain of every line that says BAD."""
    document = params["textDocument"]
    text = document["text"] if "text" in document else params["contentChanges"][-1]["text"]
    found = [complaint(number, line.index("BAD")) for number, line in enumerate(text.split("\n")) if "BAD" in line]
    send(
        {
            "method": "textDocument/publishDiagnostics",
            "params": {"uri": document["uri"], "version": document["version"], "diagnostics": found},
        }
    )


def complaint(line: int, character: int) -> Any:
    place = {"line": line, "character": character}
    return {"range": {"start": place, "end": place}, "severity": 1, "source": "fake", "message": "this is BAD"}


def reply(number: int, method: str, params: Any, manner: str) -> None:
    if manner == "refuse" and method != "initialize":
        send({"id": number, "error": {"code": -32603, "message": "not today"}})
        return
    if manner == "odd" and method != "initialize":
        send({"id": number, "result": [{"range": "nowhere"}, 7]})
        return
    answers = {
        "initialize": {"capabilities": {}},
        "textDocument/hover": {"contents": f"I am {NAME}"},
        "workspace/symbol": [
            {"name": f"s{one}", "kind": 12, "location": {"uri": "file:///elsewhere/x.py", "range": span(one)}} for one in range(150)
        ],
    }
    send({"id": number, "result": answers.get(method)})


def span(line: int) -> Any:
    return {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 1}}


def send(message: Any) -> None:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(sys.argv[1])
