"""A model server without a thought: it answers each request with the next tool call at once and notes when.

It speaks OpenAI's streamed chat format and costs as little as it can, so that what is measured is the client.
"""

from __future__ import annotations

import asyncio
import json
import threading
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("read", {"file_path": "src/part_{n}.py"}),
    ("edit", {"file_path": "src/part_{n}.py", "old_string": "value = {n}", "new_string": "value =  {n}"}),
    ("grep", {"pattern": "def part_{n}\\b", "output_mode": "content"}),
    ("bash", {"command": "wc -l src/part_{n}.py"}),
)
"""The neutral script: read, edit, search, run; `{n}` keeps neighbouring calls from being the same."""
FILES = 40


@dataclass
class Times:
    """When each request had wholly come, and when the last byte of each answer had gone, in seconds of one clock."""

    asked: list[float] = field(default_factory=list)
    answered: list[float] = field(default_factory=list)
    bodies: list[int] = field(default_factory=list)


class ModelServer:
    """Runs in a thread of its own. `steps` tool calls, then words."""

    def __init__(self, steps: int) -> None:
        self.steps = steps
        self.times = Times()
        self.prefixes_held = True
        self._last = b""
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self.port = 0
        threading.Thread(target=self._run, daemon=True).start()
        self._ready.wait(10)

    def _run(self) -> None:
        server = self._loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0, limit=2**26))
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                body = await reader.readexactly(_length(head))
                await self._answer(body, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def _answer(self, body: bytes, writer: asyncio.StreamWriter) -> None:
        self.times.asked.append(perf_counter())
        self.times.bodies.append(len(body))
        number = len(self.times.asked) - 1
        payload = _words() if number % (self.steps + 1) == self.steps else _call(number)
        head = f"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: {len(payload)}\r\n\r\n"
        writer.write(head.encode() + payload)
        await writer.drain()
        self.times.answered.append(perf_counter())
        self.prefixes_held = self.prefixes_held and _continues(self._last, body)
        self._last = body


def _length(head: bytes) -> int:
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return int(value)
    return 0


def _continues(before: bytes, after: bytes) -> bool:
    """Whether the messages of this request begin with those of the one before: what prompt caches live on."""
    if not before:
        return True
    old, new = json.loads(before)["messages"], json.loads(after)["messages"]
    return bool(new[: len(old)] == old)


def _call(number: int) -> bytes:
    tool, pattern = CALLS[number % len(CALLS)]
    n = (number // len(CALLS)) % FILES
    args = {key: value.replace("{n}", str(n)) for key, value in pattern.items()}
    if tool == "edit" and (number // len(CALLS) // FILES) % 2:
        args["old_string"], args["new_string"] = args["new_string"], args["old_string"]
    call = {"index": 0, "id": f"call_{number}", "type": "function", "function": {"name": tool, "arguments": json.dumps(args)}}
    return _events([{"role": "assistant", "content": None, "tool_calls": [call]}], "tool_calls")


def _words() -> bytes:
    return _events([{"role": "assistant", "content": "That was all."}], "stop")


def _events(deltas: list[dict[str, Any]], finish: str) -> bytes:
    base = {"id": "chatcmpl-bench", "object": "chat.completion.chunk", "created": 1_700_000_000, "model": "bench"}
    chunks = [{**base, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    chunks.append({**base, "choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    usage = {"prompt_tokens": 1000, "completion_tokens": 20, "total_tokens": 1020}
    chunks.append({**base, "choices": [], "usage": usage})
    return b"".join(b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in chunks) + b"data: [DONE]\n\n"
