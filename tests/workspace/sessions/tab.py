"""A tab on a session, as a test opens one."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.test import Client

from agents import events as e
from workspace.accounts.models import User
from workspace.sessions import doorbell, log, routing
from workspace.sessions.models import Session

P = ParamSpec("P")
T = TypeVar("T")
ORIGIN = (b"origin", b"http://testserver")


def remark(text: str = "Hm") -> e.CommentAdded:
    return e.CommentAdded(comment_id="k", text=text)


async def add(session: Session, count: int = 1, ring: log.Ring = doorbell.ring) -> None:
    """Let something happen in the session, `count` times."""
    for _ in range(count):
        await in_db(log.append, session.pk, [remark()], ring=ring)


async def in_db(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    return await sync_to_async(work)(*args, **kwargs)


def cookie_of(person: User) -> tuple[bytes, bytes]:
    """The header with which this person's browser proves that it signed in."""
    client = Client()
    client.force_login(person)
    return b"cookie", f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}".encode()


class Tab:
    """Keeps every frame it was sent, in order. `tick` is short, so that what only a tick finds is found soon."""

    def __init__(self, session_id: str, headers: list[tuple[bytes, bytes]], since: str = "0", tick: float = 60.0) -> None:
        path = f"/ws/sessions/{session_id}/?since={since}"
        self.line = WebsocketCommunicator(routing.sockets(tick), path, headers)
        self.frames: list[dict[str, Any]] = []
        self.code: int | None = None

    @classmethod
    async def of(cls, person: User, session_id: str, since: str = "0", tick: float = 60.0) -> Tab:
        tab = cls(session_id, [ORIGIN, await in_db(cookie_of, person)], since, tick)
        assert await tab.open()
        return tab

    async def open(self) -> bool:
        opened, code = await self.line.connect(timeout=5)
        self.code = None if opened else code
        return bool(opened)

    async def next(self) -> dict[str, Any]:
        """The next frame; {} when the server closed."""
        message = await self.line.receive_output(timeout=10)
        if message["type"] == "websocket.close":
            self.code = message["code"]
            return {}
        frame: dict[str, Any] = json.loads(message["text"])
        self.frames.append(frame)
        return frame

    async def until(self, reached: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Read on to the first frame like this."""
        while True:
            frame = await self.next()
            if not frame or reached(frame):
                return frame

    async def frame(self, type: str) -> dict[str, Any]:
        """Read on to the next frame of this type."""
        return await self.until(lambda frame: frame["type"] == type)

    async def entry(self, seq: int) -> None:
        """Read on until this entry has come."""
        while seq not in self.seqs:
            assert await self.next(), f"closed with {self.code}"

    @property
    def seqs(self) -> list[int]:
        return [entry["seq"] for frame in self.frames if frame["type"] == "entries" for entry in frame["entries"]]

    async def say(self, text: str) -> None:
        await self.line.send_to(text)

    async def command(self, **command: Any) -> dict[str, Any]:
        """Send a command and read on to its answer."""
        await self.line.send_json_to({"id": "7", "command": command})
        return await self.until(lambda frame: frame.get("id") == "7")

    async def close(self) -> None:
        await self.line.disconnect(timeout=5)
