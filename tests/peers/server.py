"""The HTTP server of a peer: plays a script to whoever asks, and keeps what was asked, byte for byte."""

from __future__ import annotations

import contextlib
import json
import math
import select
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

from agents.events import Usage
from agents.providers.places import Cue, Place
from agents.providers.provider import Transcript
from agents.providers.script import Script, ScriptedError, ScriptedPart, filled, parse_script
from tests.peers.anthropic import Anthropic
from tests.peers.google import Google
from tests.peers.openai import OpenAI
from tests.peers.wire import PIECE, Reply, Said, Wire

Format = Literal["openai", "anthropic", "google"]
WIRES: dict[Format, Callable[[], Wire]] = {"openai": OpenAI, "anthropic": Anthropic, "google": Google}
STATUS = {"auth": 401, "rate_limit": 429, "overloaded": 529, "bad_request": 400, "context": 400, "timeout": 504, "other": 500}


@dataclass
class Asked:
    """One request. Times are time.monotonic(): when its last byte had come, and when the last byte of the answer had gone."""

    path: str
    headers: dict[str, str]
    body: bytes
    arrived: float
    connection: int = 0
    """The client's port."""
    answered: float | None = None
    dropped: threading.Event = field(default_factory=threading.Event)
    """Set when the client closed the connection before the answer was whole."""

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Peer:
    """A vendor's server on a free port of this machine, in threads of its own.

    Where the script stands follows from each request's messages, as with the scripted provider. `error` parts are played
    one a request: a turn `[{error: …}, {text: …}]` fails the first time it is asked for and answers the second.
    An error of kind "network" closes the connection, "malformed" sends garbage, others with a status (or by their kind)
    are HTTP errors with `Retry-After` (in milliseconds too) from `retry_in`; behind other parts they are errors within the stream.
    """

    def __init__(self, format: Format, script: Script | str, port: int = 0, on_answer: Callable[[Asked], None] | None = None) -> None:
        self.wire = WIRES[format]()
        self.script = parse_script(script) if isinstance(script, str) else script
        self.requests: list[Asked] = []
        self.on_answer = on_answer
        self._attempts: Counter[tuple[str, int]] = Counter()
        self.server = _Server(("127.0.0.1", port), _handler(self))
        self._thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.base_url = self.url + ("/v1" if format == "openai" else "")
        """What a provider is given as its base URL."""

    def __enter__(self) -> Peer:
        self._thread.start()
        return self

    def __exit__(self, *problem: object) -> None:
        self.server.shutdown()
        self.server.close_connections()
        self.server.server_close()
        self._thread.join()

    def serve_forever(self) -> None:
        self.server.serve_forever()

    def cue(self, body: dict[str, Any]) -> tuple[Cue, list[ScriptedPart]]:
        """The turn that answers this request, and what of it is played this time."""
        messages = self.wire.messages(body)
        place = Place(self.script).follow(Transcript(messages))
        cue = place.cue()
        key = (messages[0].text if messages and hasattr(messages[0], "text") else "", len(messages))
        self._attempts[key] += 1
        return cue, list(_attempt(cue.turn.parts, self._attempts[key]))


def _attempt(parts: tuple[ScriptedPart, ...], number: int) -> Iterator[ScriptedPart]:
    """The parts up to the number-th error, without the errors (and what they followed) of the earlier attempts."""
    errors = [place for place, part in enumerate(parts) if part.error is not None]
    passed = errors[: number - 1]
    if passed and (retry := parts[passed[-1]].error) is not None and retry.retry_in is None:
        passed = passed[:-1]
    start = passed[-1] + 1 if passed else 0
    for part in parts[start:]:
        yield part
        if part.error is not None:
            return


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(address, handler)
        self.open: set[socket.socket] = set()

    def close_connections(self) -> None:
        for connection in list(self.open):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


class _Dropped(Exception):
    """The client has gone."""


def _handler(peer: Peer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def setup(self) -> None:
            super().setup()
            peer.server.open.add(self.connection)

        def finish(self) -> None:
            peer.server.open.discard(self.connection)
            with contextlib.suppress(OSError):
                super().finish()

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            asked = Asked(
                self.path, {name.lower(): value for name, value in self.headers.items()}, body, time.monotonic(), self.client_address[1]
            )
            peer.requests.append(asked)
            try:
                Answer(peer, asked, self).play()
            except (_Dropped, ConnectionError):
                asked.dropped.set()
                self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:
            pass

    return Handler


class Answer:
    """One answer as it is being sent."""

    def __init__(self, peer: Peer, asked: Asked, http: BaseHTTPRequestHandler) -> None:
        self.asked, self.http, self.peer = asked, http, peer
        body = asked.json
        self.cue, self.parts = peer.cue(body)
        speed = self.cue.turn.speed
        self.speed = peer.script.speed if speed is None else speed
        self.model = str(body.get("model") or asked.path.rsplit("/", 1)[-1].split(":")[0])
        self.begun = False
        self.waiting = b""

    def play(self) -> None:
        reply = self.peer.wire.reply(self.model)
        calls = written = 0
        for number, part in enumerate(self.parts):
            if part.error is not None:
                self._fail(part.error, reply)
                return
            if part.cut:
                self._break_off()
                return
            if part.delay or part.hang:
                self._pause(part.delay or 3600.0)
                continue
            said = self._said(part, whole=not any(later.cut for later in self.parts[number + 1 : number + 2]))
            calls, written = calls + (said.call is not None), written + len(said.text)
            self._send(reply, said)
        usage = self.cue.turn.usage or Usage(input=-(-len(self.asked.body) // 4), output=-(-written // 4))
        self._begin(reply)
        self._write(reply.end(self.cue.turn.finish or ("calls" if calls else "stop"), usage))
        self._close()

    def _said(self, part: ScriptedPart, whole: bool) -> Said:
        if part.call is not None:
            call = part.call.written(self.cue.variables)
            return Said("call", call.arguments, part.call.model_copy(update={"id": call.call_id}), whole)
        kind = "text" if part.text is not None else "reasoning"
        return Said(kind, filled(part.text or part.reasoning or "", self.cue.variables), None, whole)

    def _send(self, reply: Reply, said: Said) -> None:
        self._begin(reply)
        for piece in reply.part(said, max(1, round(self.speed * 0.04)) if self.speed else PIECE):
            self._write(piece)
            if self.speed:
                self._pause(0.04)

    def _fail(self, error: ScriptedError, reply: Reply) -> None:
        if error.kind == "network":
            self._break_off()
        elif error.kind == "malformed":
            self._begin(reply)
            self._write(b'event: content_block_start\ndata: {"this is": not json\n\n')
            self._close()
        elif self.begun:
            self._write(reply.error(error))
            self._close()
        else:
            self._refuse(error)

    def _refuse(self, error: ScriptedError) -> None:
        status = error.status or STATUS.get(error.kind, 500)
        body = json.dumps(self.peer.wire.refusal(error, status)).encode()
        self.http.send_response(status)
        self.http.send_header("Content-Type", "application/json")
        self.http.send_header("Content-Length", str(len(body)))
        if error.retry_in is not None:
            self.http.send_header("Retry-After", str(math.ceil(error.retry_in)))
            self.http.send_header("retry-after-ms", f"{error.retry_in * 1000:g}")
        self.http.end_headers()
        self.http.wfile.write(body)
        self._note()

    def _begin(self, reply: Reply) -> None:
        if not self.begun:
            self.begun = True
            self.http.send_response(200)
            self.http.send_header("Content-Type", "text/event-stream")
            self.http.send_header("Transfer-Encoding", "chunked")
            self.http.end_headers()
            self._write(reply.start())

    def _write(self, data: bytes) -> None:
        self.waiting += data

    def _flush(self, last: bytes = b"") -> None:
        chunk = b"%x\r\n%b\r\n" % (len(self.waiting), self.waiting) if self.waiting else b""
        self.waiting = b""
        self.http.wfile.write(chunk + last)
        self.http.wfile.flush()

    def _pause(self, seconds: float) -> None:
        """Wait, but notice a client that goes away meanwhile."""
        self._flush()
        readable, _, _ = select.select([self.http.connection], [], [], seconds)
        if readable and not self.http.connection.recv(1, socket.MSG_PEEK):
            raise _Dropped

    def _close(self) -> None:
        self._flush(b"0\r\n\r\n")
        self._note()

    def _break_off(self) -> None:
        self._flush()
        self.http.close_connection = True
        with contextlib.suppress(OSError):
            self.http.connection.shutdown(socket.SHUT_RDWR)
        self._note()

    def _note(self) -> None:
        self.asked.answered = time.monotonic()
        if self.peer.on_answer is not None:
            self.peer.on_answer(self.asked)
