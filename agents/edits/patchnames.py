"""The file names in a patch: quoted or not, with a time behind them, with one of git's prefixes before them."""

from __future__ import annotations

import re

from agents.errors import ToolError

DEV_NULL = "/dev/null"
LONGEST = 10_000
"""Bytes of a line with two names; no file system has longer ones."""
PREFIXES = ("a/", "b/", "i/", "w/", "c/", "o/")
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)")
_NAMED = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}


def name_of(text: bytes) -> str:
    """The name behind `--- `, without quotes, time stamp and line end."""
    text = text.rstrip(b"\r")
    if text.startswith(b'"') and (end := text.rfind(b'"')) > 0:
        return _ESCAPE.sub(_unescaped, text[1:end]).decode(errors="replace")
    return text.split(b"\t", 1)[0].rstrip(b" ").decode(errors="replace")


def _unescaped(found: re.Match[bytes]) -> bytes:
    code = found[1]
    return bytes([int(code, 8) & 0xFF]) if len(code) == 3 else _NAMED.get(code, code)


def stripped(name: str, strip: int) -> str:
    """The path in the workspace. One strip takes only a prefix as git writes it, so that plain names may stay as they are."""
    if strip <= 0 or name == DEV_NULL or name.startswith("/"):
        return name
    if strip == 1:
        return name[2:] if name.startswith(PREFIXES) else name
    return without(name, strip)


def without(name: str, count: int) -> str:
    """The path without its first `count` parts."""
    parts = name.split("/")
    if len(parts) <= count:
        raise ToolError(f"strip={count} leaves nothing of the path {name!r}.")
    return "/".join(parts[max(count, 0) :])


def git_names(line: bytes, strip: int) -> tuple[str, str]:
    """Both names of a `diff --git` line where they are the same but for the prefix, else ("", ""): other lines tell then."""
    rest = line.removeprefix(b"diff --git ").rstrip(b"\r")
    if len(rest) > LONGEST:
        return "", ""
    if rest.startswith(b'"'):
        halves = re.fullmatch(rb'("(?:[^"\\]|\\.)*") ("(?:[^"\\]|\\.)*"|.*)', rest)
        pairs = [halves.groups()] if halves else []
    else:
        pairs = [(rest[:at], rest[at + 1 :]) for at in range(len(rest)) if rest[at : at + 1] == b" "]
    for left, right in pairs:
        old, new = stripped(name_of(left), strip), stripped(name_of(right), strip)
        if old == new:
            return old, new
    return "", ""
