"""Tools of a team's own: which are taken, and what is said of the others."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from agents.tools.own import GROUP, OwnTools, furnished, own_tools, taken
from agents.tools.registry import toolset

HEAD = """
from __future__ import annotations
from typing import Any, ClassVar
from agents.tools.tool import Tool, ToolContext, ToolResult

class Named(Tool):
    name: ClassVar[str] = "{name}"
    description: ClassVar[str] = "Does something."
    aliases: ClassVar[tuple[str, ...]] = ({aliases})
    toolsets: ClassVar[Any] = {toolsets}

    async def run(self, context: ToolContext) -> ToolResult:
        return ToolResult("Done")
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that modules are imported from, for this test only."""
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    yield tmp_path
    for module in set(sys.modules) - before:
        if module.startswith("own_"):
            del sys.modules[module]


def entry(folder: Path, module: str, source: str, attribute: str = "Named") -> EntryPoint:
    (folder / f"{module}.py").write_text(source)
    return EntryPoint(module.removeprefix("own_"), f"{module}:{attribute}", GROUP)


def source(name: str, aliases: str = "", toolsets: str = '("oats",)') -> str:
    return HEAD.format(name=name, aliases=aliases, toolsets=toolsets)


def names(own: OwnTools) -> list[str]:
    return list(own.by_toolset.get("oats", {}))


def test_tools_are_taken_in_the_order_of_their_entry_points(folder: Path) -> None:
    own = taken([entry(folder, "own_saw", source("saw")), entry(folder, "own_hammer", source("hammer"))])
    assert names(own) == ["hammer", "saw"]
    assert own.complaints == []


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("import no_such_module_anywhere", "ModuleNotFoundError"),
        ("def broken(:", "SyntaxError"),
        ("raise SystemExit('no')", "SystemExit: no"),
        ("x = 1", "AttributeError"),
        ("Named = 3", "not a subclass of agents.tools.tool.Tool"),
        ("class Named: pass", "not a subclass of agents.tools.tool.Tool"),
        ("from agents.tools.tool import Tool as Named", "It has no name and no description"),
        (source("saw").replace("async def run", "async def walk"), "there is no run"),
        (source("saw").replace("async def run", "thing: type\n    async def run"), "cannot be told as a JSON Schema"),
        (source("read"), "its name is already that of another tool"),
        (source("shell"), "its name is already an alias of 'bash'"),
        (source("saw", '"edit",'), "its alias 'edit' is already that of another tool"),
        (source("band saw"), "cannot be called 'band saw'"),
        (source("saw", toolsets='("oats", "garden")'), "wants to be in the toolset 'garden', and there is none"),
        (source("saw", toolsets='"oats"'), "toolsets are no tuple"),
    ],
)
def test_what_cannot_be_taken_is_named_and_the_rest_is_taken(
    folder: Path, caplog: pytest.LogCaptureFixture, written: str, said: str
) -> None:
    own = taken([entry(folder, "own_broken", written), entry(folder, "own_good", source("good"))])
    assert names(own) == ["good"]
    (complaint,) = own.complaints
    assert "The tool 'broken' (own_broken:Named) is left out." in complaint
    assert said in complaint
    assert complaint in caplog.text


def test_of_two_own_tools_with_one_name_the_first_stays(folder: Path) -> None:
    own = taken([entry(folder, "own_a", source("saw")), entry(folder, "own_b", source("saw"))])
    assert names(own) == ["saw"]
    assert own.by_toolset["oats"]["saw"].__module__ == "own_a"
    assert "own_b" in own.complaints[0]


def test_nothing_installed_adds_nothing() -> None:
    assert furnished("oats") == {**toolset("oats"), **own_tools().by_toolset.get("oats", {})}
