"""Where language servers are found, and how they are started."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from agents.code.finding import Choices, find
from agents.code.languages import LANGUAGES, Language, how_to_get, language_of
from agents.sandboxes.choose import open_sandbox
from agents.sandboxes.sandbox import Sandbox, SandboxWish

PYTHON, TYPESCRIPT = LANGUAGES[0], LANGUAGES[1]
MADE_UP = Language("python", "Python", {}, (("made-up-server", "--stdio"),), "pip install made-up", needs=("sh",))


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def local(workspace: Path) -> Sandbox:
    return open_sandbox(SandboxWish(str(workspace), level="local"))


def test_files_tell_their_language_by_their_suffix() -> None:
    names = {"a.py": "python", "a.TSX": "typescript", "x/b.mjs": "typescript", "c.rs": "rust", "d.go": "go", "e.hpp": "cpp"}
    assert {path: found.name for path in names if (found := language_of(path))} == names
    assert language_of("README") is None


def test_the_projects_own_server_goes_before_others(workspace: Path, sandbox: Sandbox, tmp_path: Path) -> None:
    program(tmp_path / "bin" / "made-up-server")
    choices = Choices(places=(str(tmp_path / "bin"),))
    for place in (".venv/bin", "node_modules/.bin"):
        program(workspace / place / "made-up-server")
        launch = find(MADE_UP, sandbox, choices)
        assert launch
        assert launch.argv == (f"{sandbox.mount}/{place}/made-up-server", "--stdio")
        assert str(tmp_path) not in " ".join(launch.tools)


def test_a_server_of_the_machine_takes_its_whole_folder_along(sandbox: Sandbox, tmp_path: Path) -> None:
    real = program(tmp_path / "opt" / "bin" / "made-up-server")
    launch = find(MADE_UP, sandbox, Choices(places=(str(real.parent),)))
    assert launch
    assert launch.argv == (str(real), "--stdio")
    assert str(real.parents[1]) in launch.tools
    assert launch.command[:2] == ("/bin/sh", "-c")


def test_a_server_in_node_modules_takes_its_neighbours_along(sandbox: Sandbox, tmp_path: Path) -> None:
    real = program(tmp_path / "node_modules" / "made-up" / "lib" / "cli.mjs")
    link = tmp_path / "node_modules" / ".bin" / "made-up-server"
    link.parent.mkdir()
    link.symlink_to("../made-up/lib/cli.mjs")
    launch = find(MADE_UP, sandbox, Choices(places=(str(link.parent),)))
    assert launch
    assert (launch.name, launch.argv[0]) == ("made-up-server", str(real))
    assert str(tmp_path / "node_modules") in launch.tools


def test_the_operators_choice_goes_before_all(local: Sandbox, tmp_path: Path) -> None:
    mine = program(tmp_path / "mine")
    launch = find(PYTHON, local, Choices({"python": [str(mine), "-v"]}))
    assert launch
    assert launch.argv == (str(mine), "-v")
    assert find(PYTHON, local, Choices({"python": ["no-such-server"]})) is None


def test_a_stand_in_without_a_toolchain_is_no_server(local: Sandbox, tmp_path: Path) -> None:
    program(tmp_path / "rustup")
    (tmp_path / "made-up-server").symlink_to("rustup")
    assert find(MADE_UP, local, Choices(places=(str(tmp_path),))) is None


def test_pyright_is_started_without_its_wrapper(local: Sandbox) -> None:
    launch = find(PYTHON, local, Choices())
    if launch is None or launch.name != "pyright-langserver":
        pytest.skip("There is another server, or none.")
    assert launch.argv[0] == "node"
    assert launch.argv[1].endswith("langserver.index.js")
    assert sys.prefix not in launch.tools


def test_who_has_no_server_is_told_how_to_get_one() -> None:
    assert "pip install pyright" in how_to_get(PYTHON)
    assert "CODER_LSP_SERVER_TYPESCRIPT" in how_to_get(TYPESCRIPT)
