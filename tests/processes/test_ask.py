"""`manage.py ask`: a whole session in one process, with nothing else running."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest

from tests.processes.conftest import SCRIPT
from tests.processes.world import ROOT, World

COMMAND = (sys.executable, "manage.py", "ask", "--project", "bookshelf")


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> World:
    """A data folder and nothing that runs on it."""
    alone = World(tmp_path_factory.mktemp("alone"), COUNTERSIGN_SCRIPT=str(SCRIPT))
    alone.manage("migrate", "--verbosity", "0")
    alone.manage("demo")
    return alone


def ask(alone: World, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *arguments], cwd=ROOT, env=alone.environment, capture_output=True, text=True, timeout=60, check=False)


def test_a_session_is_told_as_it_happens_and_ends_with_zero(alone: World) -> None:
    done = ask(alone, "tell a story")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("> tell a story\nOnce there was a log")
    assert done.stderr == ""


def test_every_entry_is_a_line_of_json_where_that_is_wished(alone: World) -> None:
    done = ask(alone, "--json", "--approve", "all", "run the command in asked")
    entries = [json.loads(line) for line in done.stdout.splitlines()]
    kinds = [entry["fact"]["type"] for entry in entries]
    assert done.returncode == 0
    assert [entry["seq"] for entry in entries] == list(range(1, len(entries) + 1))
    assert {"session.opened", "approval.asked", "approval.decided", "tool.finished", "run.finished"} <= set(kinds)
    decided = next(entry for entry in entries if entry["fact"]["type"] == "approval.decided")
    assert decided["by"] == entries[0]["by"]


def test_what_a_person_must_decide_is_left_to_a_person(alone: World) -> None:
    done = ask(alone, "run the command in asked")
    assert done.returncode == 3
    assert "? May it?" in done.stdout
    assert "waits for a person" in done.stderr


@pytest.mark.parametrize(
    "arguments", [("--project", "nope", "x"), ("--user", "nobody", "x"), ("--provider", "nope", "x"), ("--toolset", "nope", "x")]
)
def test_a_question_asked_wrongly_is_refused_in_a_sentence(alone: World, arguments: tuple[str, ...]) -> None:
    done = ask(alone, *arguments)
    assert done.returncode == 2
    assert done.stderr.strip()
    assert "Traceback" not in done.stderr


def test_ctrl_c_stops_the_run_and_says_so(alone: World) -> None:
    with subprocess.Popen(
        [*COMMAND, "tell a story"], cwd=ROOT, env={**alone.environment, "PYTHONUNBUFFERED": "1"}, stdout=subprocess.PIPE
    ) as asked:
        assert asked.stdout is not None
        assert b"tell a story" in asked.stdout.readline()
        os.kill(asked.pid, signal.SIGINT)
        rest = asked.stdout.read()
    assert asked.returncode == 130
    assert b"= stopped" in rest


def test_a_sub_agent_is_carried_to_its_end_too(alone: World) -> None:
    done = ask(alone, "have a story told")
    assert done.returncode == 0, done.stderr
    assert "(general): tell a story" in done.stdout
    assert "It told: Once there was a log" in done.stdout
