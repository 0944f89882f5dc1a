"""`manage.py tool` and skills: a person's own, a project's, and those that ship with us."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.workspace.management.test_tool import run


def skill(description: str) -> str:
    return f"---\nname: debugging\ndescription: {description}\n---\n{description}\n"


def put(folder: Path, description: str) -> None:
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(skill(description))


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COUNTERSIGN_SKILLS", str(tmp_path / "person"))
    (tmp_path / "root").mkdir()
    return tmp_path / "root"


def told(root: Path, toolset: str) -> str:
    done = run("--root", str(root), "--sandbox", "local", "--toolset", toolset, stdin=b'{"name": "skill", "args": {"name": "debugging"}}')
    assert done.returncode == 0, done.stderr
    return str(json.loads(done.stdout)["output"]).partition("\n")[0]


@pytest.mark.parametrize("toolset", ["oats", "agent_loop"])
def test_the_nearer_skill_counts(root: Path, tmp_path: Path, toolset: str) -> None:
    assert told(root, toolset) == "# Skill: debugging (from builtin)"
    put(tmp_path / "person/any", "A person's.")
    assert told(root, toolset) == "# Skill: debugging (from user)"
    put(root / ".claude/skills/any", "A project's.")
    assert told(root, toolset) == "# Skill: debugging (from project)"
