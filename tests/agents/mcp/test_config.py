"""Files that list servers, and what of them must not be told."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agents.errors import AgentError
from agents.mcp.config import servers_in
from agents.mcp.server import Server


def listed(**entries: Any) -> dict[str, Server]:
    return servers_in(json.dumps({"mcpServers": entries}))


def test_programs_and_addresses_are_told_apart() -> None:
    found = listed(
        notes={"command": "python3", "args": ["server.py"], "env": {"NOTES_TOKEN": "hush-hush", "COLOUR": "blue"}},
        search={"url": "https://example.org/mcp", "headers": {"Authorization": "Bearer hush"}},
        off={"command": "x", "disabled": True},
    )
    assert list(found) == ["notes", "search"]
    assert (found["notes"].transport, found["notes"].command) == ("stdio", ("python3", "server.py"))
    assert (found["search"].transport, found["search"].url) == ("http", "https://example.org/mcp")
    assert found["notes"].secrets == ("hush-hush",)
    assert found["search"].secrets == ("Bearer hush",)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "no JSON"),
        ("[]", "not right"),
        ('{"mcpServers": {"a": []}}', "mcpServers.a"),
        ('{"mcpServers": {"Big Name": {"command": "x"}}}', "cannot be called 'Big Name'"),
        ('{"mcpServers": {"a": {}}}', "needs either a command or a url"),
        ('{"mcpServers": {"a": {"command": "x", "url": "https://example.org"}}}', "needs either a command or a url"),
    ],
)
def test_a_file_that_is_wrong_is_refused_in_a_sentence(text: str, told: str) -> None:
    with pytest.raises(AgentError, match=told):
        servers_in(text)


def test_a_secret_is_hidden_in_json_too() -> None:
    server = Server("s", "stdio", secrets=('line one\nsays "two"', "abc"))
    assert server.without_secrets(json.dumps({"key": 'line one\nsays "two"', "word": "abc"})) == '{"key": "[redacted]", "word": "abc"}'
