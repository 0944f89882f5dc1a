"""The toolset and its three smaller sets, and how each speaks of a tool that there is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents import events as e
from agents.calls import settle_calls
from agents.errors import InvalidArguments
from agents.tools.registry import SHARED, TOOLSETS, toolset, unknown
from tests.agents.toys import asked, results, toy_agent

OWN = ["calculate", "get_current_time", "read", "write", "edit", "grep", "find", "ls"]


def test_the_whole_set_has_its_eight_and_the_engines_own() -> None:
    assert list(toolset("agent_loop")) == [*OWN, *(tool.name for tool in SHARED)]
    assert all(TOOLSETS["agent_loop"].tools[name].always_load for name in OWN)


@pytest.mark.parametrize(("name", "tools"), [("agent_loop_v1", []), ("agent_loop_v2", OWN[:2]), ("agent_loop_v3", OWN[2:])])
def test_a_smaller_set_has_exactly_its_own(name: str, tools: list[str]) -> None:
    assert list(toolset(name)) == tools
    assert TOOLSETS[name].part_of == "agent_loop"
    assert TOOLSETS[name].rounds == TOOLSETS["agent_loop"].rounds == 8


@pytest.mark.parametrize("name", ["agent_loop", "agent_loop_v1", "agent_loop_v2", "agent_loop_v3"])
def test_a_tool_there_is_not_is_not_found(name: str) -> None:
    assert unknown("frobnicate", toolset(name)).startswith("Tool not found: frobnicate. ")
    assert not unknown("frobnicate", toolset("oats")).startswith("Tool not found")


def test_wrong_arguments_are_an_execution_error_of_the_own_tools_only() -> None:
    tools = toolset("agent_loop")
    with pytest.raises(InvalidArguments, match=r"^Tool execution error: .*expression: field required"):
        tools["calculate"].parse({})
    with pytest.raises(InvalidArguments, match=r"^Invalid arguments for todowrite"):
        tools["todowrite"].parse({})


async def test_a_model_reads_what_went_wrong_in_these_words(tmp_path: Path) -> None:
    recorder, agent = asked(), toy_agent(str(tmp_path), "- text: done\n")
    agent.tools = toolset("agent_loop_v2")
    calls = (
        e.Call(call_id="c1", tool="calculate", arguments='{"expression": "1/0"}'),
        e.Call(call_id="c2", tool="calculate", arguments='{"expression": '),
        e.Call(call_id="c3", tool="read", arguments='{"path": "a"}'),
        e.Call(call_id="c4", tool="calculate", arguments='{"expression": "(2+3)*4"}'),
    )
    recorder.add(e.AgentSpoke(reply_id="r1", parts=calls, finish="calls"))
    await settle_calls(agent, recorder.history, recorder)
    zero, broken, missing, right = sorted(results(recorder), key=lambda result: result.call_id)
    assert zero.error == "Tool execution error: Division by zero."
    assert "not valid JSON" in (broken.error or "")
    assert (missing.error or "").startswith("Tool not found: read. ")
    assert (right.error, right.output) == (None, "20")
