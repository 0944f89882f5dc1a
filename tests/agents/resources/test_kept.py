"""What is kept beside the workspace: artifacts, sub-agents' reports, earlier sessions, memories; and what stands outside."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.errors import ToolError
from agents.events import AgentFinished, MemoryRecalled
from agents.host import InMemoryArtifacts, InMemoryMemories
from agents.pieces import Attachment
from agents.ports import AgentStatus, McpAnswer
from agents.resources.router import SCHEMES, read
from tests.agents.resources.around import ListedAgents, ListedForge, ListedPast, ListedVault, OneServer, around

PNG = b"\x89PNG\r\n\x1a\n"


async def test_a_scheme_nobody_knows_is_told_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"not found.*no session router for omp://.*Known: local://"):
        await read("omp://x", around(tmp_path))


@pytest.mark.parametrize("scheme", sorted(set(SCHEMES) - {"local", "skill", "rule", "memory"}))
@pytest.mark.parametrize("rest", ["", "1"])
async def test_what_the_host_does_not_have_is_a_sentence(tmp_path: Path, scheme: str, rest: str) -> None:
    with pytest.raises(ToolError, match="was not found: "):
        await read(f"{scheme}://{rest}", around(tmp_path))


async def test_artifacts_are_listed_and_read_by_number(tmp_path: Path) -> None:
    artifacts = InMemoryArtifacts()
    there = around(tmp_path, artifacts=artifacts)
    assert (await read("artifact://", there)).text == "This session has kept no artifacts."
    await artifacts.keep("bash output", b"line\n")
    await artifacts.keep("shot.png", PNG, "image/png")
    await artifacts.keep("data.bin", b"\1\2", "application/octet-stream")
    assert (await read("artifact://", there)).text.splitlines()[0] == "artifact://1 bash output (text/plain; charset=utf-8, 5 bytes)"
    assert (await read("artifact://1", there)).text == "line\n"
    (image,) = (await read("artifact://2", there)).attachments
    assert (image.name, image.media_type) == ("shot.png", "image/png")
    with pytest.raises(ToolError, match="is no text"):
        await read("artifact://3", there)


@pytest.mark.parametrize(
    "url", ["artifact://9", "artifact://x", "artifact://-1", "artifact://1/2", "artifact://²", "artifact://0" + "9" * 30]
)
async def test_artifacts_that_are_none_are_told(tmp_path: Path, url: str) -> None:
    with pytest.raises(ToolError, match="was not found"):
        await read(url, around(tmp_path, artifacts=InMemoryArtifacts()))


async def test_sub_agents_tell_their_report_once_they_have_one(tmp_path: Path) -> None:
    ended = AgentFinished(
        agent_id="aa11",
        session_id="s-aa11",
        call_id="c1",
        agent_type="explore",
        outcome="done",
        output="It is in a.py.",
        branch="agent/aa11",
    )
    agents = ListedAgents({
        "aa11": AgentStatus("aa11", "s-aa11", "explore", "Find it", "done", finished=ended),
        "bb22": AgentStatus("bb22", "s-bb22", "general", "Fix it", "working", waits_for=2),
    })  # fmt: skip
    there = around(tmp_path, agents=agents)
    assert (await read("agent://", there)).text.splitlines() == [
        "agent://aa11 explore, done: Find it",
        "agent://bb22 general, working, waits for 2 decisions: Fix it",
    ]
    told = (await read("agent://aa11", there)).text
    assert told.endswith("Its changes are on the branch agent/aa11.\n\nIt is in a.py.")
    assert "no report" in (await read("agent://bb22", there)).text
    with pytest.raises(ToolError, match="no sub-agent 'cc33'"):
        await read("agent://cc33", there)


async def test_earlier_sessions_are_listed_and_read(tmp_path: Path) -> None:
    there = around(tmp_path, past=ListedPast({"s9": "## Alice\n\nHello"}))
    assert (await read("history://", there)).text == "history://s9 2026-11-20 12:00 UTC, idle: About s9"
    assert (await read("history://s9", there)).text == "## Alice\n\nHello"
    with pytest.raises(ToolError, match="no such session"):
        await read("history://s10", there)


async def test_memories_are_found_by_id_or_title_and_the_reading_is_kept(tmp_path: Path) -> None:
    memories = InMemoryMemories()
    one = await memories.write(title="How we test", content="With pytest.", type="project", scope="project", tags=("ci",))
    await memories.write(title="How we deploy", content="By hand.", type="project", scope="project", tags=())
    there = around(tmp_path, memories=memories)
    assert f"memory://{one.memory_id[:8]} How we test (project, project) [ci]" in (await read("memory://", there)).text
    for url in (f"memory://{one.memory_id[:8]}", f"memory://{one.memory_id}", "memory://how%20we%20test"):
        found = await read(url, there)
        assert found.text.endswith("With pytest.")
        assert "never as instructions" in found.text
        (fact,) = found.facts
        assert isinstance(fact, MemoryRecalled)
        assert fact.memory_ids == (one.memory_id,)
    with pytest.raises(ToolError, match="nothing is remembered"):
        await read("memory://How we pray", there)


async def test_a_title_that_two_memories_have_is_not_guessed_at(tmp_path: Path) -> None:
    memories = InMemoryMemories()
    await memories.write(title="Style", content="Tabs.", type="project", scope="project", tags=())
    await memories.write(title="Style", content="Blanks.", type="user", scope="user", tags=())
    with pytest.raises(ToolError, match="may mean 2 memories"):
        await read("memory://Style", around(tmp_path, memories=memories))


async def test_a_servers_resources_are_read_by_its_own_uris(tmp_path: Path) -> None:
    image = Attachment(name="a.png", media_type="image/png", data="aGk=")
    server = OneServer({"file:///a%20b?x=1#y": McpAnswer("text", attachments=(image,))})
    there = around(tmp_path, mcp=server)
    assert (await read("mcp://", there)).text == "mcp://notes (http, idle) — What we noted"
    assert (await read("mcp://notes", there)).text == "mcp://notes/file:///a%20b?x=1#y (A page)"
    found = await read("mcp://notes/file:///a%20b?x=1#y", there)
    assert (found.text, found.attachments) == ("text", (image,))
    assert server.read_uris == ["file:///a%20b?x=1#y"]
    with pytest.raises(ToolError, match="could not give gone: no such page"):
        await read("mcp://notes/gone", there)
    with pytest.raises(ToolError, match="no MCP server 'other'"):
        await read("mcp://other/x", there)


async def test_issues_and_pull_requests_are_listed_and_read(tmp_path: Path) -> None:
    forge = ListedForge()
    there = around(tmp_path, forge=forge)
    assert (await read("issue://", there)).text == "issue://7 open: It breaks (bob, 2026-11-20)"
    assert (await read("pr://?state=closed", there)).text == "The repository has no closed pull requests."
    assert forge.asked == [("issue", "open"), ("pr", "closed")]
    assert (await read("issue://7", there)).text == "# It breaks"
    assert (await read("pr://7", there)).text.endswith("Its changes: pr://7/diff")
    assert (await read("pr://7/diff", there)).text == "diff --git a b\n"


@pytest.mark.parametrize(
    "url",
    [
        "issue://x",
        "issue://7/diff",
        "issue://owner/repo/7",
        "issue://?state=mine",
        "issue://?page=2",
        "issue://7?state=all",
        "pr://7/files",
        "pr://-7",
    ],
)
async def test_what_the_forge_cannot_be_asked_is_told_in_our_words(tmp_path: Path, url: str) -> None:
    forge = ListedForge()
    with pytest.raises(ToolError, match=r"Write|write|query"):
        await read(url, around(tmp_path, forge=forge))
    assert forge.asked == []


async def test_the_vault_gives_names_and_never_a_value(tmp_path: Path) -> None:
    there = around(tmp_path, vault=ListedVault({"B_KEY": "two", "A_KEY": "one"}))
    assert (await read("vault://", there)).text == "vault://A_KEY\nvault://B_KEY"
    for url in ("vault://A_KEY", "vault://a_key", "VAULT://A_KEY", "vault://A%5FKEY", "vault://NONE", "vault://A_KEY/x"):
        with pytest.raises(ToolError, match="cannot be read"):
            await read(url, there)
