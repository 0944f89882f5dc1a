"""Servers at addresses, over streamable HTTP."""

from __future__ import annotations

import gzip

import httpx2
import pytest

from agents.errors import ToolError
from agents.mcp.http import Pinned
from agents.mcp.pool import Pool
from agents.mcp.server import Server
from agents.sandboxes.sandbox import Program
from agents.web.addresses import ANYWHERE, PUBLIC
from tests.peers.mcp import friendly_address, stubborn_address


async def no_program() -> Program:
    raise AssertionError("a server at an address needs no program")


def at(url: str, key: str = "right") -> Server:
    return Server("distant", "http", url=url, headers={"X-Key": key}, secrets=(key,))


async def test_a_server_at_an_address_is_asked_like_any_other(pool: Pool, address: str) -> None:
    connection = await pool.connection("p", at(address), no_program, ANYWHERE)
    assert (await connection.call("add", {"a": 1, "b": 1})).structured == {"total": 2}
    assert await connection.resources() == [("notes://today", "today")]


async def test_a_wrong_key_is_said_without_being_told(pool: Pool, address: str) -> None:
    with pytest.raises(ToolError, match="MCP server distant could not be connected: it answered with HTTP 401") as refused:
        await pool.connection("p", at(address, "not-the-right-key"), no_program, ANYWHERE)
    assert "not-the-right-key" not in str(refused.value)


async def test_a_private_address_is_not_asked_unless_the_operator_allows_it(pool: Pool, address: str) -> None:
    with pytest.raises(ToolError, match=r"MCP server distant could not be connected: 127.0.0.1 is private"):
        await pool.connection("p", at(address), no_program, PUBLIC)


async def test_an_address_where_nobody_is_is_said(pool: Pool) -> None:
    with pytest.raises(ToolError, match="MCP server distant could not be connected: nobody answers there"):
        await pool.connection("p", at("http://127.0.0.1:9/mcp"), no_program, ANYWHERE)


async def test_a_redirect_to_another_server_is_not_followed(pool: Pool, address: str) -> None:
    with stubborn_address(307, Location=address) as url, pytest.raises(ToolError, match="MCP server distant could not be connected"):
        await pool.connection("p", at(url), no_program, ANYWHERE)


@pytest.mark.parametrize(
    ("status", "media_type", "body", "told"),
    [
        (500, "text/plain", b"oh no", "500 Internal Server Error"),
        (200, "text/html", b"<html>", "could not be connected"),
        (
            200,
            "application/json",
            b'{"jsonrpc": "2.0", "id": 1, "result": {"filler": "' + b"x" * (9 * 2**20) + b'"}}',
            "could not be connected",
        ),
    ],
    ids=["broken", "no MCP server", "gigantic"],
)
async def test_an_answer_that_is_none_is_said_at_once(status: int, media_type: str, body: bytes, told: str, pool: Pool) -> None:
    with stubborn_address(status, body, Content_Type=media_type) as url, pytest.raises(ToolError, match=told):
        await pool.connection("p", at(url), no_program, ANYWHERE)


async def test_a_server_that_was_started_anew_is_connected_anew(pool: Pool) -> None:
    with friendly_address() as first:
        port = first.rsplit(":", 1)[1].split("/")[0]
        connection = await pool.connection("p", at(first), no_program, ANYWHERE)
        await connection.call("echo", {"text": "x"})
    with friendly_address("--port", port):
        with pytest.raises(ToolError, match="the next call connects it anew"):
            await connection.call("echo", {"text": "x"})
        again = await pool.connection("p", at(first), no_program, ANYWHERE)
        assert (await again.call("echo", {"text": "back"})).text == "back"


async def test_of_several_addresses_the_first_that_answers_is_taken(address: str) -> None:
    pinned = Pinned("friend.example", ["127.0.0.2", "127.0.0.1"])
    async with httpx2.AsyncClient(transport=pinned) as client:
        for _ in range(2):
            answer = await client.get(address.replace("127.0.0.1", "friend.example"))
            assert answer.status_code == 401
        with pytest.raises(httpx2.UnsupportedProtocol):
            await client.get(address)


async def test_an_answer_that_would_swell_is_not_unpacked(pool: Pool) -> None:
    body = gzip.compress(b'{"jsonrpc": "2.0", "id": 1, "result": {}}')
    packed = stubborn_address(200, body, Content_Type="application/json", Content_Encoding="gzip")
    with packed as url, pytest.raises(ToolError, match="it answers compressed"):
        await pool.connection("p", at(url), no_program, ANYWHERE)
