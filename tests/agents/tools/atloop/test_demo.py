"""The scripted demo of this toolset: it mends its project with real tools, in its own workflow and in the plain one."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from agents import events as e
from agents.host import InMemoryRecorder
from agents.loop import Continue, Done, Outcome
from agents.permissions import Rule
from agents.providers.catalog import DEMO_PROJECT, demo_script
from agents.providers.script import load_script
from agents.providers.scripted import ScriptedProvider
from agents.tools.registry import toolset
from agents.workflows import workflow
from tests.agents.toys import asked, results, toy_agent

MOST = 60
"""Steps that the demo may take."""
LOOKS = ["glob", "search", "read_file", "read_file"]
CHANGES = ["todo_write", "edit_file", "run", "todo_write"]


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    return shutil.copytree(DEMO_PROJECT, tmp_path / "shelf-project")


async def played(shelf: Path, way: str, recorder: InMemoryRecorder, *rules: Rule) -> Outcome:
    demo = ScriptedProvider(load_script(demo_script("atloop")), pace=0)
    agent = replace(toy_agent(str(shelf), "- text: unused\n", rules), provider=demo, tools=toolset("atloop"))
    outcome: Outcome = Continue()
    for _ in range(MOST):
        outcome = await workflow(way).step(agent, recorder.history, recorder)
        if not isinstance(outcome, Continue):
            break
    return outcome


def passes(shelf: Path) -> bool:
    return subprocess.run([sys.executable, "-m", "unittest", "-q"], cwd=shelf, capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("way", ["phased", "react"])
async def test_the_demo_mends_its_project(shelf: Path, way: str) -> None:
    recorder = asked("Fix the failing test, please")
    assert isinstance(await played(shelf, way, recorder, Rule("*", "*", "allow")), Done)
    tools = [done.tool for done in results(recorder)]
    assert (sorted(tools[: len(LOOKS)]), tools[len(LOOKS) :]) == (sorted(LOOKS), CHANGES)
    assert [done.error for done in results(recorder) if done.error] == []
    assert passes(shelf)
    assert [todo.status for todo in recorder.history.todos] == ["completed"] * 3
    assert "- [x] See the tests pass" in (shelf / "TODO.md").read_text()


async def test_in_its_own_workflow_the_tests_are_run_for_it(shelf: Path) -> None:
    recorder = asked("go")
    await played(shelf, "phased", recorder, Rule("*", "*", "allow"))
    (verdict,) = (entry.fact for entry in recorder.entries if isinstance(entry.fact, e.VerdictGiven))
    assert verdict.verified
    made = [entry.fact for entry in recorder.entries if isinstance(entry.fact, e.AgentSpoke) and not entry.fact.provider]
    assert [part.tool for spoken in made for part in spoken.parts if isinstance(part, e.Call)] == ["run"]


async def test_a_refused_step_ends_honestly(shelf: Path) -> None:
    recorder = asked("go")
    await played(shelf, "react", recorder, Rule("*", "*", "allow"), Rule("edit_file", "*", "deny"))
    spoken = [entry.fact for entry in recorder.entries if isinstance(entry.fact, e.AgentSpoke)][-1]
    words = "".join(part.text for part in spoken.parts if isinstance(part, e.Text))
    assert "That step did not happen" in words
    assert "item.quantity" not in (shelf / "shelf/inventory.py").read_text()


async def test_tests_that_still_fail_are_not_passed_over(shelf: Path) -> None:
    test = shelf / "tests/test_inventory.py"
    test.write_text(test.read_text().replace("450 + 4 * 300", "1"))
    recorder = asked("go")
    await played(shelf, "react", recorder, Rule("*", "*", "allow"))
    spoken = [entry.fact for entry in recorder.entries if isinstance(entry.fact, e.AgentSpoke)][-1]
    assert "The tests do not pass" in "".join(part.text for part in spoken.parts if isinstance(part, e.Text))


async def test_a_greeting_begins_nothing(shelf: Path) -> None:
    recorder = asked("Hello there!")
    assert isinstance(await played(shelf, "react", recorder), Done)
    assert results(recorder) == []
