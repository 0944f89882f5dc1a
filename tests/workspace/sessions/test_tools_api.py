"""Which tools agents have, as the API tells it, and how a project chooses."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from agents.protocols import PROTOCOLS
from agents.tools.profiles import GROUPS, PROFILES
from agents.tools.registry import ATOMIC, TOOLSETS, toolset
from agents.workflows import WORKFLOWS
from tests.workspace.sessions.api import Api
from workspace.connections.models import McpServer
from workspace.projects.models import Project

OATS = toolset("oats")


def names(rows: list[dict[str, Any]]) -> list[str]:
    return [row["name"] for row in rows]


def group(answer: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(row for row in answer["groups"] if row["name"] == name)
    return found


@pytest.fixture
def tools_at(project: Project) -> str:
    return f"projects/{project.public_id}/tools/"


def test_every_toolset_is_told_with_its_profiles_groups_and_tools(as_bob: Api) -> None:
    oats, atomic, *_ = as_bob.get("toolsets/")
    assert (oats["name"], atomic["name"]) == ("oats", "atomic")
    assert names(atomic["tools"]) == list(ATOMIC)
    assert oats["about"] != atomic["about"] != ""
    assert names(oats["tools"]) == list(OATS)
    assert names(oats["profiles"]) == list(PROFILES)
    assert names(oats["groups"]) == list(GROUPS)
    assert oats["profiles"][2]["tools"] == list(OATS)
    assert "webfetch" not in oats["profiles"][0]["tools"]
    bash = next(row for row in oats["tools"] if row["name"] == "bash")
    assert bash == {
        "name": "bash", "description": OATS["bash"].description, "parameters": OATS["bash"].parameters(),
        "aliases": list(OATS["bash"].aliases), "keywords": list(OATS["bash"].keywords), "group": "core_tools", "always_load": True,
        "strict": True, "read_only": False, "asks": "ask",
    }  # fmt: skip


def test_toolsets_are_told_in_brief_for_those_who_choose_one(as_bob: Api) -> None:
    whole, brief = as_bob.get("toolsets/"), as_bob.get("toolsets/brief/")
    told = ("name", "title", "about", "workflow", "part_of")
    assert brief == [{**{field: one[field] for field in told}, "tools": len(one["tools"])} for one in whole]
    oats = brief[0]
    assert (oats["name"], oats["title"], oats["workflow"], oats["part_of"]) == ("oats", "OATS", "react", "")
    assert {one["part_of"] for one in brief} - {""} <= {one["name"] for one in brief}


def test_every_workflow_is_told_with_its_phases(as_bob: Api) -> None:
    told = as_bob.get("workflows/")
    assert names(told) == list(WORKFLOWS)
    assert {one["workflow"] for one in as_bob.get("toolsets/brief/")} <= set(names(told))
    react = told[names(told).index("react")]
    assert react == {"name": "react", "title": WORKFLOWS["react"].title, "about": WORKFLOWS["react"].about, "phases": []}
    assert all(one["title"] and one["about"] for one in told)


def test_every_protocol_is_told_with_what_it_is_for(as_bob: Api) -> None:
    told = as_bob.get("protocols/")
    assert names(told) == list(PROTOCOLS)
    assert told[0] == {"name": "native", "title": PROTOCOLS["native"].title, "about": PROTOCOLS["native"].about}


@pytest.mark.parametrize("address", ["toolsets/brief/", "workflows/", "protocols/"])
def test_choices_are_told_to_those_who_are_signed_in(client: Client, address: str) -> None:
    assert client.get(f"/api/{address}").status_code == 401


def test_a_project_that_chose_nothing_has_the_standard(as_bob: Api, tools_at: str) -> None:
    answer = as_bob.get(tools_at)
    assert (answer["profile"], answer["chosen_profile"]) == ("standard", "")
    assert {row["name"]: row["on"] for row in answer["groups"]} == {
        "core_tools": True, "deferred_tools": True, "web_tools": True, "planning": True, "memory": True, "agents": True, "lsp": False,
        "mcp": False,
    }  # fmt: skip
    assert {row["name"] for row in answer["groups"] if row["locked"]} == {"core_tools"}
    offered = {row["name"]: (row["group"], row["origin"], row["offered"]) for row in answer["tools"]}
    assert offered["read"] == ("core_tools", "oats", "always")
    assert offered["multiedit"] == ("core_tools", "oats", "searched")
    assert "memory_write" in group(answer, "memory")["tools"]


def test_the_installations_choice_holds_until_the_project_has_its_own(
    as_alice: Api, settings: Settings, project: Project, tools_at: str
) -> None:
    settings.TOOL_PROFILE = "minimal"
    assert as_alice.get(tools_at)["profile"] == "minimal"
    changed = as_alice.send("patch", f"projects/{project.public_id}/", {"profile": "custom", "features": {"web_tools": True}})
    assert (changed["profile"], changed["features"]) == ("custom", {"web_tools": True})
    answer = as_alice.get(tools_at)
    assert (answer["profile"], answer["chosen_profile"]) == ("custom", "custom")
    assert group(answer, "web_tools")["on"]
    as_alice.send("patch", f"projects/{project.public_id}/", {"profile": "", "features": {}})
    assert as_alice.get(tools_at)["profile"] == "minimal"


def test_what_the_operator_switched_off_stays_off_and_says_so(as_alice: Api, settings: Settings, project: Project, tools_at: str) -> None:
    settings.TOOL_FEATURES = {"memory": False}
    as_alice.send("patch", f"projects/{project.public_id}/", {"profile": "full", "features": {"memory": True}})
    answer = as_alice.get(tools_at)
    assert group(answer, "memory") == {**group(answer, "memory"), "on": False, "locked": True}
    assert "memory_write" not in names(answer["tools"])


def test_without_the_search_everything_is_offered(as_alice: Api, project: Project, tools_at: str) -> None:
    as_alice.send("patch", f"projects/{project.public_id}/", {"features": {"deferred_tools": False}})
    assert {row["offered"] for row in as_alice.get(tools_at)["tools"]} == {"always"}


def test_what_a_server_lends_is_told_with_its_name(as_bob: Api, project: Project, tools_at: str) -> None:
    lent = {"name": "look_up", "description": "Look up a word.", "schema": {"type": "object"}, "read_only": True}
    McpServer.objects.create(team=project.team, project=project, name="words", transport="stdio", command=["x"], tools=[lent])
    assert group(as_bob.get(tools_at), "mcp")["tools"][-1] == "mcp__words__look_up"
    Project.objects.filter(pk=project.pk).update(profile="full")
    row = as_bob.get(tools_at)["tools"][-1]
    assert (row["name"], row["origin"], row["offered"]) == ("mcp__words__look_up", "mcp:words", "searched")


@pytest.mark.parametrize(
    ("change", "field", "said"),
    [
        ({"profile": "huge"}, "profile", "huge is no profile. Profiles: minimal, standard, full, custom"),
        ({"profile": 3}, "profile", "3 is no profile"),
        ({"features": {"wings": True}}, "features", "There is no feature group 'wings'. Groups: deferred_tools, web_tools"),
        ({"features": {"core_tools": False}}, "features", "core_tools cannot be switched off"),
        ({"features": {"memory": "perhaps"}}, "features", "boolean"),
        ({"features": ["memory"]}, "features", "dictionary"),
    ],
)
def test_a_choice_that_makes_no_sense_names_the_field_and_the_choices(
    as_alice: Api, project: Project, change: dict[str, Any], field: str, said: str
) -> None:
    problem = as_alice.send("patch", f"projects/{project.public_id}/", change, 400)
    assert list(problem["fields"]) == [field]
    assert said in problem["detail"]
    project.refresh_from_db()
    assert (project.profile, project.features) == ("", {})


@pytest.mark.parametrize("name", TOOLSETS)
def test_every_toolset_has_a_page_to_keep(as_bob: Api, name: str) -> None:
    answer = as_bob.client.get(f"/api/toolsets/{name}/descriptions/")
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/markdown; charset=utf-8")
    assert answer["Content-Disposition"] == f'attachment; filename="{name}-tools.md"'
    text = answer.content.decode()
    assert text.startswith(f"# {TOOLSETS[name].title}\n")
    for tool in TOOLSETS[name].list():
        assert f"\n## `{tool.name}`\n" in text
        assert all(f"\n| `{parameter}` | " in text for parameter in tool.parameters()["properties"])


def test_the_page_may_be_as_one_model_is_told(as_bob: Api) -> None:
    pages = [as_bob.client.get("/api/toolsets/alfredo/descriptions/", {"model": model}).content.decode() for model in ("", "gpt-5")]
    assert len(pages[1]) < len(pages[0])
    assert "As the model `gpt-5` is told of them." in pages[1]


def test_there_is_no_page_on_a_toolset_that_is_none_nor_for_nobody(as_bob: Api) -> None:
    assert "no toolset 'nosuch'" in str(as_bob.get("toolsets/nosuch/descriptions/", 404))
    assert Client().get("/api/toolsets/oats/descriptions/").status_code in (401, 403)
