"""Which descriptions of an MCP server make sense: complaints as sentences, by field."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from agents.mcp.names import NAME, NAME_RULE

VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}")
OURS = frozenset({"host", "content-length", "content-type", "transfer-encoding", "connection", "accept"})
"""Headers that the protocol itself sets."""
UNSPEAKABLE = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


def complaints(
    *, name: str, transport: str, command: Sequence[str], url: str, env: Mapping[str, str], headers: Mapping[str, str]
) -> dict[str, list[str]]:
    """What is wrong, by field; empty when nothing is."""
    found = {
        "name": about_name(name),
        "command": about_command(command, transport),
        "url": about_url(url, transport),
        "env": about_env(env, transport),
        "headers": about_headers(headers, transport),
    }
    return {field: [said] for field, said in found.items() if said}


def about_name(name: str) -> str:
    return "" if NAME.fullmatch(name) else NAME_RULE


def about_command(command: Sequence[str], transport: str) -> str:
    if transport == "http":
        return "A server at an address has no command." if command else ""
    if not command or not command[0].strip():
        return "Give the program and its arguments, as a list."
    return "A NUL character cannot be passed to a program." if any("\0" in word for word in command) else ""


def about_url(url: str, transport: str) -> str:
    if transport == "stdio":
        return "A program has no address." if url else ""
    try:
        parts = urlsplit(url)
        port_is_fine = parts.port != 0
    except ValueError:
        return "That is no web address."
    if parts.scheme not in ("http", "https") or not parts.hostname or not port_is_fine or UNSPEAKABLE.search(url):
        return "Give an address that begins with https:// (or http://)."
    return "Put the user name and password into a header, as a secret." if parts.username or parts.password else ""


def about_env(env: Mapping[str, str], transport: str) -> str:
    if env and transport == "http":
        return "A server at an address has no environment; use headers."
    wrong = next((name for name in env if not VARIABLE.fullmatch(name)), None)
    if wrong is not None:
        return f"{wrong!r} is no name of a variable."
    return "A NUL character cannot be passed to a program." if any("\0" in value for value in env.values()) else ""


def about_headers(headers: Mapping[str, str], transport: str) -> str:
    if headers and transport == "stdio":
        return "A program has no headers; use its environment."
    wrong = next((name for name in headers if not HEADER.fullmatch(name) or name.lower() in OURS), None)
    if wrong is not None:
        return f"{wrong!r} is no header that can be set."
    unsent = any(UNSPEAKABLE.search(value) or not value.isascii() for value in headers.values())
    return "A header's value is one line of ASCII." if unsent else ""
