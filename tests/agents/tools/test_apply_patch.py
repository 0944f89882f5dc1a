"""apply_patch on real files: every case of the case file, and that a failure changes nothing."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.agents.tools.hands import Hands

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parents[2] / "cases/applypatch-cases.json").read_text())["cases"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
async def test_a_patch_does_what_its_case_says(case: dict[str, Any], hands: Hands) -> None:
    hands.put(case["files"])
    for link, target in case.get("symlinks", {}).items():
        (hands.root / link).symlink_to(target)
    result = await hands.call("apply_patch", patch=case["patch"])
    wanted = case["files"] if case["expect"]["files_after"] == "unchanged" else case["expect"]["files_after"]
    assert (result.error is None) == case["expect"]["ok"], result.error
    assert hands.files() == {path: text.encode() for path, text in wanted.items()}
    for path, mode in case.get("modes_after", {}).items():
        assert oct((hands.root / path).stat().st_mode & 0o777)[2:] == mode


async def test_the_result_names_every_file_and_what_became_of_it(hands: Hands) -> None:
    hands.put({"a": "1\n", "b": "2\n", "c": "3\n"})
    patch = (
        "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+one\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+new\n--- a/b\n+++ /dev/null\n@@ -1 +0,0 @@\n-2\n"
        "diff --git a/c b/d\nrename from c\nrename to d\n"
    )
    preview = hands.tool("apply_patch", {"patch": patch}).preview(hands.context())
    result = await hands.call("apply_patch", patch=patch)
    assert result.output.splitlines()[2:] == [
        "Modified: a (1 hunk)", "Created: n (1 hunk)", "Deleted: b (1 hunk)", "Renamed: c → d", "",
        "Summary: 2 modified, 1 created, 1 deleted",
    ]  # fmt: skip
    assert {change.path: change.change for change in result.changes} == {"a": "modified", "n": "created", "b": "deleted", "d": "renamed"}
    assert preview == "".join(change.diff for change in result.changes)
    assert hands.files() == {"a": b"one\n", "n": b"new\n", "d": b"3\n"}


async def test_a_failing_write_puts_everything_back(hands: Hands) -> None:
    hands.put({"a": "1\n", "b": "2\n"})
    patch = "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+one\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n"
    patch += "--- /dev/null\n+++ b/n/inner\n@@ -0,0 +1 @@\n+x\n"
    result = await hands.call("apply_patch", patch=patch)
    assert result.error
    assert hands.files() == {"a": b"1\n", "b": b"2\n"}


async def test_a_path_below_a_file_is_refused(hands: Hands) -> None:
    hands.put({"b": "2\n"})
    result = await hands.call("apply_patch", patch="--- /dev/null\n+++ b/b/inner\n@@ -0,0 +1 @@\n+x\n")
    assert "not a folder" in str(result.error)


async def test_a_renamed_file_stays_executable(hands: Hands) -> None:
    hands.put({"run": "x\n"})
    (hands.root / "run").chmod(0o755)
    await hands.call("apply_patch", patch="diff --git a/run b/go\nrename from run\nrename to go\n")
    assert os.access(hands.root / "go", os.X_OK)


def test_rules_see_every_path_of_a_patch(hands: Hands) -> None:
    one = "--- a/src/x\n+++ b/src/x\n@@ -1 +1 @@\n-1\n+2\n"
    both = one + "--- a/y\n+++ b/y\n@@ -1 +1 @@\n-1\n+2\n"
    assert hands.tool("apply_patch", {"patch": one}).subject(hands.context()) == "src/x"
    assert hands.tool("apply_patch", {"patch": both}).subject(hands.context()) == "{src/x,y}"
    assert hands.tool("apply_patch", {"patch": "nothing"}).subject(hands.context()) == ""
