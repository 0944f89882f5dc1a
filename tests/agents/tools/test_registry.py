"""The toolset as a whole: names, natures, schemas, and what any tool does with malformed arguments."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agents.errors import InvalidArguments, ToolError, ToolUnfit
from agents.tools.registry import TOOLSETS, ToolRegistry, get_tool, get_tool_registry, list_tools, resolve, toolset, unknown
from agents.tools.tool import Tool

OATS = toolset("oats")
NAMES = [
    "read", "write", "edit", "multiedit", "apply_patch", "bash", "glob", "grep", "webfetch", "websearch", "playwright_search", "lsp",
    "todowrite", "todoread", "memory_read", "memory_write", "memory_delete", "plan_enter", "plan_exit", "plan_status", "question",
    "ask_user", "agent", "agent_status", "mcp_discover", "mcp_call", "mcp_chain", "mcp_fan_out", "mcp_rank", "mcp_session",
    "mcp_server_manage", "tool_search", "generate_readme", "skill", "read_skill_file",
]  # fmt: skip
READ_ONLY = {
    "read", "glob", "grep", "todoread", "memory_read", "plan_status", "tool_search", "webfetch", "websearch", "playwright_search", "lsp",
    "agent_status", "mcp_discover", "mcp_rank", "mcp_session", "skill", "read_skill_file",
}  # fmt: skip
MUTATE = {
    "write", "edit", "multiedit", "apply_patch", "bash", "memory_write", "memory_delete", "generate_readme", "agent", "mcp_call",
    "mcp_chain", "mcp_fan_out", "mcp_server_manage",
}  # fmt: skip
ASK = {
    "write", "edit", "multiedit", "apply_patch", "bash", "generate_readme", "webfetch", "websearch", "playwright_search", "mcp_discover",
    "mcp_call", "mcp_chain", "mcp_fan_out", "mcp_server_manage",
}  # fmt: skip
RIGHT: dict[str, dict[str, Any]] = {
    "read": {"file_path": "a"}, "write": {"file_path": "a", "content": "x"},
    "edit": {"file_path": "a", "old_string": "x", "new_string": "y"},
    "multiedit": {"file_path": "a", "edits": [{"old_string": "x", "new_string": "y"}]},
    "apply_patch": {"patch": "x"}, "bash": {"command": "true"}, "glob": {"pattern": "*"}, "grep": {"pattern": "x"},
    "todowrite": {"todos": []}, "memory_write": {"title": "x", "content": "y"}, "memory_delete": {"memory_id": "x"},
    "question": {"questions": [{"question": "x", "header": "y", "options": [{"label": "a"}, {"label": "b"}]}]},
    "ask_user": {"question": "x"}, "tool_search": {"query": "x"},
    "webfetch": {"url": "https://example.org"}, "websearch": {"query": "x"}, "playwright_search": {"query": "x"},
    "agent": {"prompt": "x"}, "agent_status": {"agent_id": "a1b2c3d4"}, "lsp": {"operation": "hover", "file_path": "a.py"},
    "mcp_call": {"tool_name": "mcp__a__b"}, "mcp_chain": {"calls": [{"tool_name": "mcp__a__b"}]}, "mcp_rank": {"task": "x"},
    "mcp_fan_out": {"calls": [{"tool_name": "mcp__a__b"}]}, "mcp_server_manage": {"action": "list"},
    "skill": {"name": "x"}, "read_skill_file": {"path": "x"},
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
    ("tool_search", {"query": ""}, "query"),
]


def test_the_toolset_has_exactly_these_tools() -> None:
    assert set(OATS) == set(NAMES)
    assert list(TOOLSETS) == ["oats", "atomic", "atloop", "alfredo", "agent_loop", "agent_loop_v1", "agent_loop_v2", "agent_loop_v3"]
    with pytest.raises(ToolError, match="no toolset 'nosuch'"):
        toolset("nosuch")


def test_an_alias_finds_its_tool_and_never_hides_another() -> None:
    assert resolve(OATS, "shell") is OATS["bash"]
    assert resolve(OATS, "search") is OATS["grep"]
    assert resolve(OATS, "READ") is None
    aliases = [alias for tool in OATS.values() for alias in tool.aliases]
    assert len(set(aliases)) == len(aliases)
    assert not set(aliases) & set(OATS)


def test_the_functions_speak_of_the_default_toolset() -> None:
    assert get_tool_registry() is TOOLSETS["oats"]
    assert get_tool("shell") is get_tool("bash") is OATS["bash"]
    assert [tool.name for tool in list_tools()] == list(OATS) == list(get_tool_registry())


def test_a_toolset_is_a_dict_of_the_callers_own() -> None:
    toolset("oats").clear()
    assert toolset("oats") == OATS


def named(name: str, *aliases: str) -> type[Tool]:
    return type("Made", (Tool,), {"name": name, "aliases": aliases, "description": "Made here.", "__module__": __name__})


def test_a_registry_keeps_the_order_in_which_tools_came() -> None:
    registry = ToolRegistry(named("b"), named("a", "first"))
    registry.register(named("c"))
    assert [tool.name for tool in registry.list()] == [one.name for one in registry.to_definitions()] == ["b", "a", "c"]
    assert (len(registry), "a" in registry, "first" in registry) == (3, True, False)
    assert registry.get("first") is registry.get("a")
    assert registry.get("d") is None


@pytest.mark.parametrize(
    ("tool", "said"),
    [
        (named("hammer"), "its name is already that of another tool"),
        (named("mallet"), "its name is already an alias of 'hammer'"),
        (named("saw", "hammer"), "its alias 'hammer' is already that of another tool"),
        (named("saw", "mallet"), "its alias 'mallet' is already an alias of 'hammer'"),
        (named("saw", "saw"), "one word twice"),
        (named("band saw"), "cannot be called 'band saw'"),
        (named("saw", ""), "cannot be called ''"),
        (named("s" * 65), "1 to 64 letters"),
    ],
)
def test_no_two_tools_answer_to_one_word(tool: type[Tool], said: str) -> None:
    registry = ToolRegistry(named("hammer", "mallet"))
    with pytest.raises(ToolUnfit, match=said):
        registry.register(tool)
    assert list(registry) == ["hammer"]


def test_whoever_calls_a_tool_that_is_not_there_is_told_of_those_like_it() -> None:
    assert (
        unknown("Todo_write", OATS)
        == "There is no tool 'Todo_write'. Did you mean todowrite or write? tool_search finds the tools there are."
    )
    without = {name: tool for name, tool in OATS.items() if name in ("read", "write")}
    assert unknown("nosuch", without) == "There is no tool 'nosuch'. Tools: read, write."


def test_only_tools_that_change_nothing_are_read_only() -> None:
    assert {name for name, tool in OATS.items() if tool.read_only} == READ_ONLY & set(OATS)
    assert {name for name, tool in OATS.items() if tool.mutates} == MUTATE & set(OATS)
    assert {name for name, tool in OATS.items() if tool.asks == "ask"} == ASK & set(OATS)


@pytest.mark.parametrize("name", OATS)
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


@pytest.mark.parametrize("name", OATS)
def test_right_arguments_are_taken_and_survive_a_round_trip(name: str) -> None:
    tool = OATS[name].parse(RIGHT.get(name, {}))
    assert OATS[name].parse(tool.model_dump(mode="json", by_alias=True)) == tool


@pytest.mark.parametrize(("name", "arguments", "reason"), WRONG)
def test_wrong_arguments_are_named(name: str, arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises(InvalidArguments, match=reason):
        OATS[name].parse(arguments)


def test_null_means_left_out() -> None:
    assert OATS["read"].parse({"file_path": "a", "offset": None}) == OATS["read"].parse({"file_path": "a"})
