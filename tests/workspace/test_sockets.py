"""Who gets onto the sockets: every route, asked by nobody and from elsewhere."""

from __future__ import annotations

import pytest
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.test import Client

from workspace.accounts.models import User
from workspace.asgi import application

ROUTES = ["/ws/sessions/none/"]
OURS, THEIRS = b"http://localhost", b"https://evil.example"

pytestmark = pytest.mark.django_db(transaction=True)


async def close_code(path: str, **headers: bytes) -> int:
    """The code the socket was closed with; one that stays open fails by its time limit."""
    socket = WebsocketCommunicator(application, path, headers=[(name.encode(), value) for name, value in headers.items()])
    accepted, code = await socket.connect(timeout=10)
    said = {"type": "websocket.send"}
    while accepted and said["type"] != "websocket.close":
        said = await socket.receive_output(timeout=10)
    await socket.disconnect(timeout=10)
    return int(said.get("code", code))


@pytest.fixture
def cookie(alice: User) -> bytes:
    browser = Client()
    browser.force_login(alice)
    return f"{settings.SESSION_COOKIE_NAME}={browser.cookies[settings.SESSION_COOKIE_NAME].value}".encode()


@pytest.mark.parametrize("path", ROUTES)
async def test_nobody_gets_in_without_signing_in(path: str) -> None:
    assert await close_code(path, origin=OURS) == 4401
    assert await close_code(path, origin=OURS, cookie=b"countersign_session=made-up") == 4401
    assert await close_code(path, authorization=b"Bearer cs_made-up") == 4401


@pytest.mark.parametrize("path", ROUTES)
async def test_a_page_of_another_site_gets_nowhere_even_with_our_cookie(path: str, cookie: bytes) -> None:
    assert await close_code(path, origin=THEIRS, cookie=cookie) == 1000
    assert await close_code(path, cookie=cookie) == 1000


@pytest.mark.parametrize("path", ROUTES)
async def test_whoever_is_signed_in_is_told_what_is_not_there(path: str, cookie: bytes) -> None:
    assert await close_code(path, origin=OURS, cookie=cookie) == 4404
