"""Patches applied to files in a dict: every case of the case file, and what models get wrong."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.edits.diff import unified
from agents.edits.patching import outcomes
from agents.edits.unified import parse
from agents.errors import ToolError

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parents[2] / "cases/applypatch-cases.json").read_text())["cases"]
FILES_OF_THE_SANDBOX = {"reject-absolute-path", "reject-parent-path", "reject-dot-git-target", "reject-path-beyond-symlink"}
"""Refused by the workspace's files rather than by the engine; tests/agents/tools tries them through the tool."""
LINES = st.lists(st.sampled_from(["a", "b", "c", "", " ", "-- x", "+++ y", "@@ -1 +1 @@", "\\ z", "é", "a\rb", "x\f"]), max_size=30)


def patched(files: dict[str, bytes], patch: str, strip: int = 1) -> dict[str, bytes]:
    after = dict(files)
    for outcome in outcomes(parse(patch, strip), files.get):
        if outcome.after is None:
            del after[outcome.path]
        else:
            after[outcome.path] = outcome.after
    return after


@pytest.mark.parametrize("case", [case for case in CASES if case["name"] not in FILES_OF_THE_SANDBOX], ids=lambda case: case["name"])
def test_a_patch_does_what_its_case_says(case: dict[str, Any]) -> None:
    before = {path: text.encode() for path, text in case["files"].items()}
    if not case["expect"]["ok"]:
        with pytest.raises(ToolError):
            patched(before, case["patch"])
        return
    assert patched(before, case["patch"]) == {path: text.encode() for path, text in case["expect"]["files_after"].items()}


@given(LINES, LINES, st.booleans(), st.booleans())
def test_a_diff_we_make_turns_the_one_text_into_the_other(old: list[str], new: list[str], old_ends: bool, new_ends: bool) -> None:
    before = ("\n".join(old) + "\n" * old_ends).encode()
    after = ("\n".join(new) + "\n" * new_ends).encode()
    diff = unified("f", before, after)
    assert diff == "" if before == after else patched({"f": before}, diff) == {"f": after}


@given(st.integers(0, 39), st.integers(0, 30))
def test_a_diff_also_applies_where_lines_were_added_above(at: int, more: int) -> None:
    lines = [b"line %d\n" % n for n in range(40)]
    changed = [*lines[:at], b"another\n", *lines[at + 1 :]]
    diff = unified("f", b"".join(lines), b"".join(changed))
    above = b"above\n" * more
    assert patched({"f": above + b"".join(lines)}, diff) == {"f": above + b"".join(changed)}


def test_a_hunk_that_does_not_match_names_file_hunk_line_and_both_texts() -> None:
    before = {"f.txt": b"".join(b"l%d\n" % n for n in range(1, 21))}
    patch = "--- a/f.txt\n+++ b/f.txt\n@@ -1,3 +1,3 @@\n l1\n-l2\n+L2\n l3\n@@ -10,3 +10,3 @@\n l10\n-lX\n+L11\n l12\n"
    with pytest.raises(ToolError, match=r"f\.txt: hunk 2 does not match at line 11: expected 'lX', found 'l11'"):
        patched(before, patch)


def test_each_file_that_does_not_fit_is_named() -> None:
    patch = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+2\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-1\n+2\n"
    with pytest.raises(ToolError, match=r"(?s)x: no such file.*y: hunk 1 does not match"):
        patched({"y": b"other\n"}, patch)


def test_a_missing_final_newline_is_said_when_it_is_all_that_differs() -> None:
    with pytest.raises(ToolError, match=r"expected 'b' \(with a newline\), found 'b' \(without a newline\)"):
        patched({"f": b"a\nb"}, "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-a\n+A\n b\n")


def test_a_hunk_that_fits_above_and_below_alike_is_refused() -> None:
    with pytest.raises(ToolError, match="fits equally well at lines 1 and 3"):
        patched({"f": b"x\ny\nx\n"}, "--- a/f\n+++ b/f\n@@ -2 +2 @@\n-x\n+z\n")


def test_nothing_is_appended_to_a_line_that_has_no_newline() -> None:
    with pytest.raises(ToolError, match="No newline at end of file"):
        patched({"f": b"a"}, "--- a/f\n+++ b/f\n@@ -1,0 +2 @@\n+b\n")


def test_a_patch_in_crlf_changes_a_file_in_lf_and_leaves_it_so() -> None:
    patch = "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n".replace("\n", "\r\n")
    assert patched({"f": b"a\nb\n"}, patch) == {"f": b"a\nB\n"}


def test_a_quoted_name_is_read_and_a_time_stamp_is_not_part_of_a_name() -> None:
    patch = '--- "a/caf\\303\\251.txt"\t2024-01-01 00:00:00\n+++ "b/caf\\303\\251.txt"\n@@ -1 +1 @@\n-a\n+b\n'
    assert patched({"café.txt": b"a\n"}, patch) == {"café.txt": b"b\n"}


def test_strip_takes_more_leading_folders_or_none() -> None:
    patch = "--- one/two/f\n+++ one/two/f\n@@ -1 +1 @@\n-a\n+b\n"
    assert patched({"f": b"a\n"}, patch, strip=2) == {"f": b"b\n"}
    assert patched({"a/f": b"a\n"}, "--- a/f\n+++ a/f\n@@ -1 +1 @@\n-a\n+b\n", strip=0) == {"a/f": b"b\n"}
    with pytest.raises(ToolError, match="strip=3 leaves nothing"):
        patched({"f": b"a\n"}, patch, strip=3)


def test_a_delete_that_does_not_name_every_line_is_refused() -> None:
    with pytest.raises(ToolError, match="holds more than the patch deletes"):
        patched({"f": b"a\nb\n"}, "--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n")


def test_removed_and_added_lines_that_look_like_headers_are_lines() -> None:
    patch = "--- a/q.sql\n+++ b/q.sql\n@@ -1,2 +1,2 @@\n--- old comment\n+++ new comment\n x\n"
    assert patched({"q.sql": b"-- old comment\nx\n"}, patch) == {"q.sql": b"++ new comment\nx\n"}


def test_a_line_number_far_behind_the_end_costs_nothing() -> None:
    assert patched({"f": b"a\nb\n"}, "--- a/f\n+++ b/f\n@@ -999999999 +999999999 @@\n-a\n+A\n") == {"f": b"A\nb\n"}


def test_a_plain_part_behind_a_rename_is_a_file_of_its_own() -> None:
    patch = "diff --git a/x b/y\nrename from x\nrename to y\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n"
    assert patched({"x": b"a\n", "f": b"a\n"}, patch) == {"y": b"a\n", "f": b"b\n"}


def test_strip_also_shortens_the_names_of_a_rename() -> None:
    patch = "diff --git a/sub/x b/sub/y\nrename from sub/x\nrename to sub/y\n--- a/sub/x\n+++ b/sub/y\n@@ -1 +1 @@\n-a\n+b\n"
    assert patched({"x": b"a\n"}, patch, strip=2) == {"y": b"b\n"}


def test_a_change_of_mode_alone_is_a_change() -> None:
    [outcome] = outcomes(parse("diff --git a/f b/f\nold mode 100644\nnew mode 100755\n"), {"f": b"a"}.get)
    assert (outcome.before, outcome.after, outcome.mode) == (b"a", b"a", 0o755)


def test_a_mail_signature_and_prose_after_the_patch_are_let_pass() -> None:
    patch = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n-- \n2.43.0\n\nThat is all.\n"
    assert patched({"f": b"a\n"}, patch) == {"f": b"b\n"}


@pytest.mark.parametrize(
    ("patch", "reason"),
    [
        ("diff --git a/p.png b/p.png\nindex 1..2 100644\nGIT binary patch\nliteral 3\n", "binary patches are not supported"),
        ("diff --git a/x b/y\nnew file mode 160000\n--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+z\n", "'160000' is not supported"),
        ("@@ -1 +1 @@\n-a\n+b\n", "a hunk without"),
        ("--- a/f\n+++ b/g\n@@ -1 +1 @@\n-a\n+b\n", "the headers name two files"),
        ("--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n", "both sides are /dev/null"),
    ],
)
def test_a_patch_we_cannot_follow_says_why(patch: str, reason: str) -> None:
    with pytest.raises(ToolError, match=reason):
        patched({"f": b"a\n", "x": b"a\n"}, patch)


@given(st.text(alphabet="-+@ \nabf/0,1\\d\r", max_size=200))
def test_whatever_is_sent_as_a_patch_it_is_applied_or_refused(text: str) -> None:
    with suppress(ToolError):
        assert isinstance(patched({"f": b"a\n", "a": b"b\n"}, text), dict)
