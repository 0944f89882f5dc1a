"""The tools `agent` and `agent_status`, with sub-agents that really run in this process."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agents.calls import judged
from agents.errors import ToolError
from agents.events import AgentFinished, AgentStarted, AgentType, FileChange
from agents.permissions import Rule
from agents.tools.reach import Nesting, Reach
from agents.tools.tool import ToolResult
from tests.agents.tools.agency import agents_of
from tests.agents.tools.hands import Hands
from workspace.management.hand_agents import HandAgents

SAYS = """
scenarios:
  - match: slow
    turns: [[{delay: 0.01}, {text: At last.}]]
  - match: broken
    turns: [{error: {message: No more.}}]
  - turns: [{text: Hello.}]
"""


@pytest.fixture
def agents(hands: Hands) -> HandAgents:
    agents = agents_of(hands, SAYS)
    hands.reach = Reach(agents=agents)
    return agents


async def ended(hands: Hands, agents: HandAgents, **args: Any) -> ToolResult:
    """What a call in the foreground comes to."""
    waits = await hands.call("agent", **args)
    assert isinstance(waits.waits, AgentStarted), waits
    return await hands.conclude("agent", await agents.ended("call-1"), **args)


async def test_the_last_words_are_the_result(hands: Hands, agents: HandAgents) -> None:
    result = await ended(hands, agents, prompt="x", agent_type="verify")
    assert (result.title, result.output, result.error) == ("Agent Result [verify]", "Hello.", None)
    assert result.metadata["agent_type"] == "verify"
    assert result.metadata["child_session_id"].endswith(result.metadata["agent_id"])


async def test_one_that_fails_is_an_error_that_says_why(hands: Hands, agents: HandAgents) -> None:
    result = await ended(hands, agents, prompt="broken")
    assert result.error is not None
    assert "No more." in result.error


async def test_one_in_the_background_is_asked_for_until_it_has_ended(hands: Hands, agents: HandAgents) -> None:
    launched = await hands.call("agent", prompt="slow", run_in_background=True)
    agent_id = launched.metadata["agent_id"]
    assert agent_id in launched.output
    assert [type(fact) for fact in launched.facts] == [AgentStarted]
    assert (await hands.call("agent_status", agent_id=agent_id)).metadata["status"] == "running"
    async with asyncio.timeout(10):
        await agents.ended("call-1")
    status = await hands.call("agent_status", agent_id=agent_id)
    assert (status.metadata["status"], "At last." in status.output) == ("completed", True)


async def test_the_end_of_one_that_failed_is_told_as_an_error(hands: Hands, agents: HandAgents) -> None:
    launched = await hands.call("agent", prompt="broken", run_in_background=True)
    await agents.ended("call-1")
    status = await hands.call("agent_status", agent_id=launched.metadata["agent_id"])
    assert (status.metadata["status"], "No more." in status.output) == ("error", True)


@pytest.mark.parametrize("agent_id", ["", " ", "nobody12"])
async def test_an_id_that_is_nobodys_is_an_error(hands: Hands, agents: HandAgents, agent_id: str) -> None:
    assert (await hands.call("agent_status", agent_id=agent_id)).error


async def test_an_empty_prompt_starts_nothing(hands: Hands, agents: HandAgents) -> None:
    assert "prompt is empty" in ((await hands.call("agent", prompt=" \n")).error or "")
    assert agents.by_call == {}


async def test_the_depth_is_limited_and_the_limit_named(hands: Hands, agents: HandAgents) -> None:
    hands.nesting = Nesting(depth=2, most=2)
    assert "nested 2 deep" in ((await hands.call("agent", prompt="x")).error or "")


async def test_without_a_host_there_are_none(hands: Hands) -> None:
    for name, args in (("agent", {"prompt": "x"}), ("agent_status", {"agent_id": "x"})):
        assert "no sub-agents here" in ((await hands.call(name, **args)).error or "")


@pytest.mark.parametrize("folder", ["nowhere", "a.txt", "../.."])
async def test_a_working_dir_must_be_a_folder_of_the_workspace(hands: Hands, agents: HandAgents, folder: str) -> None:
    hands.put({"a.txt": "x"})
    assert (await hands.call("agent", prompt="x", working_dir=folder)).error
    assert agents.by_call == {}


@pytest.mark.parametrize(("asked", "told"), [("", "src"), (".", ""), ("src/deep", "src/deep")])
async def test_a_sub_agent_starts_where_its_parent_did_unless_told_otherwise(
    hands: Hands, agents: HandAgents, asked: str, told: str
) -> None:
    hands.put({"src/deep/a.txt": "x"})
    hands.nesting = Nesting(working_dir="src")
    await hands.call("agent", prompt="x", working_dir=asked)
    assert agents.by_call["call-1"].origin.working_dir == told


async def test_rules_know_a_sub_agent_by_its_type(hands: Hands) -> None:
    tool = hands.tool("agent", {"prompt": "Look around.\nThen stop.", "agent_type": "explore"})
    assert judged((), tool, hands.context()).action == "allow"
    assert judged((Rule("agent", "explore", "deny"),), tool, hands.context()).action == "deny"
    assert judged((Rule("agent", "general", "deny"),), tool, hands.context()).action == "allow"
    assert tool.prompt(hands.context()) == "Start a sub-agent (explore): Look around."


async def test_an_unknown_type_is_told_which_there_are(hands: Hands) -> None:
    with pytest.raises(ToolError, match="general\\|explore\\|plan\\|verify"):
        hands.tool("agent", {"prompt": "x", "agent_type": "wizard"})


@pytest.mark.parametrize("agent_type", ["explore", "plan", "verify"])
async def test_an_agent_that_only_reads_has_no_other_tools(hands: Hands, agents: HandAgents, agent_type: AgentType) -> None:
    await hands.call("agent", prompt="x", agent_type=agent_type)
    agent = agents.by_call["call-1"].agent
    assert {"read", "glob", "grep"} <= set(agent.tools)
    assert not {"write", "edit", "multiedit", "apply_patch", "agent", "memory_write"} & set(agent.tools)
    assert agent.sandbox.writable == (agent_type == "plan")


async def test_what_stands_in_a_worktree_is_named(hands: Hands) -> None:
    finished = AgentFinished(
        agent_id="ab12cd34", session_id="s2", call_id="call-1", agent_type="general", outcome="limit", output="So far.", detail="Too long.",
        tool_calls=3, branch="countersign/agent-ab12cd34", changes=(FileChange(path="a.txt", change="created"),),
    )  # fmt: skip
    result = await hands.conclude("agent", finished, prompt="x")
    assert result.output == "So far."
    assert "reached a limit" in (result.error or "")
    assert "Too long." in (result.error or "")
    assert result.metadata["branch"] == "countersign/agent-ab12cd34"
    assert result.metadata["changed_files"] == [{"path": "a.txt", "change": "created"}]
    assert result.metadata["tool_calls"] == 3


async def test_all_are_listed_with_those_below_them(hands: Hands, agents: HandAgents) -> None:
    await ended(hands, agents, prompt="x", agent_type="verify")
    (status,) = await agents.all()
    assert (status.agent_type, status.state, status.finished is not None) == ("verify", "done", True)
