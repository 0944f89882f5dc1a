"""Where the bundled Redis lives, and how each library wants its address spelt."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path
from secrets import token_urlsafe
from urllib.parse import parse_qs, urlsplit

from workspace.keys import kept_key

SOCKET_PATH_LIMIT = 100
"""Bytes. The kernel takes at most 107; some systems a little less."""


def redis_socket_path(home: Path) -> Path:
    """The socket in the data folder, or in a short folder of our own below the temp folder where that path is too long."""
    wanted = home.resolve() / "run" / "redis.sock"
    if len(os.fsencode(wanted)) <= SOCKET_PATH_LIMIT:
        return wanted
    name = hashlib.sha256(os.fsencode(home.resolve())).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"countersign-{os.getuid()}-{name}" / "redis.sock"


def prepare_socket_folder(home: Path) -> Path:
    """Make the socket's folder ours alone and give the socket's path. Raises PermissionError when somebody else made it."""
    path = redis_socket_path(home)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if path.parent.stat().st_uid != os.getuid() or path.parent.is_symlink():
        raise PermissionError(f"{path.parent} belongs to somebody else. Remove it, or set COUNTERSIGN_HOME to a shorter path.")
    path.parent.chmod(0o700)
    return path


def redis_address(home: Path) -> str:
    """The bundled Redis as redis-py and channels spell it."""
    return f"unix://:{redis_password(home)}@{redis_socket_path(home)}?db=0"


def redis_password(home: Path) -> str:
    """A second lock besides the folder's mode: whoever can see the socket still cannot queue work."""
    return kept_key(home / "redis.key", lambda: token_urlsafe(32))


def broker_address(redis_url: str) -> str:
    """The same Redis as celery spells it."""
    parts = urlsplit(redis_url)
    if parts.scheme != "unix":
        return redis_url
    database = parse_qs(parts.query).get("db", ["0"])[0]
    return f"redis+socket://{parts.netloc}{parts.path}?virtual_host={database}"
