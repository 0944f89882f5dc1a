"""The way to the socket: who asks, and from which page.

Browsers send their cookie with any page's sockets, so they must name one of our own hosts as Origin. Programs that bring an API
token bring nothing by accident, and need none.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from channels.routing import URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from channels.sessions import CookieMiddleware, SessionMiddleware
from django.contrib.auth import SESSION_KEY
from django.urls import path
from redis.exceptions import RedisError

from workspace.sessions.admission import Ticket, by_token
from workspace.sessions.consumers import SessionSocket, in_thread

Application = Callable[[dict[str, Any], Any, Any], Awaitable[Any]]


def sockets(tick: float = 5.0) -> Application:
    """The ASGI application of all sockets. `tick` is how many seconds one of them is late at most when no bell rings."""
    socket: Any = patient(SessionSocket.as_asgi(tick=tick))
    router: Application = URLRouter([path("ws/sessions/<str:session_id>/", socket)])

    async def by_cookie(scope: dict[str, Any], receive: Any, send: Any) -> Any:
        return await router({**scope, "ticket": await in_thread(_ticket_of, scope["session"])}, receive, send)

    browsers = AllowedHostsOriginValidator(CookieMiddleware(SessionMiddleware(by_cookie)))

    async def by_either(scope: dict[str, Any], receive: Any, send: Any) -> Any:
        token = _bearer(scope)
        if token is None:
            return await browsers(scope, receive, send)
        return await router({**scope, "ticket": await in_thread(by_token, token)}, receive, send)

    return by_either


def patient(socket: Application, waits: tuple[float, ...] = (0.2, 0.4, 0.8, 1.6)) -> Application:
    """Begin again, a little later, where the channel layer fails before the socket has begun: Redis may just be coming back."""

    async def begin(scope: dict[str, Any], receive: Any, send: Any) -> Any:
        begun = False

        async def receiving() -> Any:
            nonlocal begun
            begun = True
            return await receive()

        for wait in waits:
            try:
                return await socket(scope, receiving, send)
            except (RedisError, OSError):
                if begun:
                    raise
                await asyncio.sleep(wait)
        return await socket(scope, receive, send)

    return begin


def _ticket_of(request_session: Any) -> Ticket | None:
    user_id = request_session.get(SESSION_KEY)
    return Ticket(int(user_id), request_session=request_session.session_key) if user_id else None


def _bearer(scope: dict[str, Any]) -> str | None:
    for name, value in scope["headers"]:
        if name == b"authorization":
            scheme, _, token = value.decode("latin-1").partition(" ")
            return token.strip() if scheme.lower() == "bearer" else None
    return None


websocket = sockets()
