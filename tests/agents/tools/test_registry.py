"""The toolset as a whole: names, natures, schemas, and what any tool does with malformed arguments."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agents.errors import InvalidArguments, ToolError
from agents.tools.registry import TOOLSETS, resolve, toolset

OATS = toolset("oats")
NAMES = [
    "read", "write", "edit", "multiedit", "apply_patch", "bash", "glob", "grep", "todowrite", "todoread",
    "memory_read", "memory_write", "memory_delete", "plan_enter", "plan_exit", "plan_status", "question", "ask_user",
]  # fmt: skip
RIGHT: dict[str, dict[str, Any]] = {
    "read": {"file_path": "a"}, "write": {"file_path": "a", "content": "x"},
    "edit": {"file_path": "a", "old_string": "x", "new_string": "y"},
    "multiedit": {"file_path": "a", "edits": [{"old_string": "x", "new_string": "y"}]},
    "apply_patch": {"patch": "x"}, "bash": {"command": "true"}, "glob": {"pattern": "*"}, "grep": {"pattern": "x"},
    "todowrite": {"todos": []}, "memory_write": {"title": "x", "content": "y"}, "memory_delete": {"memory_id": "x"},
    "question": {"questions": [{"question": "x", "header": "y", "options": [{"label": "a"}, {"label": "b"}]}]},
    "ask_user": {"question": "x"},
}  # fmt: skip
WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("read", {"offset": 1}, "file_path: field required"),
    ("read", {"file_path": ["a"]}, "file_path"),
    ("read", {"file_path": "a", "limit": 0}, "limit"),
    ("read", {"file_path": "a", "offset": "two"}, "offset"),
    ("read", {"file_path": "a", "lines": 3}, "lines"),
    ("read", {"file_path": None}, "file_path: field required"),
    ("write", {"file_path": "", "content": ""}, "file_path"),
    ("write", {"file_path": "a"}, "content: field required"),
    ("write", {"file_path": "a", "content": {"x": 1}}, "content"),
    ("edit", {"file_path": "a"}, "old_string"),
    ("edit", {"file_path": "a", "old_string": "x", "new_string": "y", "replace_all": "perhaps"}, "replace_all"),
    ("multiedit", {"file_path": "a", "edits": []}, "edits"),
    ("multiedit", {"file_path": "a", "edits": "all"}, "edits"),
    ("multiedit", {"file_path": "a", "edits": [{"old_string": "x"}]}, "edits.0.new_string"),
    ("apply_patch", {}, "patch"),
    ("apply_patch", {"patch": "x", "strip": -1}, "strip"),
    ("bash", {}, "command"),
    ("bash", {"command": ["ls"]}, "command"),
    ("glob", {"path": "."}, "pattern"),
    ("grep", {"pattern": "x", "context_lines": "many"}, "context_lines"),
    ("todowrite", {}, "todos"),
    ("todowrite", {"todos": [{"status": "pending"}]}, "todos.0.content"),
    ("memory_read", {"type_filter": "odd"}, "type_filter"),
    ("memory_write", {"title": "x", "content": "y", "scope": "world"}, "scope"),
    ("question", {"questions": [{"question": "x"}]}, "questions.0.options"),
    ("ask_user", {"options": ["a"]}, "question"),
]


def test_the_toolset_has_exactly_these_tools() -> None:
    assert list(OATS) == NAMES
    assert list(TOOLSETS) == ["oats"]
    with pytest.raises(ToolError, match="no toolset 'nosuch'"):
        toolset("nosuch")


def test_an_alias_finds_its_tool_and_never_hides_another() -> None:
    assert resolve(OATS, "shell") is OATS["bash"]
    assert resolve(OATS, "search") is OATS["grep"]
    assert resolve(OATS, "READ") is None
    aliases = [alias for tool in OATS.values() for alias in tool.aliases]
    assert len(set(aliases)) == len(aliases)
    assert not set(aliases) & set(OATS)


def test_only_tools_that_change_nothing_are_read_only() -> None:
    assert {name for name, tool in OATS.items() if tool.read_only} == {
        "read", "glob", "grep", "todoread", "memory_read", "plan_status",
    }  # fmt: skip
    assert {name for name, tool in OATS.items() if tool.mutates} == {
        "write", "edit", "multiedit", "apply_patch", "bash", "memory_write", "memory_delete",
    }  # fmt: skip
    assert {name for name, tool in OATS.items() if tool.asks == "ask"} == {"write", "edit", "multiedit", "apply_patch", "bash"}


@pytest.mark.parametrize("name", NAMES)
def test_a_tool_tells_a_model_what_it_takes(name: str) -> None:
    definition = OATS[name].definition()
    assert definition.parameters["type"] == "object"
    assert all("description" in rule for rule in definition.parameters["properties"].values())
    assert len(definition.description) < 500
    json.dumps(definition.parameters)


def test_names_are_spelt_as_documented() -> None:
    todo = json.dumps(OATS["todowrite"].definition().parameters)
    question = json.dumps(OATS["question"].definition().parameters)
    assert '"activeForm"' in todo
    assert '"multiSelect"' in question
    assert "plan_file" in OATS["plan_enter"].definition().parameters["properties"]


@pytest.mark.parametrize("name", NAMES)
def test_right_arguments_are_taken_and_survive_a_round_trip(name: str) -> None:
    tool = OATS[name].parse(RIGHT.get(name, {}))
    assert OATS[name].parse(tool.model_dump(mode="json", by_alias=True)) == tool


@pytest.mark.parametrize(("name", "arguments", "reason"), WRONG)
def test_wrong_arguments_are_named(name: str, arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises(InvalidArguments, match=reason):
        OATS[name].parse(arguments)


def test_null_means_left_out() -> None:
    assert OATS["read"].parse({"file_path": "a", "offset": None}) == OATS["read"].parse({"file_path": "a"})
