"""The way to the socket: who asks, and from which page.

Browsers send their cookie with any page's sockets, so they must name one of our own hosts as Origin. Programs that bring an API
token bring nothing by accident, and need none.
"""

from __future__ import annotations

from typing import Any

from channels.routing import URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from channels.sessions import CookieMiddleware, SessionMiddleware
from django.contrib.auth import SESSION_KEY
from django.urls import path

from workspace.sessions.admission import Ticket, by_token
from workspace.sessions.consumers import SessionSocket, in_thread

websocket_urlpatterns = [path("ws/sessions/<str:session_id>/", SessionSocket.as_asgi())]
sockets = URLRouter(websocket_urlpatterns)


async def by_cookie(scope: dict[str, Any], receive: Any, send: Any) -> Any:
    """Behind the session middleware: take the ticket from the browser's session."""
    request_session = scope["session"]
    user_id = await in_thread(request_session.get, SESSION_KEY)
    ticket = Ticket(int(user_id), request_session=request_session.session_key) if user_id else None
    return await sockets({**scope, "ticket": ticket}, receive, send)


browsers = AllowedHostsOriginValidator(CookieMiddleware(SessionMiddleware(by_cookie)))


async def websocket(scope: dict[str, Any], receive: Any, send: Any) -> Any:
    """The ASGI application of all sockets."""
    token = _bearer(scope)
    if token is None:
        return await browsers(scope, receive, send)
    return await sockets({**scope, "ticket": await in_thread(by_token, token)}, receive, send)


def _bearer(scope: dict[str, Any]) -> str | None:
    for name, value in scope["headers"]:
        if name == b"authorization":
            scheme, _, token = value.decode("latin-1").partition(" ")
            return token.strip() if scheme.lower() == "bearer" else None
    return None
