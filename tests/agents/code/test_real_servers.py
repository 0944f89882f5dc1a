"""Real language servers, really in the sandbox and without the network: pyright and typescript-language-server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from agents.code.finding import Choices, find
from agents.code.languages import language_of
from agents.code.pool import Pool
from agents.code.workspace import WorkspaceCode
from agents.sandboxes.choose import open_sandbox
from agents.sandboxes.sandbox import SandboxWish

pytestmark = pytest.mark.asyncio(loop_scope="module")

CHOICES = Choices(places=(str(Path(__file__).parents[3] / "frontend" / "node_modules" / ".bin"),))
FILES = {
    "shapes.py": "class Circle:\n    def area(self, radius: float) -> float:\n        return 3 * radius\n\n\nnote = '🎼'; Circle()\n",
    "use.py": "from shapes import Circle\n\nprint(Circle().area('wide'))\n",
    "ui/tsconfig.json": "{}",
    "ui/shapes.ts": "export class Circle {\n  area(radius: number): number {\n    return 3 * radius;\n  }\n}\n",
    "ui/use.ts": "import { Circle } from './shapes';\n\nconsole.log(new Circle().area('wide'));\n",
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("workspace")
    for name, text in FILES.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text)
    return root


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def warm(root: Path) -> AsyncIterator[WorkspaceCode]:
    """One pool for all tests: a server takes seconds to start."""
    pool = Pool()
    yield WorkspaceCode(open_sandbox(SandboxWish(str(root))), pool, CHOICES)
    await pool.close()


@pytest.fixture(params=["py", "ts"])
def code(request: pytest.FixtureRequest, warm: WorkspaceCode, root: Path) -> tuple[WorkspaceCode, str, str]:
    """The code intelligence, and the two files of one language."""
    shapes, use = ("shapes.py", "use.py") if request.param == "py" else ("ui/shapes.ts", "ui/use.ts")
    language = language_of(use)
    if not language or not find(language, open_sandbox(SandboxWish(str(root))), CHOICES):
        pytest.skip(f"No language server for {use} is installed here.")
    return warm, shapes, use


Code = tuple[WorkspaceCode, str, str]


async def test_a_definition_in_another_file_is_found(code: Code) -> None:
    asked, shapes, use = code
    column = FILES[use].splitlines()[2].index("Circle") + 1
    text, metadata = await asked.query("definition", path=use, line=3, column=column)
    assert text == f"{shapes}:1:{FILES[shapes].index('Circle') + 1}"
    assert metadata["count"] == 1


async def test_references_are_found_in_other_files_with_or_without_the_declaration(code: Code) -> None:
    asked, shapes, use = code
    column = FILES[shapes].index("Circle") + 1
    without = (await asked.query("references", path=shapes, line=1, column=column))[0].splitlines()
    all_of_them = (await asked.query("references", path=shapes, line=1, column=column, include_declaration=True))[0].splitlines()
    assert f"{shapes}:1:{column}" not in without
    assert {*without, f"{shapes}:1:{column}"} == set(all_of_them)
    assert sum(place.startswith(f"{use}:") for place in without) == 2


async def test_columns_after_an_emoji_count_characters(code: Code) -> None:
    asked, shapes, _ = code
    if not shapes.endswith(".py"):
        pytest.skip("One language is enough.")
    line = FILES[shapes].splitlines()[5]
    text, _ = await asked.query("definition", path=shapes, line=6, column=line.index("Circle") + 1)
    assert text == "shapes.py:1:7"
    references, _ = await asked.query("references", path=shapes, line=1, column=7)
    assert f"shapes.py:6:{line.index('Circle') + 1}" in references.splitlines()


async def test_hover_tells_the_type(code: Code) -> None:
    asked, _, use = code
    text, _ = await asked.query("hover", path=use, line=3, column=FILES[use].splitlines()[2].index("area") + 1)
    assert "area" in text
    assert "radius" in text
    assert (await asked.query("hover", path=use, line=2))[0] == "No result."


async def test_diagnostics_tell_the_error_and_its_place(code: Code) -> None:
    asked, shapes, use = code
    text, metadata = await asked.query("diagnostics", path=use)
    column = FILES[use].splitlines()[2].index("'wide'") + 1
    assert text.startswith(f"LSP diagnostics for {use}:\n- error at 3:{column}: ")
    assert metadata["count"] == 1
    assert (await asked.query("diagnostics", path=shapes))[0] == "No diagnostics."


async def test_symbols_of_a_file_are_a_tree(code: Code) -> None:
    asked, shapes, _ = code
    lines = (await asked.query("document_symbols", path=shapes))[0].splitlines()
    assert lines[:2] == ["- Circle (kind=5, line=1)", "  - area (kind=6, line=2)"]


async def test_symbols_of_the_workspace_are_found_by_name(code: Code) -> None:
    asked, shapes, use = code
    text, _ = await asked.query("workspace_symbols", path=use, query="Circle")
    assert text.startswith(f"- Circle (kind=5) {shapes}:1:")
    assert "- Circle" in (await asked.query("workspace_symbols", query="Circle"))[0]


async def test_what_changes_on_disk_is_seen(code: Code, root: Path) -> None:
    asked, _, use = code
    (root / use).write_text(FILES[use].replace("'wide'", "3"))
    try:
        assert (await asked.query("diagnostics", path=use))[0] == "No diagnostics."
        assert await asked.diagnostics(use) == ()
    finally:
        (root / use).write_text(FILES[use])
    assert len(await asked.diagnostics(use) or ()) == 1
