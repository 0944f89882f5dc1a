"""The other side of `apart`: reads an order, has a module of this package answer it, tells the answer. Standard library only.

An order is a line of JSON on standard input and the bytes behind it; so is the answer on standard output. A module answers
by `answer(order, data) -> (told, bytes)`; what it refuses as an AgentError is told as {"error": …}.
"""

from __future__ import annotations

import importlib
import json
import os
import stat
import sys
from pathlib import PurePosixPath
from typing import BinaryIO

from agents.errors import AgentError, PathRefused, ToolError

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def main(module: str) -> None:
    given, out = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    order = json.loads(given.readline())
    try:
        told, body = importlib.import_module(f"agents.reading.{module}").answer(order, given.read())
    except AgentError as refused:
        told, body = {"error": str(refused)}, b""
    with out:
        out.write(json.dumps(told).encode() + b"\n")
        out.write(body)


def opened(path: str) -> BinaryIO:
    """A plain file by its path from the working folder, in which no part may be a link."""
    folder = os.open(".", FOLDER)
    try:
        *parents, name = PurePosixPath(path).parts
        for part in parents:
            inner = os.open(part, FOLDER, dir_fd=folder)
            os.close(folder)
            folder = inner
        handle = os.open(name, FILE, dir_fd=folder)
    except OSError as wrong:
        raise ToolError(f"{path}: {wrong.strerror}.") from wrong
    finally:
        os.close(folder)
    return _plain(handle, path)


def _plain(handle: int, path: str) -> BinaryIO:
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise PathRefused(f"{path!r} is no plain file.")
    return os.fdopen(handle, "rb")
