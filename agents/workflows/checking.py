"""Which command runs a project's own tests, and what its end says."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from agents import events as e
from agents.errors import PathRefused
from agents.sandboxes.sandbox import Files
from agents.tools.tool import Tool

LARGEST = 256 * 1024
"""Bytes of a file that are looked at."""
MOST_FILES = 50
"""Of a project's tests that are looked at."""
PYTHON = ("pyproject.toml", "setup.py", "setup.cfg", "pytest.ini", "tox.ini", "requirements.txt", "Pipfile", "manage.py")
PYTEST = ("pytest.ini", ".pytest.ini", "conftest.py", "tests/conftest.py", "test/conftest.py")
MAY_NAME_PYTEST = ("pyproject.toml", "setup.cfg", "tox.ini", "requirements.txt", "requirements-dev.txt", "dev-requirements.txt", "Pipfile")
NO_TESTS = 5
"""The exit code of pytest, and of unittest since Python 3.12, where there is nothing to run."""
NOT_RUN = (126, 127)
"""Exit codes of a shell that could not run the command."""
ARGUMENTS: Mapping[str, Mapping[str, Any]] = {
    "run": {"cmd": "{command} 2>&1", "timeout_sec": 1800},
    "execute_command": {"command": "{command}", "timeout": 600},
    "bash": {"command": "{command}", "timeout": 600},
}
"""What a command is given to each tool that runs one. `run` takes words on stderr for a failure, and many test runners write there."""


@dataclass(frozen=True)
class Check:
    """A project's tests: what kind of project it is, and the command that runs them."""

    profile: str
    command: str


@dataclass(frozen=True)
class Place:
    """A project's files as far as they may be read."""

    files: Files
    barred: Callable[[str], bool]

    def text(self, path: str) -> str:
        """What the file holds; "" where there is none that may be read."""
        try:
            return "" if self.barred(path) else self.files.read(path, LARGEST).decode(errors="replace")
        except (OSError, PathRefused):
            return ""

    def has(self, path: str) -> bool:
        try:
            return self.files.stat(path).kind == "file" and not self.barred(path)
        except (OSError, PathRefused):
            return False

    def names(self, folder: str) -> list[str]:
        """Of the files in a folder."""
        try:
            return [entry.path.rpartition("/")[2] for entry in self.files.entries(folder) if entry.kind == "file"]
        except (OSError, PathRefused):
            return []


def check_of(place: Place) -> Check | None:
    """The tests of the project that lies here; None where nothing tells of any. Blocking."""
    found = (look(place) for look in (_python, _script, _go, _cargo, _maven, _gradle))
    return next((check for check in found if check is not None), None)


def _python(place: Place) -> Check | None:
    tests = list(_test_files(place))
    if not tests and not any(place.has(name) for name in PYTHON):
        return None
    if not tests and not _names_pytest(place) and _script(place):
        return None  # JavaScript with a little Python beside it, such as what builds its documentation
    by_unittest = tests and not _names_pytest(place) and all(_is_unittest(place.text(path)) for path in tests[:MOST_FILES])
    return Check("python", "python3 -m unittest -q" if by_unittest else "pytest -q")


def _test_files(place: Place) -> Iterator[str]:
    """Those that both runners find: at the top, or in a package of tests."""
    for folder in (".", "tests", "test"):
        names = place.names(folder)
        prefix = "" if folder == "." else f"{folder}/"
        if folder == "." or "__init__.py" in names:
            yield from (f"{prefix}{name}" for name in names if name.startswith("test") and name.endswith(".py"))


def _names_pytest(place: Place) -> bool:
    return any(place.has(name) for name in PYTEST) or any("pytest" in place.text(name) for name in MAY_NAME_PYTEST)


def _is_unittest(text: str) -> bool:
    return "unittest" in text and "pytest" not in text


def _script(place: Place) -> Check | None:
    try:
        script = json.loads(place.text("package.json") or "{}")["scripts"]["test"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    if not isinstance(script, str) or not script.strip() or "no test specified" in script:
        return None
    runner = "pnpm" if place.has("pnpm-lock.yaml") else "yarn" if place.has("yarn.lock") else "npm"
    return Check(runner, f"{runner} test")


def _go(place: Place) -> Check | None:
    return Check("go", "go test ./...") if place.has("go.mod") else None


def _cargo(place: Place) -> Check | None:
    return Check("cargo", "cargo test") if place.has("Cargo.toml") else None


def _maven(place: Place) -> Check | None:
    if not place.has("pom.xml"):
        return None
    return Check("maven", "./mvnw test" if place.has("mvnw") else "mvn test")


def _gradle(place: Place) -> Check | None:
    if not (place.has("build.gradle") or place.has("build.gradle.kts")):
        return None
    return Check("gradle", "./gradlew test" if place.has("gradlew") else "gradle test")


def call_of(tools: Mapping[str, type[Tool]], command: str, call_id: str) -> e.Call | None:
    """The call that runs a command with what an agent has for that; None where it has nothing."""
    for name, arguments in ARGUMENTS.items():
        if name in tools and tools[name].subject_is_command:
            filled = {key: value.replace("{command}", command) if isinstance(value, str) else value for key, value in arguments.items()}
            return e.Call(call_id=call_id, tool=name, arguments=json.dumps(filled))
    return None


def was_run(check: e.ToolFinished | None, started: set[str]) -> bool:
    """Whether the tests were really begun: nobody declined, nothing was refused, and the command was found."""
    return check is not None and check.call_id in started and exit_code(check) not in NOT_RUN


def is_lost(check: e.ToolFinished, started: set[str]) -> bool:
    """Whether the tests were begun and nobody knows what came of them, as when their worker went away."""
    return check.call_id in started and not {"exit_code", "exitCode"}.intersection(check.metadata)


def exit_code(finished: e.ToolFinished) -> int | None:
    """How the command ended; None where it did not end by itself."""
    code = finished.metadata.get("exit_code", finished.metadata.get("exitCode"))
    return code if isinstance(code, int) and not isinstance(code, bool) and code >= 0 else None


def verdict_of(check: e.ToolFinished, command: str, started: set[str]) -> tuple[bool, str]:
    """Whether the work is verified by the end of the tests, and a sentence that says so."""
    code = exit_code(check)
    if check.call_id not in started:
        return False, f"`{command}` was not run. {check.error or ''}".rstrip()
    if code in NOT_RUN:
        return False, f"`{command}` could not be run (exit code {code}), so nothing was verified."
    if code is None:
        return False, f"`{command}` did not come to its end. {check.error or ''}".rstrip()
    if code == NO_TESTS and ("pytest" in command or "unittest" in command):
        return True, f"`{command}` found no tests to run, so nothing speaks against the work and nothing for it."
    return code == 0, f"`{command}` passed." if code == 0 else f"`{command}` failed with exit code {code}."
