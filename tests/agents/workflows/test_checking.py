"""Which command runs a project's tests, and what its end says of the work."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agents import events as e
from agents.sandboxes.choose import open_sandbox
from agents.sandboxes.sandbox import SandboxWish
from agents.tools.registry import TOOLSETS
from agents.tools.tool import Tool
from agents.workflows.checking import ARGUMENTS, Check, Place, call_of, check_of, is_lost, verdict_of, was_run

UNITTEST = "import unittest\nclass T(unittest.TestCase):\n    pass\n"


def found(root: Path, files: dict[str, str], barred: str = "") -> Check | None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    sandbox = open_sandbox(SandboxWish(root=str(root), level="local"))
    return check_of(Place(sandbox.files, lambda path: path == barred))


@pytest.mark.parametrize(
    ("files", "command"),
    [
        ({"pyproject.toml": ""}, "pytest -q"),
        ({"setup.py": ""}, "pytest -q"),
        ({"requirements.txt": "flask"}, "pytest -q"),
        ({"test_a.py": "def test_a(): pass"}, "pytest -q"),
        ({"test_a.py": UNITTEST}, "python3 -m unittest -q"),
        ({"tests/__init__.py": "", "tests/test_a.py": UNITTEST, "pyproject.toml": "[project]"}, "python3 -m unittest -q"),
        ({"tests/__init__.py": "", "tests/test_a.py": UNITTEST, "pyproject.toml": "[tool.pytest.ini_options]"}, "pytest -q"),
        ({"test_a.py": UNITTEST, "test_b.py": "def test_b(): pass"}, "pytest -q"),
        ({"test_a.py": UNITTEST, "conftest.py": ""}, "pytest -q"),
        ({"pyproject.toml": "", "tests/test_a.py": UNITTEST}, "pytest -q"),
        ({"package.json": '{"scripts": {"test": "vitest run"}}'}, "npm test"),
        ({"package.json": '{"scripts": {"test": "vitest run"}}', "pnpm-lock.yaml": ""}, "pnpm test"),
        ({"package.json": '{"scripts": {"test": "vitest run"}}', "yarn.lock": ""}, "yarn test"),
        ({"package.json": '{"scripts": {"test": "vitest run"}}', "requirements.txt": "mkdocs"}, "npm test"),
        ({"package.json": '{"scripts": {"test": "vitest run"}}', "requirements.txt": "pytest"}, "pytest -q"),
        ({"package.json": '{"scripts": {"test": "vitest run"}}', "test_a.py": "def test_a(): pass"}, "pytest -q"),
        ({"go.mod": "module a"}, "go test ./..."),
        ({"Cargo.toml": ""}, "cargo test"),
        ({"pom.xml": ""}, "mvn test"),
        ({"pom.xml": "", "mvnw": ""}, "./mvnw test"),
        ({"build.gradle": ""}, "gradle test"),
        ({"build.gradle.kts": "", "gradlew": ""}, "./gradlew test"),
        ({"package.json": '{"scripts": {"test": "echo \\"Error: no test specified\\" && exit 1"}}', "go.mod": ""}, "go test ./..."),
    ],
)
def test_a_project_is_known_by_its_files(tmp_path: Path, files: dict[str, str], command: str) -> None:
    check = found(tmp_path, files)
    assert check is not None
    assert check.command == command


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"scripts": []}', '{"scripts": {"test": 1}}', '{"scripts": {"test": " "}}', "[" * 10_000, "\udcff"]
)
def test_a_package_without_a_test_script_has_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "package.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    assert found(tmp_path, {"README.md": "hello"}) is None


def test_what_a_rule_denies_to_read_tells_nothing(tmp_path: Path) -> None:
    assert found(tmp_path, {"go.mod": ""}, barred="go.mod") is None


def test_links_that_leave_the_workspace_tell_nothing(tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    (tmp_path / "package.json").write_text('{"scripts": {"test": "true"}}')
    (tmp_path / "inside" / "package.json").symlink_to(tmp_path / "package.json")
    assert found(tmp_path / "inside", {}) is None


@pytest.mark.parametrize("name", [name for name, registry in TOOLSETS.items() if set(ARGUMENTS) & set(registry)])
def test_every_toolsets_own_tool_takes_the_command(name: str) -> None:
    call = call_of(TOOLSETS[name].tools, "pytest -q", "c1")
    assert call is not None
    tool: Tool = TOOLSETS[name].tools[call.tool].parse(json.loads(call.arguments))
    assert any("pytest -q" in str(value) for value in tool.arguments().values())


def finished(metadata: dict[str, Any], error: str | None = None) -> e.ToolFinished:
    return e.ToolFinished(call_id="c1", tool="run", title="Run", output="", error=error, metadata=metadata)


@pytest.mark.parametrize(
    ("metadata", "error", "verified", "words"),
    [
        ({"exit_code": 0}, "The command wrote to stderr", True, "passed"),
        ({"exitCode": 0}, None, True, "passed"),
        ({"exit_code": 1}, None, False, "failed with exit code 1"),
        ({"exit_code": 5}, "Command exited with code 5", True, "no tests to run"),
        ({"exit_code": 127}, None, False, "could not be run"),
        ({"exit_code": -1, "timeout": True}, "Command timed out", False, "did not come to its end"),
        ({"exitCode": None}, "killed", False, "did not come to its end"),
    ],
)  # fmt: skip
def test_the_exit_code_decides_and_not_what_came_on_stderr(
    metadata: dict[str, Any], error: str | None, verified: bool, words: str
) -> None:  # fmt: skip
    verdict, text = verdict_of(finished(metadata, error), "pytest -q", {"c1"})
    assert verdict is verified
    assert words in text


def test_five_is_a_failure_where_it_does_not_mean_that_there_are_no_tests() -> None:
    assert verdict_of(finished({"exit_code": 5}), "npm test", {"c1"})[0] is False


def test_what_never_began_was_not_run_and_what_began_without_an_end_is_lost() -> None:
    declined, lost = finished({}, "A person declined this call"), finished({}, "The worker was lost")
    assert not was_run(declined, set())
    assert not is_lost(declined, set())
    assert is_lost(lost, {"c1"})
    assert not was_run(finished({"exit_code": 127}), {"c1"})
    assert was_run(finished({"exit_code": 1}), {"c1"})
