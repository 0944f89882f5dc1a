"""The scripted demo of this toolset: it mends its project with real tools, in its own workflow and in the plain one."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest

from agents import events as e
from agents.host import InMemoryRecorder
from agents.loop import Continue, Done, Outcome, Waiting
from agents.permissions import Rule
from agents.providers.catalog import DEMO_PROJECT, demo_script
from agents.providers.script import load_script
from agents.providers.scripted import ScriptedProvider
from agents.tools.registry import toolset
from agents.workflows import workflow
from tests.agents.toys import asked, results, toy_agent

MOST = 60
"""Steps that the demo may take."""
LOOKS = ["list_code_definition_names", "list_files", "read_file", "read_file", "search_files"]
CHANGES = ["write_todo_list", "ask_followup_question", "replace_in_file", "execute_command", "write_todo_list", "attempt_completion"]
CHECKS = ["read_file", "execute_command"]
EVERYTHING = Rule("*", "*", "allow")
Kind = TypeVar("Kind", bound=e.Fact)


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    return shutil.copytree(DEMO_PROJECT, tmp_path / "shelf-project")


async def played(shelf: Path, way: str, recorder: InMemoryRecorder, *rules: Rule, choice: str = "Raise a ValueError") -> Outcome:
    """The demo until it ends; what it asks is answered."""
    demo = ScriptedProvider(load_script(demo_script("alfredo")), pace=0)
    agent = replace(toy_agent(str(shelf), "- text: unused\n", rules), provider=demo, tools=toolset("alfredo"))
    outcome: Outcome = Continue()
    for _ in range(MOST):
        outcome = await workflow(way).step(agent, recorder.history, recorder)
        if isinstance(outcome, Waiting):
            (question,) = [each for each in facts(recorder, e.QuestionAsked) if each.call_id in outcome.calls]
            answers = (e.Answer(text=choice),)
            recorder.add(e.QuestionAnswered(question_id=question.question_id, call_id=question.call_id, answers=answers), by="alice")
        elif not isinstance(outcome, Continue):
            break
    return outcome


def facts(recorder: InMemoryRecorder, kind: type[Kind]) -> Iterator[Kind]:
    return (entry.fact for entry in recorder.entries if isinstance(entry.fact, kind))


def passes(shelf: Path) -> bool:
    return subprocess.run([sys.executable, "-m", "unittest", "-q"], cwd=shelf, capture_output=True, check=False).returncode == 0


def words(recorder: InMemoryRecorder) -> str:
    return "\n".join(part.text for spoken in facts(recorder, e.AgentSpoke) for part in spoken.parts if isinstance(part, e.Text))


@pytest.mark.parametrize(("choice", "doing"), [("Raise a ValueError", "raise ValueError"), ("Count it as zero", "max(item.quantity, 0)")])
async def test_the_demo_mends_its_project(shelf: Path, choice: str, doing: str) -> None:
    recorder = asked("Fix the failing test, please")
    assert isinstance(await played(shelf, "verified", recorder, EVERYTHING, choice=choice), Done)
    tools = [done.tool for done in results(recorder)]
    assert (sorted(tools[:5]), tools[5:11], tools[11:]) == (LOOKS, CHANGES, CHECKS)
    assert [done.error for done in results(recorder) if done.error] == []
    assert doing in (shelf / "shelf/inventory.py").read_text()
    assert passes(shelf)
    assert [todo.status for todo in recorder.history.todos] == ["completed"] * 4


async def test_in_its_own_workflow_the_work_is_planned_done_and_verified(shelf: Path) -> None:
    recorder = asked("go")
    await played(shelf, "verified", recorder, EVERYTHING)
    assert [phase.phase for phase in facts(recorder, e.PhaseEntered)] == ["plan", "act", "verify"]
    (completion,) = facts(recorder, e.CompletionAttempted)
    assert "all three tests passed" in completion.result
    (verdict,) = facts(recorder, e.VerdictGiven)
    assert verdict.verified


async def test_without_phases_its_own_word_ends_the_work(shelf: Path) -> None:
    recorder = asked("go")
    assert isinstance(await played(shelf, "react", recorder, EVERYTHING), Done)
    assert [done.tool for done in results(recorder)] == CHANGES


async def test_work_that_was_refused_is_not_verified(shelf: Path) -> None:
    recorder = asked("go")
    await played(shelf, "verified", recorder, EVERYTHING, Rule("replace_in_file", "*", "deny"))
    assert "That step did not happen" in words(recorder)
    assert not any(verdict.verified for verdict in list(facts(recorder, e.VerdictGiven))[:1])


async def test_behind_its_end_the_demo_says_so_and_ends_in_order(shelf: Path) -> None:
    recorder = asked("go")
    await played(shelf, "verified", recorder, EVERYTHING)
    recorder.add(e.RunFinished(run_id="r1", outcome="done"))
    recorder.add(e.UserSpoke(message_id="m2", text="And now write me a poem"), by="alice")
    recorder.add(e.RunQueued(run_id="r2"))
    assert isinstance(await played(shelf, "verified", recorder, EVERYTHING), Done)
    assert "its script has ended" in words(recorder)
