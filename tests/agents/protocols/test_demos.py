"""The demos of toolsets, played by a model that has no function calling: real tools, real workflows, calls in words."""

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
from agents.protocols import spoken
from agents.providers.catalog import DEMO_PROJECT, demo_script
from agents.providers.script import parse_script
from agents.providers.scripted import ScriptedProvider
from agents.tools.registry import TOOLSETS, toolset
from agents.workflows import workflow
from tests.agents.protocols.words import in_words
from tests.agents.toys import asked, results, toy_agent

MOST = 80
"""Steps that a demo may take."""


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    return shutil.copytree(DEMO_PROJECT, tmp_path / "shelf-project")


async def played(shelf: Path, name: str, protocol: str, recorder: InMemoryRecorder) -> Outcome:
    demo = ScriptedProvider(parse_script(in_words(demo_script(name), protocol)), pace=0)
    agent = toy_agent(str(shelf), "- text: unused\n", (Rule("*", "*", "allow"),))
    agent = replace(agent, provider=spoken(demo, protocol), tools=toolset(name))
    outcome: Outcome = Continue()
    for _ in range(MOST):
        outcome = await workflow(TOOLSETS[name].workflow).step(agent, recorder.history, recorder)
        if isinstance(outcome, Waiting):
            answer(recorder)
        elif not isinstance(outcome, Continue):
            break
    return outcome


def answer(recorder: InMemoryRecorder) -> None:
    question = next(entry.fact for entry in reversed(recorder.entries) if isinstance(entry.fact, e.QuestionAsked))
    answers = (e.Answer(text="Count it as zero"),)
    recorder.add(e.QuestionAnswered(question_id=question.question_id, call_id=question.call_id, answers=answers), by="alice")


def passes(shelf: Path) -> bool:
    return subprocess.run([sys.executable, "-m", "unittest", "-q"], cwd=shelf, capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize(("name", "protocol"), [("atloop", "json"), ("alfredo", "xml"), ("atloop", "xml"), ("alfredo", "json")])
async def test_a_demo_mends_its_project_in_words(shelf: Path, name: str, protocol: str) -> None:
    recorder = asked("Fix the failing test, please")
    assert isinstance(await played(shelf, name, protocol, recorder), Done)
    assert [entry.fact for entry in recorder.entries if isinstance(entry.fact, e.ReplyRefused)] == []
    assert [done.error for done in results(recorder) if done.error] == []
    verdicts = [entry.fact.verified for entry in recorder.entries if isinstance(entry.fact, e.VerdictGiven)]
    assert verdicts == [True]
    assert passes(shelf)
