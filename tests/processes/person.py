"""Somebody who uses an installation from outside: over HTTP and the session's socket, as the page does."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

Json = dict[str, Any]


class Person:
    """A browser without a page: cookies, the API and sockets."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.http = httpx.Client(base_url=address, timeout=30, follow_redirects=True, headers={"Origin": address, "Referer": f"{address}/"})

    def sign_in(self, link: str) -> None:
        """Open a one-time link."""
        page = self.http.get(link)
        assert page.is_success, page.text
        assert self.get("/api/me/")["username"]

    def try_get(self, path: str) -> int:
        """The status, 0 where nobody answers."""
        try:
            return self.http.get(path).status_code
        except httpx.TransportError:
            return 0

    def get(self, path: str, /, **query: Any) -> Any:
        answer = self.http.get(path, params=query)
        assert answer.is_success, f"{path}: {answer.status_code} {answer.text}"
        return answer.json()

    def post(self, path: str, body: Any, method: str = "POST") -> Any:
        answer = self.send(method, path, body)
        assert answer.is_success, f"{path}: {answer.status_code} {answer.text}"
        return answer.json() if answer.content else None

    def send(self, method: str, path: str, body: Any) -> httpx.Response:
        return self.http.request(method, path, json=body, headers={"X-CSRFToken": self.http.cookies.get("csrftoken") or ""})

    # --- a session ---------------------------------------------------------------------------------------------------

    def open_session(self, prompt: str = "", **more: Any) -> str:
        """A new session in the demo's project; gives its id."""
        project = self.get("/api/projects/")["results"][0]
        session = self.post("/api/sessions/", {"project": project["id"], "prompt": prompt, **more})
        return str(session["id"])

    def say(self, session: str, text: str) -> None:
        self.post(f"/api/sessions/{session}/messages/", {"text": text, "message_id": uuid.uuid4().hex})

    def stop(self, session: str) -> None:
        self.post(f"/api/sessions/{session}/stop/", {})

    def entries(self, session: str) -> list[Json]:
        """The whole log. Fails when a seq is missing or stands twice."""
        found: list[Json] = []
        while more := self.get(f"/api/sessions/{session}/events/", since=len(found), limit=200)["results"]:
            found += more
        assert [entry["seq"] for entry in found] == list(range(1, len(found) + 1))
        return found

    def facts(self, session: str, kind: str) -> list[Json]:
        return [entry["fact"] for entry in self.entries(session) if entry["fact"]["type"] == kind]

    def status(self, session: str) -> str:
        return str(self.get(f"/api/sessions/{session}/")["status"])

    def allow_everything(self, session: str) -> bool:
        """Allow what waits for an approval; whether anything did."""
        waiting = self.get(f"/api/sessions/{session}/approvals/", open=1)
        rows = waiting["results"] if isinstance(waiting, dict) else waiting
        for ask in rows:
            body = {"hash": ask["hash"], "verdict": "allow", "scope": "once", "reason": ""}
            self.post(f"/api/sessions/{session}/approvals/{ask['approval_id']}/decide/", body)
        return bool(rows)

    @contextmanager
    def socket(self, session: str, since: int = 0) -> Iterator[ClientConnection]:
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.http.cookies.jar)
        address = f"{self.address.replace('http', 'ws', 1)}/ws/sessions/{session}/?since={since}"
        with connect(address, origin=Origin(self.address), additional_headers={"Cookie": cookies}, max_size=None) as socket:
            yield socket


def frames(socket: ClientConnection, timeout: float = 30.0) -> Iterator[Json]:
    """What the server pushes, until it is silent for so long."""
    while True:
        try:
            yield json.loads(socket.recv(timeout=timeout))
        except TimeoutError:
            return
