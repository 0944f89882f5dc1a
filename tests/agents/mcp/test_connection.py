"""A client of ours and servers built with the official SDK, as programs in a sandbox."""

from __future__ import annotations

import asyncio
import base64
from pathlib import Path

import pytest

from agents.errors import ToolError
from agents.mcp.connection import Connection
from agents.mcp.limits import Patience
from agents.mcp.pool import Pool
from tests.agents.mcp.conftest import friendly, rogue, starter


@pytest.fixture
async def friend(pool: Pool, tmp_path: Path) -> Connection:
    server = friendly(KEY="hush-hush")
    return await pool.connection("here", server, starter(tmp_path, server))


async def test_a_servers_tools_are_listed_with_their_schemas(friend: Connection) -> None:
    listed = await friend.listed()
    assert listed.faults == {}
    assert listed.tools["add"].schema["properties"]["a"]["type"] == "integer"
    assert listed.tools["add"].description == "Adds two whole numbers."
    assert [name for name, tool in listed.tools.items() if tool.read_only] == ["echo"]


async def test_a_call_gives_text_and_the_structured_result(friend: Connection) -> None:
    answer = await friend.call("add", {"a": 40, "b": 2})
    assert answer.structured == {"total": 42}
    assert "42" in answer.text
    assert not answer.failed


async def test_arguments_that_do_not_fit_are_refused_before_the_server_sees_them(friend: Connection) -> None:
    with pytest.raises(ToolError, match="MCP server friendly does not take these arguments for add: a: 'forty' is not of type 'integer'"):
        await friend.call("add", {"a": "forty"})


async def test_a_tool_that_there_is_not_is_said_with_those_there_are(friend: Connection) -> None:
    with pytest.raises(ToolError, match=r"MCP server friendly has no tool 'sub'. It has: add, echo"):
        await friend.call("sub", {})


async def test_a_tools_own_failure_is_an_answer(friend: Connection) -> None:
    answer = await friend.call("fail", {})
    assert answer.failed
    assert "fail" in answer.text


async def test_a_secret_that_the_server_tells_is_hidden(friend: Connection) -> None:
    answer = await friend.call("environment", {"name": "KEY"})
    assert answer.text == "[redacted]"
    assert "hush" not in str(answer.structured)


async def test_a_picture_is_an_attachment(friend: Connection) -> None:
    answer = await friend.call("picture", {"size": 100})
    assert answer.text == "a picture"
    (file,) = answer.attachments
    assert file.media_type == "image/png"
    assert len(base64.b64decode(file.data)) == 108


async def test_files_beyond_a_megabyte_are_left_out_and_named(friend: Connection) -> None:
    answer = await friend.call("picture", {"size": 1_200_000})
    assert answer.attachments == ()
    assert "image/png, 120" in answer.text
    assert "left out" in answer.text


async def test_resources_are_listed_and_read(friend: Connection) -> None:
    assert await friend.resources() == [("notes://today", "today")]
    assert (await friend.read("notes://today")).text == "Nothing happened."
    with pytest.raises(ToolError, match="MCP server friendly refused notes://never"):
        await friend.read("notes://never")


async def test_a_tool_that_came_later_can_be_called(friend: Connection) -> None:
    before = await friend.listed()
    await friend.call("grow", {})
    assert (await friend.call("late", {})).text == "better late"
    assert set((await friend.listed()).tools) - set(before.tools) == {"late"}


async def test_many_calls_go_side_by_side_over_one_connection(friend: Connection) -> None:
    answers = await asyncio.gather(*(friend.call("echo", {"text": f"{number}"}) for number in range(20)))
    assert [answer.text for answer in answers] == [str(number) for number in range(20)]


async def test_a_call_that_is_stopped_leaves_the_connection_good(friend: Connection) -> None:
    call = asyncio.create_task(friend.call("wait", {"seconds": 60}))
    await friend.call("echo", {"text": "meanwhile"})
    call.cancel()
    await asyncio.wait([call])
    assert call.cancelled()
    assert (await friend.call("echo", {"text": "still there"})).text == "still there"


async def test_two_who_need_a_server_at_once_share_one_connection(pool: Pool, tmp_path: Path) -> None:
    server = rogue("nothing")
    start = starter(tmp_path, server)
    first, second = await asyncio.gather(pool.connection("p", server, start), pool.connection("p", server, start))
    assert first is second
    assert pool.open_here("p", server) is first
    assert await pool.connection("q", server, start) is not first


async def test_a_server_with_another_secret_is_another_connection(pool: Pool, tmp_path: Path) -> None:
    one, two = rogue("nothing", KEY="first-secret"), rogue("nothing", KEY="second-secret")
    first = await pool.connection("p", one, starter(tmp_path, one))
    assert await pool.connection("p", two, starter(tmp_path, two)) is not first


async def test_a_connection_nobody_needs_is_ended(tmp_path: Path) -> None:
    pool = Pool(Patience(idle=0.05))
    server = rogue("nothing")
    connection = await pool.connection("p", server, starter(tmp_path, server))
    async with asyncio.timeout(20):
        while connection.alive:
            await asyncio.sleep(0.01)
    assert pool.open_here("p", server) is None
    again = await pool.connection("p", server, starter(tmp_path, server))
    assert again is not connection
    await pool.end_all()


async def test_a_command_that_cannot_be_started_is_said(pool: Pool, tmp_path: Path) -> None:
    server = rogue("nothing")
    lost = type(server)("lost", "stdio", ("/no/such/program",))
    with pytest.raises(ToolError, match="MCP server lost"):
        await pool.connection("p", lost, starter(tmp_path, lost))
