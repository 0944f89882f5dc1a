"""The tool `lsp`, and what edits tell of diagnostics, with a fake language server that really runs."""

from __future__ import annotations

import shutil
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from agents.code.finding import Choices
from agents.code.pool import Pool
from agents.code.workspace import WorkspaceCode
from agents.errors import InvalidArguments
from agents.tools.reach import Reach
from agents.tools.tool import ToolContext, ToolResult
from tests.agents.code.conftest import FAKE, QUICK
from tests.agents.tools.hands import Hands


class CodeHands(Hands):
    """Hands that reach language servers."""

    reach: Reach = Reach()

    def context(self) -> ToolContext:
        context = super().context()
        context.reach = self.reach
        return context


@pytest.fixture
async def hands(tmp_path: Path) -> AsyncIterator[CodeHands]:
    root = tmp_path / "workspace"
    root.mkdir()
    shutil.copy(FAKE, tmp_path / "server.txt")
    hands, pool = CodeHands(root), Pool(patience=QUICK)
    servers = {
        "python": ["python3", str(tmp_path / "server.txt"), "good"],
        "typescript": ["python3", str(tmp_path / "server.txt"), "crash"],
    }
    servers |= {"rust": ["no-such-server"], "go": ["python3", str(tmp_path / "server.txt"), "deaf"]}
    hands.reach = Reach(code=WorkspaceCode(hands.sandbox, pool, Choices(servers)))
    hands.put({"a.py": "fine\n", "b.py": "BAD old\n", "c.ts": "x", "d.rs": "", "e.txt": "", "f.go": ""})
    yield hands
    await pool.close()


async def warm(hands: CodeHands) -> None:
    assert (await hands.call("lsp", operation="hover", file_path="a.py")).error is None


async def test_it_answers_by_all_its_names(hands: CodeHands) -> None:
    for name in ("lsp", "code_intel", "language_server"):
        result = await hands.call(name, operation="hover", file_path="a.py")
        assert (result.title, result.error) == ("LSP: hover a.py", None)
        assert result.output.startswith("I am ")
        assert result.metadata["operation"] == "hover"


async def test_nothing_found_is_an_answer(hands: CodeHands) -> None:
    said = {}
    for operation in ("definition", "references", "document_symbols", "diagnostics"):
        result = await hands.call("lsp", operation=operation, file_path="a.py")
        assert result.error is None
        said[operation] = result.output
    none = "No locations found."
    assert said == {"definition": none, "references": none, "document_symbols": "No result.", "diagnostics": "No diagnostics."}


async def test_an_operation_that_there_is_not_names_those_that_there_are(hands: CodeHands) -> None:
    with pytest.raises(InvalidArguments, match=r"operation.*'rename'|operation.*definition"):
        hands.tool("lsp", {"operation": "rename", "file_path": "a.py"})
    with pytest.raises(InvalidArguments, match="line"):
        hands.tool("lsp", {"operation": "hover", "file_path": "a.py", "line": 0})


@pytest.mark.parametrize("operation", ["definition", "references", "hover", "diagnostics", "document_symbols"])
async def test_a_file_is_required_for_all_but_workspace_symbols(hands: CodeHands, operation: str) -> None:
    assert "file_path is required" in str((await hands.call("lsp", operation=operation)).error)
    assert (await hands.call("lsp", operation="workspace_symbols", query="s")).error is None


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("missing.py", "File not found: missing.py"),
        (".", "is a folder"),
        ("../x.py", "outside the workspace"),
        ("c.ts", "ended; the next call"),
    ],
)
async def test_what_goes_wrong_is_an_error_that_names_it(hands: CodeHands, path: str, said: str) -> None:
    assert said in str((await hands.call("lsp", operation="hover", file_path=path)).error)


async def test_a_line_beyond_the_end_is_an_error(hands: CodeHands) -> None:
    assert "there is no line 9" in str((await hands.call("lsp", operation="hover", file_path="a.py", line=9)).error)


async def test_a_missing_server_is_an_answer_that_says_how_to_get_one(hands: CodeHands) -> None:
    result = await hands.call("lsp", operation="hover", file_path="d.rs")
    assert result.error is None
    assert "no-such-server, which CODER_LSP_SERVER_RUST names" in result.output
    other = await hands.call("lsp", operation="hover", file_path="e.txt")
    assert other.error is None
    assert "No language server is known for e.txt" in other.output


async def test_without_servers_it_says_so(hands: CodeHands) -> None:
    hands.reach = Reach()
    assert "no code intelligence" in str((await hands.call("lsp", operation="hover", file_path="a.py")).error)


async def edits(hands: CodeHands, name: str) -> ToolResult:
    """Bring one new fault into a.py by that tool."""
    calls: dict[str, dict[str, Any]] = {
        "write": {"file_path": "a.py", "content": "fine\nBAD\n"},
        "edit": {"file_path": "a.py", "old_string": "fine", "new_string": "BAD"},
        "multiedit": {"file_path": "a.py", "edits": [{"old_string": "fine", "new_string": "BAD"}]},
        "apply_patch": {"patch": "--- a/a.py\n+++ b/a.py\n@@ -1 +1,2 @@\n fine\n+BAD\n"},
    }
    return await hands.call(name, **calls[name])


@pytest.mark.parametrize("name", ["write", "edit", "multiedit", "apply_patch"])
async def test_an_edit_tells_what_it_has_broken(hands: CodeHands, name: str) -> None:
    await warm(hands)
    result = await edits(hands, name)
    assert result.error is None
    line = hands.files()["a.py"].decode().splitlines().index("BAD") + 1
    assert result.output.endswith(f"\n\nLSP diagnostics for a.py:\n- error at {line}:1: this is BAD")
    assert result.metadata["lsp_synced"] is True
    assert result.metadata["lsp_diagnostics"] == [f"a.py:{line}:1: error: this is BAD"]


async def test_what_was_wrong_before_is_not_told(hands: CodeHands) -> None:
    await warm(hands)
    result = await hands.call("edit", file_path="b.py", old_string="old", new_string="older")
    assert "LSP" not in result.output
    assert (result.metadata["lsp_synced"], result.metadata["lsp_diagnostics"]) == (True, [])
    assert "LSP" not in (await hands.call("write", file_path="b.py", content="one\n\nBAD here now\n")).output


async def test_all_that_is_wrong_with_a_new_file_is_told_and_five_are_shown(hands: CodeHands) -> None:
    await warm(hands)
    result = await hands.call("write", file_path="new/x.py", content="BAD\n" * 7)
    assert result.output.count("this is BAD") == 5
    assert result.output.endswith("… and 2 more")
    assert len(result.metadata["lsp_diagnostics"]) == 7


async def test_a_patch_over_several_files_tells_of_each(hands: CodeHands) -> None:
    await warm(hands)
    changed, gone = "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-fine\n+BAD\n", "--- a/b.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-BAD old\n"
    patch = f"{changed}{gone}--- /dev/null\n+++ b/n.py\n@@ -0,0 +1 @@\n+BAD\n"
    result = await hands.call("apply_patch", patch=patch)
    assert result.metadata["lsp_diagnostics"] == ["a.py:1:1: error: this is BAD", "n.py:1:1: error: this is BAD"]


@pytest.mark.parametrize(("path", "content"), [("c.ts", "y"), ("f.go", "package x"), ("e.txt", "BAD"), ("d.rs", "fn")])
async def test_an_edit_neither_fails_nor_waits_for_a_server_that_is_cold_broken_or_not_there(
    hands: CodeHands, path: str, content: str
) -> None:
    began = time.monotonic()
    for _ in range(2):
        result = await hands.call("write", file_path=path, content=content)
        assert result.error is None
        assert "LSP" not in result.output
        assert result.metadata["lsp_diagnostics"] == []
    assert time.monotonic() - began < 5
    assert hands.files()[path] == content.encode()


async def test_where_code_intelligence_is_off_an_edit_says_nothing_of_it(hands: CodeHands) -> None:
    hands.reach = Reach()
    assert "lsp_synced" not in (await hands.call("write", file_path="a.py", content="BAD")).metadata
