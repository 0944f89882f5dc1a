"""Servers that hang, die and lie: each is a sentence that names it, in its time, and harms nobody else."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from agents.errors import ToolError
from agents.mcp.limits import Patience
from agents.mcp.pool import Pool
from tests.agents.mcp.conftest import rogue, starter

HASTY = Patience(connect=2, list=1.5, call=1.5, idle=60)


async def said(wrong: str, root: Path, patience: Patience) -> str:
    """What a call of its `echo` gives, or the error."""
    pool, server = Pool(patience), rogue(wrong, KEY="hush-hush")
    try:
        connection = await pool.connection("p", server, starter(root, server))
        return (await connection.call("echo", {"text": "hello"})).text
    except ToolError as refused:
        return str(refused)
    finally:
        await pool.end_all()


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("silent", "MCP server rogue did not connect within 2 seconds"),
        ("no-json", "MCP server rogue did not connect within 2 seconds"),
        ("hangs-at-list", "MCP server rogue did not answer its list of tools within 1.5 seconds"),
        ("hangs-at-call", "MCP server rogue did not answer echo within 1.5 seconds"),
    ],
)
async def test_a_server_that_hangs_is_given_up_in_its_time(wrong: str, told: str, tmp_path: Path) -> None:
    async with asyncio.timeout(20):
        assert told in await said(wrong, tmp_path, HASTY)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("dies-at-start", "has ended (its last words: no configuration)"),
        ("no-protocol", "does not speak the protocol"),
        ("bad-output", "not what its own output schema says: total: 'many' is not of type 'integer'"),
        ("no-output", "not what its own output schema says: there is none"),
        ("endless-schema", "declares a schema for echo that cannot be followed: it refers to itself too often"),
        ("wrong-types", "gave its list of tools in a form that the protocol does not know"),
        ("floods", "sent a flood of messages and was let go"),
        ("huge", "sent a message of more than 8 MB and was let go"),
    ],
)
async def test_a_server_that_lies_is_named_with_its_lie(wrong: str, told: str, tmp_path: Path) -> None:
    sentence = await said(wrong, tmp_path, Patience(connect=20, list=10, call=20))
    assert sentence.startswith("MCP server rogue ")
    assert told in sentence


@pytest.mark.parametrize("wrong", ["nothing", "junk-beside", "odd-names"])
async def test_what_does_no_harm_is_borne(wrong: str, tmp_path: Path) -> None:
    assert await said(wrong, tmp_path, Patience()) == "hello"


async def test_a_server_that_asks_for_a_model_is_told_no(tmp_path: Path) -> None:
    assert "not supported" in await said("asks-back", tmp_path, Patience())


async def test_a_long_answer_is_cut_with_a_word(tmp_path: Path) -> None:
    text = await said("long", tmp_path, Patience())
    assert text.endswith("[400000 more characters were left out]")
    assert len(text) < 101_000


async def test_a_server_that_dies_in_mid_call_tells_why_without_its_secret_and_the_next_call_connects_anew(
    pool: Pool, tmp_path: Path
) -> None:
    server = rogue("dies-at-call", KEY="hush-hush")
    start = starter(tmp_path, server)
    for _ in range(2):
        connection = await pool.connection("p", server, start)
        with pytest.raises(ToolError, match=r"has ended \(its last words: I cannot go on with \[redacted\]\) while it was asked for echo"):
            await connection.call("echo", {"text": "x"})
        assert not connection.alive


async def test_tools_that_cannot_be_used_are_left_out_with_the_reason(pool: Pool, tmp_path: Path) -> None:
    server = rogue("bad-schema")
    connection = await pool.connection("p", server, starter(tmp_path, server))
    listed = await connection.listed()
    assert list(listed.tools) == ["echo"]
    assert "no such type" in listed.faults["broken"]
    with pytest.raises(ToolError, match="offers broken in a way that cannot be used"):
        await connection.call("broken", {})


async def test_a_list_without_end_is_cut_short(pool: Pool, tmp_path: Path) -> None:
    server = rogue("endless-list")
    connection = await pool.connection("p", server, starter(tmp_path, server))
    assert len((await connection.listed()).tools) == 50


async def test_a_tool_that_went_away_is_said_to_be_gone(pool: Pool, tmp_path: Path) -> None:
    server = rogue("changes")
    connection = await pool.connection("p", server, starter(tmp_path, server))
    await connection.call("echo", {"text": "x"})
    with pytest.raises(ToolError, match=r"has no tool 'echo'. It has: other"):
        await connection.call("echo", {"text": "x"})


async def test_one_that_hangs_costs_the_other_nothing(pool: Pool, tmp_path: Path) -> None:
    bad, good = rogue("hangs-at-call"), rogue("nothing")
    hanging = await pool.connection("p", bad, starter(tmp_path, bad))
    stuck = asyncio.create_task(hanging.call("echo", {"text": "x"}))
    well = await pool.connection("p", good, starter(tmp_path, good))
    assert (await well.call("echo", {"text": "fine"})).text == "fine"
    assert not stuck.done()
    stuck.cancel()
    await asyncio.wait([stuck])
