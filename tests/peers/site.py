"""A real web site on this machine: pages by path, each an answer or a function that makes one; every request is kept."""

from __future__ import annotations

import datetime
import ipaddress
import json
import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


@dataclass(frozen=True)
class Seen:
    """One request as it came."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes = b""

    @property
    def query(self) -> dict[str, str]:
        return {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Page:
    """`body` in pieces is sent as they come, without a length."""

    body: bytes | Iterator[bytes] = b""
    type: str = "text/html; charset=utf-8"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


def moved(there: str, status: int = 302) -> Page:
    return Page(status=status, headers={"Location": there})


def told(said: Any, status: int = 200) -> Page:
    return Page(json.dumps(said).encode(), "application/json", status)


class Site:
    """Serves `pages` by path until it is left; what is not there is a 404. With `certificate` (a PEM of both) it speaks TLS."""

    def __init__(self, pages: Mapping[str, Page | Callable[[Seen], Page]], certificate: Path | None = None) -> None:
        self.pages = dict(pages)
        self.seen: list[Seen] = []
        self.leaving = Event()
        """Set when the site closes: what a page that never answers waits for."""
        self.server = _Server(("127.0.0.1", 0), _handler(self))
        if certificate:
            tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            tls.load_cert_chain(certificate)
            self.server.socket = tls.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        self.port = int(self.server.server_address[1])
        self.scheme = "https" if certificate else "http"
        self.url = self.at("127.0.0.1")
        self._thread = Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    def at(self, host: str) -> str:
        return f"{self.scheme}://{host}:{self.port}"

    def never(self, seen: Seen) -> Page:
        """A page that hangs until the site closes."""
        self.leaving.wait(60)
        return Page()

    def __enter__(self) -> Site:
        self._thread.start()
        return self

    def __exit__(self, *problem: object) -> None:
        self.leaving.set()
        self.server.shutdown()
        self.server.server_close()
        self._thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away, or does not trust us, is no news."""


def _handler(site: Site) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            seen = Seen(self.command, self.path, {name.lower(): value for name, value in self.headers.items()}, body)
            site.seen.append(seen)
            page = site.pages.get(urlsplit(self.path).path, Page(b"nothing here", status=404))
            with suppress(OSError):
                _send(self, page(seen) if callable(page) else page)

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, format: str, *args: object) -> None:
            pass

    return Handler


def _send(handler: BaseHTTPRequestHandler, page: Page) -> None:
    handler.send_response(page.status)
    if page.type:
        handler.send_header("Content-Type", page.type)
    if isinstance(page.body, bytes):
        handler.send_header("Content-Length", str(len(page.body)))
    for name, value in page.headers.items():
        handler.send_header(name, value)
    handler.end_headers()
    for piece in [page.body] if isinstance(page.body, bytes) else page.body:
        handler.wfile.write(piece)
        handler.wfile.flush()


def certificate_for(name: str, folder: Path) -> Path:
    """A certificate for this name that signs itself, with its key, in one PEM file."""
    key = ec.generate_private_key(ec.SECP256R1())
    called = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(called).issuer_name(called).public_key(key.public_key()).serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1)).not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([_called(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    secret = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path = folder / f"{name}.pem"
    path.write_bytes(made.public_bytes(serialization.Encoding.PEM) + secret)
    return path


def _called(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)
