"""A server that answers each request with the bytes it is given, for replies that no well-meaning script would make."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


@contextmanager
def answering(*bodies: bytes) -> Iterator[str]:
    """The base URL (for the OpenAI format) of a server that sends one body a request, and the last one again and again."""
    left = list(bodies)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            self.wfile.write(left.pop(0) if len(left) > 1 else left[0])

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/v1"
        finally:
            server.shutdown()
            thread.join()


def chunk(finish: str | None = None, **delta: Any) -> bytes:
    """One event of an OpenAI stream; JSON keeps to ASCII, so that half a surrogate pair can be said."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return (
        f"data: {json.dumps({'id': 'x', 'object': 'chat.completion.chunk', 'created': 1, 'model': 'm', 'choices': [choice]})}\n\n".encode()
    )


def called(tool: str, arguments: str, call_id: str = "c1", index: int = 0) -> bytes:
    """A whole tool call in one event."""
    function = {"name": tool, "arguments": arguments}
    return chunk(tool_calls=[{"index": index, "id": call_id, "type": "function", "function": function}])


STOP = chunk("stop") + b"data: [DONE]\n\n"
CALLS = chunk("tool_calls") + b"data: [DONE]\n\n"
