"""A model server without a thought: it answers each request with the next tool call at once and notes when.

It speaks OpenAI's streamed chat format and costs as little as it can, so that what is measured is the client.
"""

from __future__ import annotations

import asyncio
import json
import threading
from dataclasses import dataclass
from itertools import pairwise
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


@dataclass(frozen=True)
class Exchange:
    """One request and its answer: when the request had wholly come and when the answer's last byte had gone (seconds of one clock)."""

    body: bytes
    asked: float
    answered: float


class ModelServer:
    """Runs in a thread of its own and answers every request with the next call of the script."""

    def __init__(self) -> None:
        self.exchanges: list[Exchange] = []
        self.port = 0
        self._loop = asyncio.new_event_loop()
        ready = threading.Event()
        threading.Thread(target=self._run, args=(ready,), daemon=True).start()
        ready.wait(10)

    def steps(self) -> list[tuple[int, float]]:
        """(number, seconds from its answer's last byte to the whole of the next request) of every step within a run."""
        pairs = pairwise(self.exchanges)
        return [(n, after.asked - before.answered) for n, (before, after) in enumerate(pairs) if _answers_a_call(after.body)]

    def prefixes_held(self) -> bool:
        """Whether the messages of every request begin with those of the one before: what prompt caches live on."""
        asked = [json.loads(exchange.body)["messages"] for exchange in self.exchanges]
        return all(after[: len(before)] == before for before, after in pairwise(asked))

    def _run(self, ready: threading.Event) -> None:
        server = self._loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0, limit=2**26))
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        self._loop.run_forever()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                body = await reader.readexactly(_length(head))
                await self._answer(body, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def _answer(self, body: bytes, writer: asyncio.StreamWriter) -> None:
        asked = perf_counter()
        payload = _call(len(self.exchanges))
        head = f"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: {len(payload)}\r\n\r\n"
        writer.write(head.encode() + payload)
        await writer.drain()
        self.exchanges.append(Exchange(body, asked, perf_counter()))


def _answers_a_call(body: bytes) -> bool:
    return bool(json.loads(body)["messages"][-1]["role"] == "tool")


def _length(head: bytes) -> int:
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return int(value)
    return 0


def _call(number: int) -> bytes:
    tool, pattern = CALLS[number % len(CALLS)]
    n = (number // len(CALLS)) % FILES
    args = {key: value.replace("{n}", str(n)) for key, value in pattern.items()}
    if tool == "edit" and (number // len(CALLS) // FILES) % 2:
        args["old_string"], args["new_string"] = args["new_string"], args["old_string"]
    call = {"index": 0, "id": f"call_{number}", "type": "function", "function": {"name": tool, "arguments": json.dumps(args)}}
    return _events([{"role": "assistant", "content": None, "tool_calls": [call]}], "tool_calls")


def _events(deltas: list[dict[str, Any]], finish: str) -> bytes:
    base = {"id": "chatcmpl-bench", "object": "chat.completion.chunk", "created": 1_700_000_000, "model": "bench"}
    chunks = [{**base, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    chunks.append({**base, "choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    usage = {"prompt_tokens": 1000, "completion_tokens": 20, "total_tokens": 1020}
    chunks.append({**base, "choices": [], "usage": usage})
    return b"".join(b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in chunks) + b"data: [DONE]\n\n"
