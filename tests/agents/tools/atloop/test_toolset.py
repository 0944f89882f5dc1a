"""The toolset as a whole: names as documented, what each may do, and what plan mode and rules hold back."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from agents import events as e
from agents.loop import Waiting, step
from agents.permissions import Rule
from agents.tools.registry import TOOLSETS, toolset
from tests.agents.toys import asked, results, toy_agent

OWN = [
    "read_file", "read_skill_file", "write_file", "append_file", "edit_file", "multi_edit_file", "glob", "run", "search", "skill",
    "todo_read", "todo_write",
]  # fmt: skip
CHANGING = {
    "write_file": {"path": "a.txt", "content": "x"},
    "append_file": {"path": "a.txt", "content": "x"},
    "edit_file": {"path": "a.txt", "content": "<old>one</old><new>two</new>"},
    "multi_edit_file": {"edits": [{"path": "a.txt", "old_string": "one", "new_string": "two"}]},
    "run": {"cmd": "touch b.txt"},
}


def test_its_tools_stand_before_the_shared_ones_and_are_offered_at_once() -> None:
    atloop = TOOLSETS["atloop"]
    assert list(atloop)[: len(OWN)] == OWN
    assert all(atloop.tools[name].always_load for name in OWN)
    assert not {"todowrite", "todoread", "read", "bash"} & set(atloop)
    assert (atloop.title, atloop.workflow) == ("atloop", "phased")


def test_only_what_changes_files_or_runs_commands_is_said_to() -> None:
    assert {name for name in OWN if toolset("atloop")[name].mutates} == set(CHANGING)
    assert {name for name in OWN if not toolset("atloop")[name].read_only} == {*CHANGING, "todo_write"}
    assert {name for name in OWN if toolset("atloop")[name].asks == "ask"} == set(CHANGING)


@pytest.mark.parametrize("name", OWN)
def test_a_model_is_told_what_each_argument_is(name: str) -> None:
    definition = toolset("atloop")[name].definition()
    assert all(rule.get("description") for rule in definition.parameters["properties"].values())
    assert len(definition.description) < 600


def test_arguments_are_named_as_documented() -> None:
    required = {name: set(toolset("atloop")[name].parameters().get("required", ())) for name in OWN}
    assert required == {
        "read_file": {"path"}, "read_skill_file": {"path"}, "write_file": {"path", "content"}, "append_file": {"path", "content"},
        "edit_file": {"path", "content"}, "multi_edit_file": {"edits"}, "glob": {"pattern"}, "run": {"cmd"}, "search": {"query"},
        "skill": {"name"}, "todo_read": set(), "todo_write": {"todos"},
    }  # fmt: skip


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def script(name: str) -> str:
    return json.dumps([{"call": {"tool": name, "args": CHANGING[name], "id": "c1"}}, {"text": "done"}])


async def called(root: Path, name: str, *rules: Rule, planning: bool = False) -> tuple[object, list[e.ToolFinished]]:
    (root / "a.txt").write_text("one\n")
    recorder = asked()
    if planning:
        recorder.add(e.PlanEntered(plan_file=".coder/plan.md", reason="first a plan"))
    agent = replace(toy_agent(str(root), script(name), rules), tools=toolset("atloop"))
    return await step(agent, recorder.history, recorder), results(recorder)


@pytest.mark.parametrize("name", CHANGING)
async def test_people_are_asked_first(name: str, tmp_path: Path) -> None:
    assert await called(tmp_path, name) == (Waiting(("c1",)), [])
    assert names_in(tmp_path) == ["a.txt"]


@pytest.mark.parametrize("name", CHANGING)
async def test_while_a_plan_is_made_nothing_is_changed(name: str, tmp_path: Path) -> None:
    _, (ended,) = await called(tmp_path, name, Rule("*", "*", "allow"), planning=True)
    assert "Plan mode is on" in str(ended.error)
    assert (tmp_path / "a.txt").read_text() == "one\n"


@pytest.mark.parametrize(("name", "other"), [("write_file", "write"), ("edit_file", "edit"), ("multi_edit_file", "edit"), ("run", "bash")])
async def test_what_a_rule_denies_to_its_like_elsewhere_is_denied(name: str, other: str, tmp_path: Path) -> None:
    pattern = "touch *" if name == "run" else "a.*"
    _, (ended,) = await called(tmp_path, name, Rule("*", "*", "allow"), Rule(other, pattern, "deny"))
    assert "not permitted" in str(ended.error)
    assert (tmp_path / "a.txt").read_text() == "one\n"
