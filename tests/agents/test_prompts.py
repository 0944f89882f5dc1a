from __future__ import annotations

from typing import get_args

import pytest

from agents.pieces import AgentOrigin, AgentType
from agents.prompts import system_prompt


def origin(agent_type: AgentType, working_dir: str = "") -> AgentOrigin:
    return AgentOrigin(
        parent="p", root="p", call_id="c", agent_id="a1b2c3d4", agent_type=agent_type, depth=1, working_dir=working_dir,
    )  # fmt: skip


def test_a_prompt_names_the_place_and_whether_there_is_a_network() -> None:
    assert "The project is in /workspace." in system_prompt("/workspace", network=False)
    assert "without network" in system_prompt("/workspace", network=False)
    assert "with network" in system_prompt("/workspace", network=True)


def test_tools_that_must_be_looked_up_are_named_with_how_to() -> None:
    prompt = system_prompt("/workspace", False, ("multiedit", "memory_read"))
    assert "multiedit, memory_read" in prompt
    assert "tool_search" in prompt
    assert "tool_search" not in system_prompt("/workspace", False)


@pytest.mark.parametrize("agent_type", get_args(AgentType))
def test_a_sub_agent_is_told_what_it_is(agent_type: AgentType) -> None:
    prompt = system_prompt("/workspace", False, origin=origin(agent_type))
    assert "You are a sub-agent" in prompt
    assert len({system_prompt("/workspace", False, origin=origin(kind)) for kind in get_args(AgentType)}) == 4
    assert "sub-agent" not in system_prompt("/workspace", False)


def test_a_sub_agent_is_told_where_it_starts() -> None:
    assert "in the folder src/{odd} of" in system_prompt("/workspace", False, origin=origin("general", "src/{odd}"))


def test_no_prompt_keeps_a_gap_to_be_filled() -> None:
    prompt = system_prompt("/workspace", True, ("lsp",), origin("plan", "docs"))
    assert "{" not in prompt
