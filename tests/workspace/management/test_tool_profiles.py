"""Which tools `manage.py tool` has: by profile, by the environment, and a team's own, made exactly as the documents show."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from agents.tools.registry import toolset
from tests.workspace.management.installing import install

ROOT = Path(__file__).resolve().parents[3]
OATS = toolset("oats")


def run(*arguments: str, lines: Sequence[dict[str, Any]] = (), env: Mapping[str, str] | None = None) -> str:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("CODER_", "DJANGO_SETTINGS_MODULE"))}
    done = subprocess.run(
        [sys.executable, "manage.py", "tool", "--toolset", "oats", *arguments],
        cwd=ROOT, input="\n".join(map(json.dumps, lines)), env={**inherited, **(env or {})}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def listed(*arguments: str, **environment: str) -> list[str]:
    return [tool["name"] for tool in json.loads(run("--list", *arguments, env=environment))]


def groups(names: list[str]) -> set[str]:
    return {OATS[name].group for name in names}


def test_by_hand_there_are_all_tools_unless_somebody_chooses() -> None:
    assert listed() == list(OATS)


def test_a_profile_may_be_named() -> None:
    assert groups(listed("--profile", "minimal")) == {"core_tools", "deferred_tools"}


def test_the_environment_chooses_and_the_command_line_goes_first() -> None:
    assert groups(listed(CODER_PROFILE=" Minimal ", CODER_FEATURE_MEMORY="YES")) == {"core_tools", "deferred_tools", "memory"}
    assert "memory_read" not in listed(CODER_FEATURE_MEMORY="")
    assert groups(listed(CODER_FEATURE_LSP="1")) == {
        "core_tools", "deferred_tools", "web_tools", "planning", "memory", "agents", "lsp",
    }  # fmt: skip
    assert listed("--profile", "full", CODER_PROFILE="minimal") == list(OATS)


def test_a_call_finds_only_the_tools_of_the_profile(tmp_path: Path) -> None:
    call = {"name": "memory_read"}
    answers = [json.loads(run("--root", str(tmp_path), *more, lines=(call,))) for more in ((), ("--profile", "minimal"))]
    assert [answer["ok"] for answer in answers] == [True, False]
    assert "no tool 'memory_read'" in answers[1]["error"]


def test_the_search_works_by_hand(tmp_path: Path) -> None:
    answer = json.loads(run("--root", str(tmp_path), lines=({"name": "find_tool", "args": {"query": "select:multiedit"}},)))
    assert answer["metadata"]["matched_tool_names"] == ["multiedit"]


# --- the documented example --------------------------------------------------------------------------------------------


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder of installed packages with the documented example in it, as an installer leaves it."""
    return install("own-tool", tmp_path / "packages")


def test_the_documented_tool_is_listed_and_works(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "poem.txt").write_text("A rose is a rose is a rose.\n")
    assert listed(PYTHONPATH=str(installed)) == [*OATS, "count_words"]
    answers = run(
        "--root", str(tmp_path), "--sandbox", "local", env={"PYTHONPATH": str(installed)},
        lines=(
            {"name": "count_words", "args": {"file_path": "poem.txt", "most": 1}},
            {"name": "count_words", "args": {"file_path": "gone.txt"}},
            {"name": "count_words", "args": {"file_path": "poem.txt", "most": -1}},
            {"name": "count_words", "args": {"file_path": "poem.txt"}, "ask": True},
            {"name": "tool_search", "args": {"query": "how many words has a text"}},
        ),
    )  # fmt: skip
    counted, gone, wrong, asked, found = map(json.loads, answers.splitlines())
    assert counted["output"] == "poem.txt: 8 words, 3 different.\n3  a"
    assert "gone.txt cannot be read as text" in gone["error"]
    assert "most" in wrong["error"]
    assert asked["permission"] == "allow"
    assert found["metadata"]["matched_tool_names"][0] == "count_words"


def test_the_documented_tool_goes_with_its_own_group(installed: Path) -> None:
    assert "count_words" in listed("--profile", "minimal", PYTHONPATH=str(installed))
    assert "count_words" not in listed(PYTHONPATH=str(installed), CODER_FEATURE_OFFICE="0")


def test_a_broken_tool_is_named_by_the_checks_and_nothing_else_breaks(installed: Path) -> None:
    (installed / "office_tools.py").write_text("raise RuntimeError('the office is closed')\n")
    assert listed(PYTHONPATH=str(installed)) == list(OATS)
    checked = subprocess.run(
        [sys.executable, "manage.py", "check"], cwd=ROOT, env=os.environ | {"PYTHONPATH": str(installed)}, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert "countersign.W007" in checked.stderr
    assert "The tool 'count_words' (office_tools:CountWords) is left out. It cannot be imported: RuntimeError: the office is closed." in (
        checked.stderr
    )
