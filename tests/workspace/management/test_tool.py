"""`manage.py tool`, as others use it: a process that reads JSON lines and writes them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
Json = dict[str, Any]
Door = Callable[..., list[Json]]


def run(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "manage.py", "tool", *arguments], cwd=ROOT, input=stdin, capture_output=True, check=False)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    root.mkdir()
    (root / "a.txt").write_text("one\ntwo\n")
    return root


@pytest.fixture
def door(root: Path) -> Door:
    """One process that is given these lines; what it answers."""

    def through(*lines: Json | bytes, home: Path | None = None) -> list[Json]:
        raw = b"\n".join(line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines)
        more = ["--home", str(home)] if home else []
        done = run("--root", str(root), "--sandbox", "local", *more, stdin=raw)
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    return through


def test_a_call_gives_one_line_with_all_its_keys(door: Door) -> None:
    (line,) = door({"name": "read", "args": {"file_path": "a.txt"}})
    assert set(line) == {"ok", "title", "output", "error", "metadata", "seconds"}
    assert line["ok"]
    assert line["error"] is None
    assert "1\tone" in line["output"]


def test_what_goes_wrong_is_said_and_the_process_goes_on(door: Door) -> None:
    lines = door(
        {"name": "nope"}, {"name": "read", "args": {"wrong": 1}}, b"no json", b"[1]", b"\xff\xfe", {"name": "read", "args": [1]},
        {"name": "read", "args": {"file_path": "a.txt"}},
    )  # fmt: skip
    assert [line["ok"] for line in lines] == [False] * 6 + [True]
    assert "no tool 'nope'" in lines[0]["error"]
    assert "file_path" in lines[1]["error"]
    assert all("not understood" in line["error"] for line in lines[2:6])


def test_asking_runs_nothing(door: Door, root: Path) -> None:
    asked = door(
        {"name": "write", "args": {"file_path": "q.txt", "content": "x"}, "ask": True},
        {"name": "read", "args": {"file_path": "a.txt"}, "ask": True},
        {"name": "nope", "args": {}, "ask": True},
    )
    assert [line["permission"] for line in asked] == ["ask", "allow", "deny"]
    assert "q.txt" in asked[0]["reason"]
    assert not (root / "q.txt").exists()


def test_sessions_of_one_process_share_memories_but_not_todos(door: Door) -> None:
    todos = [{"content": "Paint it", "status": "pending", "activeForm": "Painting it"}]
    lines = door(
        {"name": "todowrite", "args": {"todos": todos}},
        {"name": "memory_write", "args": {"title": "Sign-in", "content": "uses JWT", "type": "project"}},
        {"name": "todoread"},
        {"name": "todoread", "session": "b"},
        {"name": "memory_read", "args": {"query": "jwt"}, "session": "b"},
    )
    assert "Paint it" in lines[2]["output"]
    assert "Paint it" not in lines[3]["output"]
    assert "uses JWT" in lines[4]["output"]


def test_a_home_keeps_memories_todos_and_the_plan_for_the_next_process(door: Door, tmp_path: Path) -> None:
    home = tmp_path / "home"
    todos = [{"content": "Paint it", "status": "pending", "activeForm": "Painting it"}]
    door(
        {"name": "memory_write", "args": {"title": "Sign-in", "content": "uses JWT", "type": "project"}},
        {"name": "todowrite", "args": {"todos": todos}},
        {"name": "plan_enter", "args": {"reason": "large"}},
        home=home,
    )
    lines = door(
        {"name": "memory_read", "args": {"query": "jwt"}},
        {"name": "todoread"},
        {"name": "write", "args": {"file_path": "b.txt", "content": "x"}},
        home=home,
    )
    assert "uses JWT" in lines[0]["output"]
    assert "Paint it" in lines[1]["output"]
    assert "Plan mode" in lines[2]["error"]


def test_plan_mode_holds_back_changes_until_the_plan_is_approved(door: Door, root: Path) -> None:
    write = {"name": "write", "args": {"file_path": "b.txt", "content": "x"}}
    lines = door(
        {"name": "plan_enter", "args": {"reason": "large", "plan_file": "plan.md"}},
        write,
        {**write, "ask": True},
        {"name": "bash", "args": {"command": "touch c.txt"}},
        {"name": "write", "args": {"file_path": "plan.md", "content": "# Paint it\n"}},
        {"name": "plan_exit", "args": {"summary": "paint"}},
        write,
        {"decision": {"verdict": "changes", "message": "in red"}},
        write,
        {"name": "plan_exit", "args": {"summary": "paint it red"}},
        {"decision": {"verdict": "approved"}},
        write,
    )
    outcome = [line.get("ok", line.get("permission")) for line in lines]
    assert outcome == [True, False, "deny", False, True, True, False, True, False, True, True, True]
    assert "in red" in lines[7]["output"]
    assert (root / "b.txt").exists()
    assert not (root / "c.txt").exists()


def test_an_answer_reaches_the_call_that_waits(door: Door) -> None:
    asked, answered, again = door(
        {"name": "ask_user", "args": {"question": "Which colour?", "options": ["red", "blue"]}},
        {"decision": {"answers": [{"labels": ["red"]}]}},
        {"decision": {"answers": [{"labels": ["blue"]}]}},
    )
    assert asked["metadata"]["awaiting_response"] is True
    assert "red" in answered["output"]
    assert "No question or plan waits" in again["error"]


def test_a_decision_that_makes_no_sense_is_an_error_and_the_question_stays_open(door: Door) -> None:
    lines = door(
        {"name": "ask_user", "args": {"question": "Which colour?", "options": ["red", "blue"]}},
        {"decision": {"answers": "red"}},
        {"decision": {"answers": [{"labels": ["red"]}]}},
    )
    assert [line["ok"] for line in lines] == [True, False, True]


def test_the_list_holds_every_tool_with_its_schema() -> None:
    listed = json.loads(run("--list").stdout)
    names = {tool["name"] for tool in listed}
    assert {"read", "write", "edit", "bash", "grep", "plan_exit", "ask_user"} <= names
    assert all(tool["parameters"]["type"] == "object" and tool["description"] for tool in listed)


def test_a_root_that_is_not_there_is_said_in_a_sentence(tmp_path: Path) -> None:
    done = run("--root", str(tmp_path / "nowhere"))
    assert done.returncode == 1
    assert b"is not a folder" in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_sub_agent_runs_to_its_end_and_in_the_background(door: Door) -> None:
    launched, over, nobody = door(
        {"name": "agent", "args": {"prompt": "hello", "run_in_background": True}},
        {"name": "agent", "args": {"prompt": "hello", "agent_type": "verify"}},
        {"name": "agent_status", "args": {"agent_id": "nobody"}},
    )
    assert launched["ok"]
    assert launched["metadata"]["agent_id"] in launched["output"]
    assert over["title"] == "Agent Result [verify]"
    assert "scripted demo" in over["output"]
    assert not nobody["ok"]
