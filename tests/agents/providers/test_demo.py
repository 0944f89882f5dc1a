from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from agents.events import Call, PlanReviewed, Text
from agents.providers.catalog import DEMO_PROJECT, DEMO_SCRIPT
from agents.providers.provider import AssistantMessage, ToolMessage, Transcript, UserMessage
from agents.providers.script import load_script
from agents.providers.scripted import ScriptedProvider
from agents.tools.oats.plans import approved, changes_asked
from tests.agents.providers.replies import ended, said


@pytest.fixture
def demo() -> ScriptedProvider:
    """The demo at full speed."""
    return ScriptedProvider(load_script(str(DEMO_SCRIPT)), pace=0)


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    return shutil.copytree(DEMO_PROJECT, tmp_path / "shelf-project")


APPROVED = approved(PlanReviewed(revision=1, hash="h", verdict="approved", message="No changes requested."))


def changes(words: str) -> str:
    return changes_asked(PlanReviewed(revision=1, hash="h", verdict="changes", message=words), ".coder/plan.md")


class Room:
    """Stands in for the tools and the people: does the edits, runs the tests, decides as told."""

    def __init__(self, root: Path, *, reviews: tuple[str, ...], choice: str) -> None:
        self.root, self.reviews, self.choice = root, iter(reviews), choice

    def result(self, call: Call) -> str:
        args = json.loads(call.arguments)
        match call.tool:
            case "write":
                self._path(args).parent.mkdir(exist_ok=True)
                self._path(args).write_text(args["content"])
            case "edit":
                before = self._path(args).read_text()
                assert before.count(args["old_string"]) == 1
                self._path(args).write_text(before.replace(args["old_string"], args["new_string"]))
            case "bash":
                subprocess.run([sys.executable, "-m", "unittest", "-q"], cwd=self.root, check=True, capture_output=True)
        return {"plan_exit": lambda: next(self.reviews), "ask_user": lambda: f"What then?\n→ {self.choice}"}.get(call.tool, lambda: "ok")()

    def _path(self, args: dict[str, str]) -> Path:
        return self.root / args["file_path"]


async def step(demo: ScriptedProvider, transcript: Transcript, room: Room) -> list[Call]:
    """One reply and the results of its calls."""
    reply = await ended(demo, transcript)
    calls = [part for part in reply.parts if isinstance(part, Call)]
    transcript.append(AssistantMessage(reply.parts))
    for call in calls:
        transcript.append(ToolMessage(call.call_id, call.tool, room.result(call)))
    return calls


async def play(demo: ScriptedProvider, transcript: Transcript, room: Room) -> list[Call]:
    """The demo from here to a reply without calls."""
    made: list[Call] = []
    while calls := await step(demo, transcript, room):
        made += calls
    return made


@pytest.mark.parametrize(("choice", "doing"), [("Raise a ValueError", "raise ValueError"), ("Count it as zero", "max(item.quantity, 0)")])
async def test_the_demo_mends_its_project(demo: ScriptedProvider, shelf: Path, choice: str, doing: str) -> None:
    transcript = said("Fix the failing test, please")
    made = await play(demo, transcript, Room(shelf, reviews=(APPROVED,), choice=choice))
    assert [call.tool for call in made] == [
        "glob", "read", "read", "todowrite", "plan_enter", "write", "plan_exit", "ask_user", "edit", "bash", "memory_write", "todowrite",
    ]  # fmt: skip
    assert doing in (shelf / "shelf/inventory.py").read_text()
    closing = transcript.messages[-1]
    assert isinstance(closing, AssistantMessage)
    assert isinstance(closing.parts[0], Text)
    assert "```python" in closing.parts[0].text


async def test_the_reviewers_words_go_into_the_plan(demo: ScriptedProvider, shelf: Path) -> None:
    reviews = (changes("name the risk"), changes("and be brief"), APPROVED)
    await play(demo, said("go"), Room(shelf, reviews=reviews, choice="Raise a ValueError"))
    plan = (shelf / ".coder/plan.md").read_text()
    assert "name the risk" in plan
    assert "and be brief" in plan
    assert "Plan mode stays on" not in plan


async def test_behind_its_end_the_demo_says_how_to_add_a_key(demo: ScriptedProvider, shelf: Path) -> None:
    transcript = said("go")
    await play(demo, transcript, Room(shelf, reviews=(APPROVED,), choice="Raise a ValueError"))
    transcript.append(UserMessage("And now write me a poem"))
    reply = await ended(demo, transcript)
    assert "provider key" in str(reply.parts[0])


async def test_a_greeting_is_answered_without_beginning_the_work(demo: ScriptedProvider) -> None:
    for greeting in ("hi", "Hello there!", "Hey, good morning"):
        reply = await ended(demo, said(greeting))
        assert reply.finish == "stop"
        assert "scripted demo" in str(reply.parts[0])
    assert (await ended(demo, said("History of this file?"))).finish == "calls"


async def test_a_refused_step_ends_honestly_and_the_next_message_goes_on(demo: ScriptedProvider, shelf: Path) -> None:
    transcript = said("go")
    room = Room(shelf, reviews=(APPROVED,), choice="Raise a ValueError")
    for _ in range(6):
        await step(demo, transcript, room)
    reply = await ended(demo, transcript)
    edit = reply.parts[-1]
    assert isinstance(edit, Call)
    assert edit.tool == "edit"
    transcript.append(AssistantMessage(reply.parts))
    transcript.append(ToolMessage(edit.call_id, "edit", "Error: declined by Alice", failed=True))
    refused = await ended(demo, transcript)
    assert refused.finish == "stop"
    assert "declined by Alice" in str(refused.parts[0])
    transcript.append(AssistantMessage(refused.parts))
    transcript.append(UserMessage("go on"))
    assert [part.tool for part in (await ended(demo, transcript)).parts if isinstance(part, Call)] == ["bash"]


def test_the_demo_project_has_one_failing_test(shelf: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "unittest", "-q"], cwd=shelf, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "Ran 3 tests" in done.stderr
    assert "failures=1" in done.stderr
