"""The todo list: written whole, read as it stands."""

from __future__ import annotations

from typing import Any

import pytest

from agents.events import Todo, TodosWritten
from tests.agents.tools.hands import Hands

THREE = [
    {"content": "Implement auth", "status": "in_progress", "activeForm": "Implementing auth"},
    {"content": "Write tests"},
    {"content": "Plan", "status": "completed", "activeForm": "Planning"},
]


async def test_a_list_is_shown_with_marks_and_progress(hands: Hands) -> None:
    result = await hands.call("todowrite", todos=THREE)
    assert result.output == (
        "Todo list updated:\n\n1. [◐] Implement auth\n   → Implementing auth\n2. [○] Write tests\n3. [●] Plan\n\n"
        "Progress: 1/3 completed\nCurrently: 1 in progress"
    )
    assert result.metadata == {"session_id": "s1", "count": 3, "pending": 1, "in_progress": 1, "completed": 1}
    assert hands.todos[1] == Todo(content="Write tests", status="pending")


async def test_what_was_written_is_read(hands: Hands) -> None:
    assert (await hands.call("todoread")).output == "No todos found for this session."
    await hands.call("todowrite", todos=THREE)
    assert (await hands.call("todoread")).output.startswith("Current todos:\n\n1. [◐] Implement auth")


async def test_an_empty_list_clears(hands: Hands) -> None:
    await hands.call("todowrite", todos=THREE)
    result = await hands.call("todowrite", todos=[])
    assert (result.output, result.facts) == ("Todo list cleared.", (TodosWritten(todos=()),))
    assert (await hands.call("todoread")).output == "No todos found for this session."


async def test_an_unknown_status_is_an_error_and_the_list_stays(hands: Hands) -> None:
    await hands.call("todowrite", todos=THREE)
    result = await hands.call("todowrite", todos=[{"content": "x", "status": "done"}])
    assert "todos.0.status" in str(result.error)
    assert len(hands.todos) == 3


@pytest.mark.parametrize("item", [{"status": "pending"}, {"content": ""}, "text", {"content": "x", "status": None}])
async def test_an_item_that_makes_no_sense_is_an_error_and_the_list_stays(item: Any, hands: Hands) -> None:
    await hands.call("todowrite", todos=THREE)
    assert "todos.1" in str((await hands.call("todowrite", todos=[THREE[0], item])).error)
    assert len(hands.todos) == 3


async def test_what_is_left_out_has_its_default_and_several_may_be_in_progress(hands: Hands) -> None:
    await hands.call(
        "todowrite", todos=[{"content": "a"}, {"content": "b", "status": "in_progress"}, {"content": "c", "status": "in_progress"}]
    )
    assert [(todo.status, todo.active) for todo in hands.todos] == [("pending", ""), ("in_progress", ""), ("in_progress", "")]
    assert "Currently: 2 in progress" in (await hands.call("todoread")).output
