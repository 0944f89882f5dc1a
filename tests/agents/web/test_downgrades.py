"""A server that speaks with and without TLS at one port, and would like to hear a key without."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

from agents.web.addresses import ANYWHERE
from agents.web.fetcher import Fetcher, Request
from tests.peers.site import certificate_for

HANDSHAKE = b"\x16"
"""The first byte of whoever speaks TLS."""


@contextmanager
def two_tongued(certificate: Path) -> Iterator[tuple[int, list[bytes]]]:
    """Its port, and what it was told in the clear. With TLS it sends everybody on to itself without."""
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate)
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = int(listening.getsockname()[1])
        thread = Thread(target=_answer_twice, args=(listening, tls, heard), daemon=True)
        thread.start()
        yield port, heard
        thread.join(10)


def _answer_twice(listening: socket.socket, tls: ssl.SSLContext, heard: list[bytes]) -> None:
    port = listening.getsockname()[1]
    moved = f"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:{port}/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    for _ in range(2):
        plain, _ = listening.accept()
        plain.settimeout(10)
        if plain.recv(1, socket.MSG_PEEK) == HANDSHAKE:
            with tls.wrap_socket(plain, server_side=True) as secret:
                secret.recv(65536)
                secret.sendall(moved.encode())
        else:
            with plain:
                heard.append(plain.recv(65536))
                plain.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")


async def test_a_key_given_over_tls_is_not_repeated_without(tmp_path: Path) -> None:
    certificate = certificate_for("127.0.0.1", tmp_path)
    with two_tongued(certificate) as (port, heard):
        fetcher = Fetcher(ANYWHERE, seconds=10, tls=ssl.create_default_context(cafile=str(certificate)))
        answer = await fetcher.fetch(Request(f"https://127.0.0.1:{port}/", headers={"X-Key": "the key"}))
    assert answer.redirects == 1
    assert len(heard) == 1
    assert b"the key" not in heard[0]
