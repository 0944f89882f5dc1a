"""Which tools there are under which profile: the documented table row by row, and who overrides whom."""

from __future__ import annotations

from typing import Literal, get_args

import pytest

from agents.pieces import AgentType
from agents.tools.profiles import (
    AGENT_TOOLS,
    GROUPS,
    PROFILES,
    Choice,
    Selection,
    choice_of_variables,
    deferred,
    for_agent,
    known_profile,
    select,
)
from agents.tools.registry import TOOLSETS, toolset
from agents.tools.tool import Tool

OATS = toolset("oats")
Profile = Literal["minimal", "standard", "full", "custom"]
EVERY: tuple[Profile, ...] = get_args(Profile)
DOCUMENTED: list[tuple[str, tuple[str, ...], tuple[Profile, ...]]] = [
    (
        "core_tools",
        (
            "read", "write", "edit", "multiedit", "glob", "grep", "bash", "apply_patch", "todowrite", "todoread", "question", "ask_user",
            "generate_readme",
        ),
        EVERY,
    ),
    ("deferred_tools", ("tool_search",), EVERY),
    ("web_tools", ("webfetch", "websearch", "playwright_search"), ("standard", "full")),
    ("planning", ("plan_enter", "plan_exit", "plan_status"), ("standard", "full", "custom")),
    ("memory", ("memory_read", "memory_write", "memory_delete"), ("standard", "full", "custom")),
    ("agents", ("agent", "agent_status"), ("standard", "full", "custom")),
    ("lsp", ("lsp",), ("full",)),
    (
        "mcp", ("mcp_discover", "mcp_call", "mcp_chain", "mcp_fan_out", "mcp_rank", "mcp_session", "mcp_server_manage"),
        ("full",),
    ),
]  # fmt: skip
SKILLS = {"skill", "read_skill_file"}
"""In every profile, besides those of the documented table."""
COUNTS = {"minimal": 14, "standard": 25, "full": 33, "custom": 22}


def groups_on(selection: Selection) -> set[str]:
    return {group for group in GROUPS if selection.has(group)}


@pytest.mark.parametrize(("group", "names", "profiles"), DOCUMENTED, ids=lambda value: value if isinstance(value, str) else "")
def test_a_group_is_on_in_the_documented_profiles(group: str, names: tuple[str, ...], profiles: tuple[Profile, ...]) -> None:
    assert tuple(profile for profile in EVERY if select(Choice(profile)).has(group)) == profiles
    for name in names:
        assert OATS[name].group == group, name


@pytest.mark.parametrize("profile", EVERY)
def test_a_profile_has_as_many_tools_as_documented(profile: Profile) -> None:
    assert sum(len(names) for group, names, _ in DOCUMENTED if select(Choice(profile)).has(group)) == COUNTS[profile]


@pytest.mark.parametrize("profile", EVERY)
def test_a_profile_has_exactly_the_documented_tools(profile: Profile) -> None:
    documented = {name for _, names, profiles in DOCUMENTED if profile in profiles for name in names}
    assert set(select(Choice(profile)).among(OATS)) == documented | SKILLS


def test_the_tools_of_oats_are_the_documented_ones() -> None:
    assert set(OATS) == {name for _, names, _ in DOCUMENTED for name in names} | SKILLS
    assert set(PROFILES) == set(EVERY)
    assert [group for group, _, _ in DOCUMENTED] == list(GROUPS)


@pytest.mark.parametrize(
    ("given", "meant"),
    [("full", "full"), (" FULL ", "full"), ("Minimal", "minimal"), ("", "standard"), ("huge", "standard"), ("standard,full", "standard")],
)
def test_a_profile_is_known_in_any_case_and_an_unknown_one_is_the_standard(given: str, meant: str) -> None:
    assert known_profile(given) == meant
    assert select(Choice(given)).profile == meant


@pytest.mark.parametrize("group", ["deferred_tools", "web_tools", "planning", "memory", "agents", "lsp", "mcp"])
@pytest.mark.parametrize("profile", EVERY)
def test_a_feature_beats_the_profile(profile: Profile, group: str) -> None:
    as_it_comes = groups_on(select(Choice(profile)))
    assert groups_on(select(Choice(profile, {group: True}))) == as_it_comes | {group}
    assert groups_on(select(Choice(profile, {group: False}))) == as_it_comes - {group}


@pytest.mark.parametrize("profile", EVERY)
def test_the_core_cannot_be_switched_off(profile: Profile) -> None:
    off = Choice(profile, {"core_tools": False})
    for selection in (select(off), select(Choice(), off)):
        assert selection.has("core_tools")
        assert "core_tools" not in selection.locked


def test_a_projects_profile_and_features_beat_those_of_the_installation() -> None:
    assert select(Choice("minimal"), Choice("full")).profile == "full"
    assert groups_on(select(Choice("full", {"web_tools": True}), Choice("minimal"))) == {"core_tools", "deferred_tools"}
    assert select(Choice("minimal", {"web_tools": True})).has("web_tools")
    assert not select(Choice("minimal", {"web_tools": True}), Choice("", {"web_tools": False})).has("web_tools")
    assert select(Choice("minimal"), Choice("", {"mcp": True})).has("mcp")


@pytest.mark.parametrize("project", [Choice(), Choice("full"), Choice("", {"mcp": True}), Choice("full", {"mcp": True})])
def test_what_the_operator_switched_off_stays_off(project: Choice) -> None:
    selection = select(Choice("full", {"mcp": False}), project)
    assert not selection.has("mcp")
    assert selection.locked == {"mcp"}


def test_what_only_a_project_or_a_profile_leaves_out_is_not_locked() -> None:
    assert select(Choice("minimal"), Choice("", {"memory": False})).locked == frozenset()


@pytest.mark.parametrize(
    ("features", "has"),
    [
        ({}, False),
        ({"lsp_tools": True}, True),
        ({"lsp": True}, True),
        ({"lsp_tools": False}, False),
        ({"lsp": True, "lsp_tools": False}, True),
        ({"lsp": False, "lsp_tools": True}, True),
    ],
)
def test_either_variable_switches_code_intelligence_on(features: dict[str, bool], has: bool) -> None:
    assert select(choice_of_variables("standard", features)).has("lsp") is has


def test_a_group_of_a_teams_own_making_is_on_until_it_is_switched_off() -> None:
    assert all(select(Choice(profile)).has("office") for profile in EVERY)
    assert not select(Choice(), Choice("", {"office": False})).has("office")
    assert select(Choice("", {"office": False}), Choice("full", {"office": True})).locked == {"office"}


def test_nobody_can_change_a_profile_in_passing() -> None:
    select(Choice("minimal"), Choice("", {"mcp": True}))
    assert PROFILES["minimal"] == {"core_tools", "deferred_tools"}


# --- sub-agents --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("agent_type", "names"),
    [
        ("explore", {"read", "glob", "grep", "bash", "webfetch", "websearch"}),
        ("plan", {"read", "glob", "grep", "plan_enter", "plan_exit", "plan_status", "todowrite"}),
        ("verify", {"read", "glob", "grep", "bash"}),
    ],
)
def test_other_tools_do_not_exist_for_a_sub_agent(agent_type: AgentType, names: set[str]) -> None:
    assert set(for_agent(OATS, agent_type)) == names | SKILLS
    assert not deferred(for_agent(OATS, agent_type))


@pytest.mark.parametrize("name", [name for name in TOOLSETS if name not in ("agent_loop_v1", "agent_loop_v2")])
def test_a_sub_agent_can_look_into_files_in_every_toolset(name: str) -> None:
    every = toolset(name)
    for agent_type in ("explore", "plan", "verify"):
        tools = for_agent(every, agent_type)
        assert {"read", "read_file"} & set(tools)
        changing = {one for one, tool in tools.items() if tool.mutates}
        assert changing <= ({"bash", "run", "execute_command"} if agent_type != "plan" else set())


def test_a_general_sub_agent_and_an_agent_of_people_have_everything() -> None:
    assert for_agent(OATS, "general") == for_agent(OATS, None) == OATS
    assert set(AGENT_TOOLS) == set(get_args(AgentType))


# --- what is offered ---------------------------------------------------------------------------------------------------


def test_few_tools_are_offered_from_the_start() -> None:
    wanted = {"read", "write", "edit", "glob", "grep", "bash", "todowrite", "question", "plan_enter", "agent", "tool_search"}
    wanted |= {"skill"}
    assert {name for name, tool in OATS.items() if tool.always_load} == wanted
    assert set(deferred(OATS)) == set(OATS) - wanted


def test_without_a_search_nothing_is_held_back() -> None:
    without: dict[str, type[Tool]] = select(Choice("full", {"deferred_tools": False})).among(OATS)
    assert "tool_search" not in without
    assert deferred(without) == ()


def test_a_tool_of_a_teams_own_is_not_let_in_by_its_name() -> None:
    class Search(Tool):
        name = "search"
        description = "Looks for a place, and changes it."

    assert all("search" not in for_agent({"search": Search}, agent_type) for agent_type in ("explore", "plan", "verify"))
    Search.read_only = True
    assert "search" in for_agent({"search": Search}, "plan")
