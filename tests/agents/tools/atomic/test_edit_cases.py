"""Every edit of the case file, done with the tool in a workspace that holds the case's files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from agents.edits.hashline.blocks import Find
from agents.edits.hashline.store import MemorySnapshots, Room
from agents.edits.hashline.tags import tag_of
from agents.errors import ToolError
from agents.sandboxes.sandbox import Files
from agents.tools.atomic.edit import Edit
from agents.tools.reach import Reach
from agents.tools.tool import ToolContext, ToolResult
from tests.agents.edits.hashline.cases import hashline
from tests.agents.tools.hands import Hands

KEYS = (
    "payload line has no preceding hunk header", "is already targeted by another hunk", "does not exist (file has", "rows are not valid",
    "file changed between read and edit", "not from this session", "apply_patch sentinel", "headers need a verb", "no colon and no body",
    "missing hashline snapshot tag", "must begin with", "must be a non-empty hashline script", "input header must be", "at least one +text",
    "could not resolve a syntactic block", "stop", "did not change the file", "resolve to the same file", "could not edit file", "enoent",
    "eacces", "looks like a section header without a tag", "unified-diff hunk header", "ends before it starts", "conflicting",
)  # fmt: skip
"""What a message must say in these words where the case says it so."""


class FailingFiles:
    """The workspace's files on a disk that is full for some of them."""

    def __init__(self, files: Files, full: list[str]) -> None:
        self._files = files
        self._full = full

    def __getattr__(self, name: str) -> Any:
        return getattr(self._files, name)

    def write(self, path: str, data: bytes, mode: int | None = None) -> bool:
        if path in self._full:
            raise OSError(28, "No space left on device")
        return self._files.write(path, data, mode)


class Session:
    """One case's workspace and what its session has seen."""

    def __init__(self, hands: Hands, case: dict[str, Any]) -> None:
        options = {name.removeprefix("max_"): value for name, value in case.get("store_options", {}).items()}
        self.hands, self.case = hands, case
        self.first: dict[str, str] = {}
        hands.reach = Reach(snapshots=MemorySnapshots(Room(**options)))
        for path, text in case["files"].items():
            self.write(path, text)
            if path not in case.get("unread", ()):
                self.first[path] = self.read(path)

    def write(self, path: str, text: str) -> None:
        self.hands.put({path: text.encode()})

    def read(self, path: str) -> str:
        return self.hands.reach.snapshots.record(path, (self.hands.root / path).read_bytes().decode()).tag

    async def edit(self, script: str) -> ToolResult:
        tool = tool_of(self.case).parse({"input": self.filled(script)})
        context: ToolContext = self.hands.context()
        tool.preview(context)
        try:
            return await tool.run(context)
        except ToolError as refused:
            return ToolResult("edit", error=str(refused))

    def filled(self, script: str) -> str:
        script = re.sub(r"\bTAG\(([^()]+)\)", lambda found: self.first[found[1]], script)
        script = re.sub(r"\bLATEST\(([^()]+)\)", lambda found: self.hands.reach.snapshots.versions(found[1])[0].tag, script)
        script = re.sub(r"\bHASH\(([^()]+)\)", lambda found: tag_of(self.text(found[1])), script)
        return re.sub(r"\bLOWER\(([^()]+)\)", lambda found: found[1].lower(), script)

    def text(self, path: str) -> str:
        return (self.hands.root / path).read_bytes().decode()

    def files(self) -> dict[str, str]:
        return {path: data.decode() for path, data in self.hands.files().items()}


def tool_of(case: dict[str, Any]) -> type[Edit]:
    if case.get("resolver") != "stub":
        return Edit
    spans = case["block_spans"]

    class StubbedEdit(Edit):
        @staticmethod
        def finder(path: str) -> Find:
            return lambda _, line: tuple(found) if (found := spans.get(path, {}).get(str(line))) else None

    return StubbedEdit


def obstruct(session: Session, case: dict[str, Any]) -> None:
    for path in case.get("readonly", ()):
        (session.hands.root / path).chmod(0o444)
    if case.get("write_fails"):
        session.hands.sandbox.files = FailingFiles(session.hands.sandbox.files, case["write_fails"])


@pytest.mark.parametrize("case", hashline("cases"), ids=lambda case: case["name"])
async def test_an_edit_does_what_its_case_says(case: dict[str, Any], tmp_path: Path) -> None:
    session = Session(Hands(tmp_path), case)
    for script in case.get("prior_scripts", ()):
        assert (await session.edit(script)).error is None
    for path, text in case.get("external_change", {}).items():
        session.write(path, text)
    for path, text in case.get("reread_after", {}).items():
        session.write(path, text)
        session.read(path)
    obstruct(session, case)
    before, expect = session.files(), case["expect"]
    result = await session.edit(case["script"])
    assert session.files() == (before if expect["files_after"] == "unchanged" else expect["files_after"]), result.error
    assert (result.error is None) == expect["ok"], result.error
    if expect["ok"]:
        check_success(result, case, session)
    else:
        check_error(result.error or "", expect.get("error_gist", ""))


def check_success(result: ToolResult, case: dict[str, Any], session: Session) -> None:
    expect = case["expect"]
    sections = result.metadata["sections"]
    warnings = [warning for section in sections for warning in section["warnings"]]
    if "warning" in expect:
        assert any(expect["warning"].lower() in warning.lower().replace("`", "") for warning in warnings), warnings
    assert not (expect.get("no_warnings") and warnings)
    assert result.metadata["noop"] == bool(expect.get("noop"))
    if expect.get("noop"):
        assert "produced no change" in result.output
        assert ("No-op count" in result.output) == ("expect_noop_count" in case)
        return
    if "expect_block_note" in case:
        assert case["expect_block_note"].split("lines")[1].strip() in sections[0]["blocks"][0]
    for section in sections:
        assert f"[{section['path']}#{section['tag']}]" in result.output
        assert section["tag"] == tag_of(session.text(section["path"]))


def check_error(error: str, gist: str) -> None:
    wanted = [key for key in KEYS if key in gist.lower().split(";")[0] and "/" not in gist]
    assert [key for key in wanted if key not in error.lower().replace("`+text`", "+text")] == [], error
