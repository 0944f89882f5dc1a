"""The house's habits, kept by a machine: sizes, names, who may touch what, and that the documents speak of what is there."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from workspace.sessions.protocol import AnyCommand

ROOT = Path(__file__).resolve().parent.parent
FORBIDDEN_NAMES = {
    "utils",
    "helpers",
    "common",
    "core",
    "base",
    "misc",
    "manager",
    "service",
    "handler",
    "processor",
    "services",
    "handlers",
}
READS_ENVIRONMENT = {
    "workspace/settings.py", "workspace/variables.py",
    "workspace/celery.py", "workspace/asgi.py", "manage.py",  # each names the settings module
    "agents/sandboxes/environment.py",  # PATH, to find ripgrep
}  # fmt: skip


def python_files(*folders: str) -> list[Path]:
    found = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py")) if "demo-project" not in path.parts]
    return [path for path in found if "migrations" not in path.parts]


def page_files(ending: str) -> list[Path]:
    return [path for path in sorted((ROOT / "frontend" / "src").rglob(f"*{ending}")) if path.name != "protocol.ts"]


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def lines(path: Path) -> int:
    return len(path.read_text().splitlines())


CODE = python_files("agents", "workspace")
TESTS = python_files("tests")
EVERYTHING = [*CODE, *TESTS, *python_files("bench"), ROOT / "manage.py"]


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Every node of the module."""
    return tuple(ast.walk(ast.parse(path.read_text())))


def definitions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in nodes(path):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def test_files_stay_short() -> None:
    limits = [(EVERYTHING, 300), (page_files(".svelte"), 150), (page_files(".ts"), 200)]
    long = {named(path): lines(path) for paths, limit in limits for path in paths if lines(path) > limit and path.name != "events.py"}
    assert not long


def test_the_loop_is_read_in_one_sitting() -> None:
    assert lines(ROOT / "agents" / "loop.py") <= 150


def test_functions_stay_short() -> None:
    long = [
        f"{named(path)}: {function.name}"
        for path in EVERYTHING
        for function in definitions(path)
        if (function.end_lineno or 0) - function.lineno > 40
    ]
    assert not long


def test_every_module_says_what_it_is() -> None:
    silent = [named(path) for path in EVERYTHING if path not in TESTS and not ast.get_docstring(ast.parse(path.read_text()))]
    assert not silent


def test_no_file_has_a_name_that_says_nothing() -> None:
    everything = [*EVERYTHING, *page_files(".svelte"), *page_files(".ts")]
    empty = [named(path) for path in everything if {path.stem.lower(), path.parent.name.lower()} & FORBIDDEN_NAMES]
    assert not empty


def test_no_class_is_named_service_or_manager() -> None:
    named_so = [
        f"{named(path)}: {node.name}"
        for path in CODE
        for node in nodes(path)
        if isinstance(node, ast.ClassDef) and node.name.endswith(("Service", "Manager", "Helper", "Processor"))
    ]
    assert not named_so


def test_facts_and_notes_are_defined_in_one_place() -> None:
    elsewhere = [
        f"{named(path)}: {node.name}"
        for path in EVERYTHING
        for node in nodes(path)
        if isinstance(node, ast.ClassDef)
        and {base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "") for base in node.bases} & {"Fact", "Note"}
        and named(path) not in ("agents/events.py", "agents/notes.py")
    ]
    assert not elsewhere


def test_the_environment_is_read_in_the_settings_only() -> None:
    readers = {named(path) for path in [*CODE, ROOT / "manage.py"] if re.search(r"\benviron\b|\bgetenv\b", path.read_text())}
    assert readers <= READS_ENVIRONMENT


def test_html_is_cleaned_in_one_place() -> None:
    users = [named(path) for path in CODE if re.search(r"^\s*(import|from) bleach", path.read_text(), re.MULTILINE)]
    assert set(users) <= {"workspace/web/markdown.py"}


def test_doors_fetch_only_what_one_may_see() -> None:
    """A view, a serializer or a consumer never starts from all rows."""
    doors = [path for path in CODE if path.stem in ("api", "views", "consumers") or path.stem.endswith("_api")]
    bare = [
        f"{named(path)}: {line.strip()}"
        for path in doors
        for line in path.read_text().splitlines()
        if re.search(r"\.objects\.(get|all)\(", line)
    ]
    assert doors
    assert not bare


def test_every_command_has_the_action_of_its_name() -> None:
    actions = {function.name for function in definitions(ROOT / "workspace" / "sessions" / "actions.py")}
    wanted = {kind.model_fields["command"].default for kind in AnyCommand.__args__[0].__args__}
    assert wanted
    assert wanted <= actions


def test_the_loop_never_looks_up_to_the_host() -> None:
    upward = [
        named(path)
        for path in python_files("agents")
        if re.search(r"^\s*(from|import) +(django|workspace|rest_framework|channels|celery)\b", path.read_text(), re.MULTILINE)
    ]
    assert not upward


def test_no_first_party_import_hides_inside_a_function() -> None:
    hidden = [
        f"{named(path)}: {function.name}"
        for path in EVERYTHING
        for function in definitions(path)
        for node in ast.walk(function)
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in ("agents", "workspace")
    ]
    assert not hidden


def test_nothing_of_our_own_is_patched_in_tests() -> None:
    patched = [
        f"{named(path)}: {line.strip()}"
        for path in TESTS
        for line in path.read_text().splitlines()
        if re.search(r"""(mock\.patch|mocker\.|monkeypatch\.setattr\(["'](agents|workspace))""", line) and path != Path(__file__)
    ]
    assert not patched


def test_names_of_tests_are_sentences() -> None:
    short = [
        f"{named(path)}: {function.name}"
        for path in TESTS
        for function in definitions(path)
        if function.name.startswith("test_") and function.name.count("_") < 3
    ]
    assert not short


def test_inline_scripts_and_styles_are_refused() -> None:
    policy = (ROOT / "workspace" / "settings.py").read_text()
    assert "unsafe-inline" not in policy
    assert "unsafe-eval" not in policy
    templates = list((ROOT / "workspace").rglob("*.html"))
    inline = [named(path) for path in templates if re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\bsrc=)", path.read_text())]
    assert not inline


@pytest.mark.parametrize("name", ["requirements.lock", "frontend/package-lock.json"])
def test_lock_files_carry_no_addresses(name: str) -> None:
    """Not even those that ask for donations: `npm install` writes them, and nothing needs them."""
    assert not re.search(r'"resolved"|index-url|registry *=|https?://', (ROOT / name).read_text())


def test_every_requirement_is_pinned_with_a_hash() -> None:
    entries = re.split(r"\n(?=\S)", (ROOT / "requirements.lock").read_text().strip())
    unpinned = [entry.splitlines()[0] for entry in entries if "==" not in entry or "--hash=sha256:" not in entry]
    assert not unpinned


def test_the_readme_names_commands_that_exist() -> None:
    readme = (ROOT / "README.md").read_text()
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    made = {path.stem for path in (ROOT / "workspace").rglob("management/commands/*.py")} | {"migrate", "check", "help"}
    assert {"make run", "make test"} <= set(re.findall(r"make [a-z]+", readme))
    assert set(re.findall(r"`(?:\w+=\S+ )*make ([a-z]+)", readme)) <= targets
    assert set(re.findall(r"manage\.py (\w+)", readme)) <= made


def test_the_readme_tells_every_variable_of_the_settings() -> None:
    settings = (ROOT / "workspace" / "settings.py").read_text()
    variables = set(re.findall(r'\b(?:text|flag|number|words)\(\s*"([A-Z_]+)"', settings))
    readme = (ROOT / "README.md").read_text()
    assert {name for name in variables if f"`{name}`" not in readme} == set()


def test_documents_link_only_to_what_is_there() -> None:
    documents = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    broken = [
        f"{named(document)}: {link}"
        for document in documents
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", document.read_text())
        if not (document.parent / link).exists()
    ]
    assert not broken


def test_the_glossary_knows_the_words_of_the_house() -> None:
    glossary = (ROOT / "docs" / "glossary.md").read_text()
    wanted = ("team", "project", "session", "run", "step", "fact", "note", "command", "action", "tool", "sandbox", "provider", "plan")
    more = ("revision", "review", "approval", "question", "todo", "memory", "toolset", "call")
    assert [word for word in (*wanted, *more) if f"**{word}**" not in glossary] == []


def test_nothing_built_is_kept_in_git() -> None:
    kept = subprocess.run(["git", "ls-files", "static"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    assert kept == ["static/.gitkeep"]
