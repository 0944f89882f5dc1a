from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path

import pytest

from agents.events import Call
from agents.providers.catalog import open_provider
from agents.providers.provider import AssistantMessage, Ended, Prompt, ToolMessage, Transcript, UserMessage
from agents.providers.vendors import VendorProvider
from tests.peers.sessions import tool_session, write_repository


@pytest.fixture
def process(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A peer with a session of six calls that keeps its record in `record.jsonl`."""
    command = [sys.executable, "-m", "tests.peers.serve", "--format", "anthropic", "--steps", "6"]
    with subprocess.Popen([*command, "--record", str(tmp_path / "record.jsonl")], stdout=subprocess.PIPE, text=True) as running:
        yield running
        running.terminate()


async def test_a_peer_in_its_own_process_plays_a_long_session_and_keeps_its_times(
    process: subprocess.Popen[str], tmp_path: Path
) -> None:  # fmt: skip
    assert process.stdout
    provider = open_provider("anthropic", key="k", base_url=process.stdout.readline().strip())
    assert isinstance(provider, VendorProvider)
    assert await play(provider, Transcript([UserMessage("go")])) == ["read", "edit", "grep", "bash", "read", "edit"]
    await provider.close()
    lines = [json.loads(line) for line in (tmp_path / "record.jsonl").read_text().splitlines()]
    assert [line["arrived"] < line["answered"] for line in lines] == [True] * 7
    assert sorted(line["bytes"] for line in lines) == [line["bytes"] for line in lines]


async def play(provider: VendorProvider, transcript: Transcript) -> list[str]:
    """The tools called until the model calls none."""
    tools: list[str] = []
    while True:
        async with aclosing(provider.ask(Prompt("m", "", transcript))) as replies:
            reply = [delta async for delta in replies][-1]
        assert isinstance(reply, Ended)
        calls = [part for part in reply.parts if isinstance(part, Call)]
        if not calls:
            return tools
        transcript.append(AssistantMessage(reply.parts))
        for call in calls:
            transcript.append(ToolMessage(call.call_id, call.tool, "fine"))
            tools.append(call.tool)


def test_every_edit_of_a_long_session_finds_what_it_replaces(tmp_path: Path) -> None:
    write_repository(tmp_path, files=3)
    calls = [turn.parts[-1].call for turn in tool_session(40, files=3).scenarios[0].turns]
    for call in calls:
        if call and call.tool == "edit":
            file = tmp_path / call.args["file_path"]
            assert file.read_text().count(call.args["old_string"]) == 1
            file.write_text(file.read_text().replace(call.args["old_string"], call.args["new_string"]))
