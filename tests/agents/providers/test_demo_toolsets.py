"""The demo scripts of Atomic and agent_loop: they mend their project with real tools, and ask people on their way."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from agents import events as e
from agents.host import InMemoryRecorder
from agents.loop import Continue, Done, Outcome, Waiting
from agents.permissions import Rule
from agents.providers.catalog import DEMO_PROJECT, demo_script
from agents.providers.script import load_script
from agents.providers.scripted import ScriptedProvider
from agents.skills.sources import builtin
from agents.tools.reach import Reach
from agents.tools.registry import TOOLSETS, toolset
from agents.workflows import workflow
from tests.agents.toys import asked, results, toy_agent

MOST = 60
"""Steps that a demo may take."""
TOOLS = {
    "atomic": ["find", "read", "search", "skill", "ask_user", "read", "edit", "bash", "memory_write"],
    "agent_loop": [
        "find", "grep", "ls", "read", "read", "calculate", "calculate", "ask_user", "edit", "get_current_time", "grep", "memory_write",
    ],
}  # fmt: skip
EVERYTHING = Rule("*", "*", "allow")


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    return shutil.copytree(DEMO_PROJECT, tmp_path / "shelf-project")


async def played(name: str, shelf: Path, recorder: InMemoryRecorder, choice: str, *rules: Rule) -> Outcome:
    """To its end, with this answer to whatever it asks."""
    demo = ScriptedProvider(load_script(demo_script(name)), pace=0)
    agent = toy_agent(str(shelf), "- text: unused\n", rules)
    agent = replace(agent, provider=demo, tools=toolset(name), reach=Reach(skills=builtin()))
    outcome: Outcome = Continue()
    for _ in range(MOST):
        outcome = await workflow(TOOLSETS[name].workflow).step(agent, recorder.history, recorder)
        if isinstance(outcome, Waiting):
            answer(recorder, choice)
        elif not isinstance(outcome, Continue):
            break
    return outcome


def answer(recorder: InMemoryRecorder, choice: str) -> None:
    question = next(entry.fact for entry in reversed(recorder.entries) if isinstance(entry.fact, e.QuestionAsked))
    assert choice in [option.label for option in question.questions[0].options]
    chosen = (e.Answer(labels=(choice,)),)
    recorder.add(e.QuestionAnswered(question_id=question.question_id, call_id=question.call_id, answers=chosen), by="alice")


def passes(shelf: Path) -> bool:
    return subprocess.run([sys.executable, "-m", "unittest", "-q"], cwd=shelf, capture_output=True, check=False).returncode == 0


def last_words(recorder: InMemoryRecorder) -> str:
    spoken = [entry.fact for entry in recorder.entries if isinstance(entry.fact, e.AgentSpoke)][-1]
    return "".join(part.text for part in spoken.parts if isinstance(part, e.Text))


@pytest.mark.parametrize("name", TOOLS)
@pytest.mark.parametrize(("choice", "doing"), [("Raise a ValueError", "raise ValueError"), ("Count it as zero", "max(item.quantity, 0)")])
async def test_the_demo_mends_its_project(name: str, shelf: Path, choice: str, doing: str) -> None:
    recorder = asked("Fix the failing test, please")
    assert not passes(shelf)
    assert isinstance(await played(name, shelf, recorder, choice, EVERYTHING), Done)
    assert [done.error for done in results(recorder) if done.error] == []
    rounds = [[part.tool for part in fact.parts if isinstance(part, e.Call)] for fact in spoken(recorder)]
    assert [tool for calls in rounds for tool in sorted(calls)] == TOOLS[name]
    assert doing in (shelf / "shelf/inventory.py").read_text()
    assert passes(shelf)
    assert "## Done" in last_words(recorder)


def spoken(recorder: InMemoryRecorder) -> list[e.AgentSpoke]:
    return [entry.fact for entry in recorder.entries if isinstance(entry.fact, e.AgentSpoke)]


async def test_the_demo_of_few_rounds_keeps_within_them(shelf: Path) -> None:
    recorder = asked()
    await played("agent_loop", shelf, recorder, "Count it as zero", EVERYTHING)
    calling = [reply for reply in spoken(recorder) if reply.finish == "calls"]
    assert len(calling) <= (TOOLSETS["agent_loop"].rounds or 0)


@pytest.mark.parametrize("name", TOOLS)
async def test_a_refused_change_ends_honestly(name: str, shelf: Path) -> None:
    recorder = asked()
    await played(name, shelf, recorder, "Count it as zero", EVERYTHING, Rule("edit", "*", "deny"))
    assert "That step did not happen" in last_words(recorder)
    assert not passes(shelf)


@pytest.mark.parametrize("name", TOOLS)
async def test_a_greeting_begins_nothing(name: str, shelf: Path) -> None:
    recorder = asked("Hello there!")
    assert isinstance(await played(name, shelf, recorder, ""), Done)
    assert results(recorder) == []
    assert "scripted demo" in last_words(recorder)


@pytest.mark.parametrize(
    ("name", "tools", "said"),
    [
        ("agent_loop_v1", [], "no tools at all"),
        ("agent_loop_v2", ["calculate", "calculate", "get_current_time"], "900 cents short"),
        ("agent_loop_v3", ["find", "grep", "ls", "read", "read", "edit", "edit"], "## Done"),
    ],
)
async def test_a_smaller_set_has_a_demo_of_what_it_can(name: str, shelf: Path, tools: list[str], said: str) -> None:
    recorder = asked("Fix the failing test, please")
    assert isinstance(await played(name, shelf, recorder, "", EVERYTHING), Done)
    assert [done.error for done in results(recorder) if done.error] == []
    rounds = [[part.tool for part in fact.parts if isinstance(part, e.Call)] for fact in spoken(recorder)]
    assert [tool for calls in rounds for tool in sorted(calls)] == tools
    assert said in last_words(recorder)
    assert passes(shelf) is ("edit" in tools)
