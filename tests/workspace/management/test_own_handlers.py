"""A team's tool in Alfredo's way, made exactly as the documents show; and the page on a toolset's tools."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agents.tools.registry import ALFREDO
from tests.workspace.management.installing import install
from tests.workspace.management.test_tool_profiles import run


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {"PYTHONPATH": str(install("own-handler", tmp_path / "packages"))}


def test_the_documented_handler_is_listed_and_works(environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "poem.txt").write_text("A rose\nis a rose\n")
    listed = [tool["name"] for tool in json.loads(run("--toolset", "alfredo", "--list", env=environment))]
    assert listed == [*ALFREDO, "number_lines"]
    answers = run(
        "--toolset", "alfredo", "--root", str(tmp_path), "--sandbox", "local", env=environment,
        lines=(
            {"name": "number_lines", "args": {"path": "./poem.txt", "first": "4"}},
            {"name": "number_lines", "args": {"path": "gone.txt"}},
            {"name": "number_lines", "args": {"path": "../poem.txt"}},
            {"name": "number_lines", "args": {}},
            {"name": "number_lines", "args": {"path": "poem.txt"}, "ask": True},
        ),
    )  # fmt: skip
    shown, gone, outside, wrong, asked = map(json.loads, answers.splitlines())
    assert (shown["ok"], shown["title"], shown["output"]) == (True, "number_lines", "4. A rose\n5. is a rose")
    assert "gone.txt cannot be read as text" in gone["error"]
    assert "outside" in outside["error"]
    assert "path: field required" in wrong["error"]
    assert asked["permission"] == "allow"


def test_the_page_on_the_tools_has_the_teams_own_in_the_words_for_a_model(environment: dict[str, str]) -> None:
    generic = run("--toolset", "alfredo", "--descriptions", env=environment)
    newest = run("--toolset", "alfredo", "--descriptions", "--model", "gpt-6-luna", env=environment)
    assert generic.startswith("# Alfredo\n")
    assert [line for line in generic.splitlines() if line.startswith("## ")] == [f"## `{name}`" for name in (*ALFREDO, "number_lines")]
    assert "Show a text file with numbered lines." in generic
    assert "A text file, its lines numbered." in newest
    strict = json.loads(run("--toolset", "alfredo", "--list", "--model", "gpt-4.1"))
    assert strict[0]["parameters"]["required"] == ["path", "offset", "limit", "limit_bytes"]
