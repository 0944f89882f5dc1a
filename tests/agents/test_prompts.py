from __future__ import annotations

from agents.prompts import system_prompt


def test_a_prompt_names_the_place_and_whether_there_is_a_network() -> None:
    assert "The project is in /workspace." in system_prompt("/workspace", network=False)
    assert "without network" in system_prompt("/workspace", network=False)
    assert "with network" in system_prompt("/workspace", network=True)


def test_tools_that_must_be_looked_up_are_named_with_how_to() -> None:
    prompt = system_prompt("/workspace", False, ("multiedit", "memory_read"))
    assert "multiedit, memory_read" in prompt
    assert "tool_search" in prompt
    assert "tool_search" not in system_prompt("/workspace", False)


def test_no_prompt_keeps_a_gap_to_be_filled() -> None:
    assert "{" not in system_prompt("/workspace", True, ("lsp",))
