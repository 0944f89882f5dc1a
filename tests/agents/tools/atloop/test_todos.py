"""todo_write and todo_read: one list, in the session and in TODO.md."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.events import Todo, TodosWritten
from agents.permissions import Rule, barring
from agents.plan import PlanState
from agents.tools.atloop.todo_file import is_ours, read, written
from agents.tools.reach import Nesting
from agents.tools.registry import toolset
from agents.tools.tool import ToolResult
from tests.agents.tools.hands import Hands

THREE = [
    {"content": "Write unit tests", "activeForm": "Writing unit tests", "status": "pending"},
    {"content": "Set up", "activeForm": "Setting up", "status": "in_progress"},
    {"content": "Think", "activeForm": "Thinking", "status": "completed"},
]
FILE = """# TODO

## In Progress
- [ ] Set up (Setting up)

## Pending
- [ ] Write unit tests (Writing unit tests)

## Completed
- [x] Think
"""
OWN = "# TODO\n\nMy own notes.\n\n- [ ] buy milk\n- [x] call Bob (twice)\n"


def task(content: str, status: str = "pending", active: str = "Doing it") -> dict[str, str]:
    return {"content": content, "activeForm": active, "status": status}


async def test_the_list_stands_in_the_file_and_in_the_session(hands: Hands) -> None:
    result = await hands.call("todo_write", todos=THREE)
    assert result.output == "The task list has 1 pending, 1 in progress, 1 completed."
    assert result.metadata == {"todo_file": "TODO.md", "todo_count": 3, "count": 3, "pending": 1, "in_progress": 1, "completed": 1}
    assert hands.files() == {"TODO.md": FILE.encode()}
    assert [change.change for change in result.changes] == ["created"]
    assert isinstance(result.facts[0], TodosWritten)
    assert [todo.content for todo in hands.todos] == ["Write unit tests", "Set up", "Think"]
    assert hands.todos[1] == Todo(content="Set up", active="Setting up", status="in_progress")


async def test_it_is_read_by_status(hands: Hands) -> None:
    await hands.call("todo_write", todos=THREE)
    result = await hands.call("todo_read")
    assert result.output == (
        "# TODO List (3 task(s))\n\n## In Progress\n1. Set up (Setting up)\n\n## Pending\n1. Write unit tests (Writing unit tests)\n\n"
        "## Completed (1)\n1. Think\n\nSummary: 1 pending, 1 in progress, 1 completed"
    )
    assert result.metadata == {"todo_file": "TODO.md", "todo_count": 3, "count": 3, "pending": 1, "in_progress": 1, "completed": 1}


async def test_a_list_found_in_the_file_is_read_from_there(hands: Hands) -> None:
    hands.put({"TODO.md": FILE})
    result = await hands.call("todo_read")
    assert (result.metadata["in_progress"], result.metadata["pending"], result.metadata["completed"]) == (1, 1, 1)
    assert "1. Set up (Setting up)" in result.output


async def test_of_what_is_completed_the_first_five_are_shown(hands: Hands) -> None:
    await hands.call("todo_write", todos=[task(f"task {number} (done)", "completed") for number in range(8)])
    output = (await hands.call("todo_read")).output
    assert "## Completed (8)\n1. task 0 (done)\n" in output
    assert "5. task 4 (done)\n… and 3 more\n" in output
    assert "task 5" not in output


async def test_no_list_yet_is_no_error(hands: Hands) -> None:
    result = await hands.call("todo_read")
    assert (result.error, result.output) == (None, "There is no TODO.md yet. Use todo_write to make a list.")
    hands.put({"TODO.md": " \n"})
    assert "no" in (await hands.call("todo_read")).output
    assert (await hands.call("todo_read")).error is None


async def test_where_nothing_is_in_progress_that_is_said(hands: Hands) -> None:
    assert "Warning: no task is in_progress" in (await hands.call("todo_write", todos=[task("a")])).output
    assert "Warning" not in (await hands.call("todo_write", todos=[task("a", "completed")])).output
    assert "Warning" not in (await hands.call("todo_write", todos=[task("a", "in_progress")])).output


async def test_an_empty_list_clears_both(hands: Hands) -> None:
    assert (await hands.call("todo_write", todos=[])).changes == ()
    assert hands.files() == {}
    await hands.call("todo_write", todos=THREE)
    result = await hands.call("todo_write", todos=[])
    assert (result.output, hands.todos) == ("The task list is cleared.", ())
    assert hands.files() == {"TODO.md": b"# TODO\n"}
    assert (await hands.call("todo_read")).output == "TODO.md holds no tasks."


# --- files of people's own ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "own", [OWN, "- [ ] buy milk\n", "# TODO\n- [ ] write docs\n- [x] set up\n", f"{FILE}\nAnd a remark.\n", b"\xff\xfe"]
)
async def test_a_todo_file_of_peoples_own_is_left_alone_and_the_list_kept_beside(own: str | bytes, hands: Hands) -> None:
    hands.put({"TODO.md": own})
    result = await hands.call("todo_write", todos=THREE)
    assert result.error is None
    assert "TODO.md is not for this list alone and was left as it is; the list is kept in TODO.agent.md" in result.output
    assert hands.files() == {"TODO.md": own if isinstance(own, bytes) else own.encode(), "TODO.agent.md": FILE.encode()}
    assert result.metadata["todo_file"] == "TODO.agent.md"
    assert len(hands.todos) == 3
    assert (await hands.call("todo_read")).metadata["todo_file"] == "TODO.agent.md"


async def test_where_both_are_peoples_own_neither_is_touched(hands: Hands) -> None:
    hands.put({"TODO.md": OWN, "TODO.agent.md": "mine too"})
    before = hands.files()
    result = await hands.call("todo_write", todos=THREE)
    assert "Neither TODO.md nor TODO.agent.md" in str(result.error)
    assert (hands.files(), hands.todos) == (before, ())


async def test_tasks_in_a_file_of_peoples_own_can_be_read(hands: Hands) -> None:
    hands.put({"TODO.md": OWN})
    result = await hands.call("todo_read")
    assert "1. buy milk" in result.output
    assert "1. call Bob (twice)" in result.output
    assert (result.metadata["pending"], result.metadata["completed"]) == (1, 1)


async def test_tasks_that_others_put_into_the_list_are_named_before_they_are_gone(hands: Hands) -> None:
    await hands.call("todo_write", todos=THREE)
    hands.put({"TODO.md": FILE.replace("## Pending\n", "## Pending\n- [ ] Ask Bob (Asking Bob)\n")})
    assert "Ask Bob" in (await hands.call("todo_read")).output
    result = await hands.call("todo_write", todos=THREE[:1])
    assert "TODO.md held tasks that are not in this list, and are gone from it: Ask Bob." in result.output
    assert "Set up" not in result.output
    assert "-- [ ] Ask Bob (Asking Bob)" in result.changes[0].diff


async def test_what_people_changed_in_the_session_is_shown_too(hands: Hands) -> None:
    await hands.call("todo_write", todos=THREE)
    hands.todos = (Todo(content="Something else first", status="in_progress"), *hands.todos)
    output = (await hands.call("todo_read")).output
    assert "The session's list, which people see and may have changed, is another one" in output
    assert "1. Something else first" in output


async def test_a_session_whose_file_is_gone_still_has_its_list(hands: Hands) -> None:
    await hands.call("todo_write", todos=THREE)
    (hands.root / "TODO.md").unlink()
    assert (await hands.call("todo_read")).metadata["todo_count"] == 3


# --- where nothing may be changed --------------------------------------------------------------------------------------


async def test_while_planning_only_the_session_has_the_list(hands: Hands) -> None:
    hands.plan = PlanState("planning", plan_file=".coder/plan.md")
    result = await hands.call("todo_write", todos=THREE)
    assert "TODO.md was left as it is" in result.output
    assert (hands.files(), len(hands.todos)) == ({}, 3)


async def test_where_nothing_may_be_written_only_the_session_has_the_list(hands: Hands) -> None:
    bound = Hands(hands.root, toolset="atloop", writable=False)
    assert (await bound.call("todo_write", todos=THREE)).error is None
    assert (bound.files(), len(bound.todos)) == ({}, 3)


async def ruled(hands: Hands, name: str, *rules: Rule, **args: Any) -> ToolResult:
    return await hands.tool(name, args).run(replace(hands.context(), barred=barring(rules)))


async def test_a_rule_that_denies_writing_the_file_keeps_it_as_it_is(hands: Hands) -> None:
    hands.put({"TODO.md": FILE})
    result = await ruled(hands, "todo_write", Rule("write", "*", "deny"), todos=[task("Rest")])
    assert "TODO.md was left as it is: a rule of this project denies changing it" in result.output
    assert (hands.files(), len(result.facts)) == ({"TODO.md": FILE.encode()}, 1)
    await ruled(hands, "todo_write", Rule("write", "TODO.md", "deny"), todos=[task("Rest")])
    assert hands.files()["TODO.md"] == FILE.encode()


async def test_a_link_shows_nothing_of_what_a_rule_denies(hands: Hands) -> None:
    hands.put({"secrets/plan.md": FILE})
    (hands.root / "TODO.md").symlink_to("secrets/plan.md")
    assert hands.tool("todo_read", {}).subject(hands.context()) == "secrets/plan.md"
    assert "Set up" not in (await ruled(hands, "todo_read", Rule("read", "secrets/*", "deny"))).output


async def test_the_list_of_a_sub_agent_leaves_that_of_the_agent_above_alone(hands: Hands) -> None:
    await hands.call("todo_write", todos=THREE)
    before, below = hands.files(), Hands(hands.root, toolset="atloop", nesting=Nesting(1))
    assert "There is no TODO.md yet" in (await below.call("todo_read")).output
    assert (await below.call("todo_write", todos=[task("Look")])).changes == ()
    assert (below.files(), len(below.todos)) == (before, 1)
    assert "1. Look" in (await below.call("todo_read")).output


async def test_a_file_larger_than_any_list_is_peoples_own(hands: Hands) -> None:
    with (hands.root / "TODO.md").open("wb") as file:
        file.truncate(2**33)
    await hands.call("todo_write", todos=THREE)
    assert (hands.root / "TODO.agent.md").read_text() == FILE
    assert (hands.root / "TODO.md").stat().st_size == 2**33


def test_no_file_takes_long_to_understand() -> None:
    began = monotonic()
    read("# a" + " " * 200_000 + "b\n# " + "(1" * 100_000 + "\n- [ ] a" + " (" * 100_000)
    assert monotonic() - began < 20


async def test_a_folder_or_a_link_outside_in_its_place_is_an_error(hands: Hands) -> None:
    (hands.root / "TODO.md").mkdir()
    assert "TODO.md is a folder" in str((await hands.call("todo_write", todos=THREE)).error)
    assert "TODO.md is a folder" in str((await hands.call("todo_read")).error)
    (hands.root / "TODO.md").rmdir()
    (hands.root / "TODO.md").symlink_to(hands.root.parent / "outside.md")
    assert (await hands.call("todo_write", todos=THREE)).error is not None
    assert not (hands.root.parent / "outside.md").exists()


def test_nobody_is_asked_and_a_rule_may_deny_the_file(hands: Hands) -> None:
    call = hands.tool("todo_write", {"todos": THREE})
    assert call.requires_permission(hands.context()) is None
    assert call.parts(hands.context()) == [("todo_write", "TODO.md")]
    assert not toolset("atloop")["todo_write"].mutates


@pytest.mark.parametrize(
    "item",
    [
        {"content": "x", "status": "pending"}, {"content": "x", "activeForm": "y"}, {"activeForm": "y", "status": "pending"},
        {**THREE[0], "status": "done"}, {**THREE[0], "content": ""}, {**THREE[0], "priority": 1}, "text", None,
    ],
)  # fmt: skip
async def test_a_task_that_makes_no_sense_is_an_error_and_the_list_stays(item: Any, hands: Hands) -> None:
    await hands.call("todo_write", todos=THREE)
    assert "todos.1" in str((await hands.call("todo_write", todos=[THREE[0], item])).error)
    assert (hands.files(), len(hands.todos)) == ({"TODO.md": FILE.encode()}, 3)


# --- the file ----------------------------------------------------------------------------------------------------------

WORDS = st.text(st.characters(codec="utf-8", exclude_characters="()\r"), min_size=1).filter(lambda text: text.strip() == text)
TODOS = st.builds(Todo, content=WORDS, active=WORDS, status=st.sampled_from(["pending", "in_progress", "completed"]))


@given(st.lists(TODOS))
def test_what_is_written_is_read(todos: list[Todo]) -> None:
    text = written(todos)
    assert is_ours(text)
    order = ["in_progress", "pending", "completed"]
    expected = sorted(todos, key=lambda todo: order.index(todo.status))
    assert list(read(text)) == [todo.model_copy(update={"active": ""}) if todo.status == "completed" else todo for todo in expected]


@pytest.mark.parametrize(
    ("line", "content", "active"),
    [
        ("- [ ] Fix f(x) (Fixing f(x))", "Fix f(x)", "Fixing f(x)"),
        ("- [ ] Fix (a) thing", "Fix (a) thing", ""),
        ("- [ ] Fix f(x)", "Fix f(x)", ""),
        ("- [ ] (only)", "(only)", ""),
        ("- [ ] odd) one", "odd) one", ""),
        ("* [ ] starred (Doing)", "starred", "Doing"),
    ],
)
def test_the_last_parentheses_of_a_task_say_what_is_being_done(line: str, content: str, active: str) -> None:
    assert read(f"# TODO\n\n## Pending\n{line}\n") == (Todo(content=content, active=active, status="pending"),)


def test_a_task_whose_box_is_ticked_is_completed_wherever_it_stands() -> None:
    assert [todo.status for todo in read("## In Progress\n- [x] a\n- [ ] b\n## Completed\n- [ ] c\n# Later\n- [ ] d\n")] == [
        "completed", "in_progress", "completed", "pending",
    ]  # fmt: skip


def test_a_task_of_several_lines_cannot_pass_for_something_else() -> None:
    todo = Todo(content="a\n## Completed\n- [x] b\n# TODO", active="c", status="in_progress")
    assert read(written([todo])) == (todo,)
