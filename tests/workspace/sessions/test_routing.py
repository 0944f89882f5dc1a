"""What stands between a socket and the channel layer."""

from __future__ import annotations

from typing import Any

import pytest
from redis.exceptions import ConnectionError as RedisAway

from workspace.sessions.routing import patient


async def heard() -> dict[str, Any]:
    return {"type": "websocket.connect"}


async def said(message: dict[str, Any]) -> None:
    """Nobody listens."""


class Socket:
    """Fails so many times before it begins, or once it has begun."""

    def __init__(self, failures: int, begin: bool = False) -> None:
        self.failures, self.begin, self.tried = failures, begin, 0

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> str:
        self.tried += 1
        if self.begin:
            await receive()
        if self.tried <= self.failures:
            raise RedisAway("Connection closed by server.")
        return "served"


async def test_a_socket_opens_although_redis_is_just_coming_back() -> None:
    assert await patient(Socket(failures=2), (0, 0))({}, heard, said) == "served"


async def test_a_socket_is_refused_where_redis_stays_away() -> None:
    socket = Socket(failures=9)
    with pytest.raises(RedisAway):
        await patient(socket, (0, 0))({}, heard, said)
    assert socket.tried == 3


async def test_a_socket_that_has_begun_is_not_begun_again() -> None:
    socket = Socket(failures=9, begin=True)
    with pytest.raises(RedisAway):
        await patient(socket, (0, 0))({}, heard, said)
    assert socket.tried == 1
