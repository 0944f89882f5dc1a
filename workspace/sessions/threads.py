"""Database work in threads that live long: each keeps its connection, or gives it back, as the database wants it."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from django.db import close_old_connections, connection

P = ParamSpec("P")
T = TypeVar("T")


def with_connection(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """A file opens slower than it is read, so SQLite's connections stay; a server's go back to their pool."""
    try:
        return work(*args, **kwargs)
    finally:
        if connection.vendor != "sqlite":
            close_old_connections()
