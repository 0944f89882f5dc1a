"""Diffs as people see them: counts, kinds of change, and how much of a long one is kept."""

from __future__ import annotations

import time
from random import Random

import pytest

from agents.edits.diff import LONGEST, file_change, unified
from agents.edits.patching import applied
from agents.edits.unified import parse


def test_a_change_is_counted_and_shown() -> None:
    change = file_change("f.txt", b"one\ntwo\nthree\n", b"one\n2\n2.5\nthree\n")
    assert (change.change, change.added, change.removed) == ("modified", 2, 1)
    assert change.diff == "--- a/f.txt\n+++ b/f.txt\n@@ -1,3 +1,4 @@\n one\n-two\n+2\n+2.5\n three\n"


def test_new_deleted_and_renamed_files_say_so() -> None:
    created, deleted = file_change("f", None, b"a\n"), file_change("f", b"a\n", None)
    assert (created.change, created.added, created.diff) == ("created", 1, "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n")
    assert (deleted.change, deleted.removed, deleted.diff) == ("deleted", 1, "--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n")
    assert file_change("new", b"a\n", b"a\n", "old").diff == "--- a/old\n+++ b/new\n"


def test_a_line_without_its_newline_is_marked() -> None:
    assert file_change("f", b"a", b"a\n").diff.endswith("-a\n\\ No newline at end of file\n+a\n")


def test_binary_files_are_measured_not_shown() -> None:
    assert file_change("f", b"\0\1", None).diff == "Binary file f: 2 bytes before, no file after\n"


def test_of_files_with_very_many_lines_only_the_numbers_are_told() -> None:
    began = time.monotonic()
    change = file_change("rows.csv", b"1\n" * 8_000_000, b"1\n" * 8_000_002)
    assert (change.added, change.removed) == (2, 0)
    assert change.diff == "rows.csv is too long to be compared: 16000000 bytes before, 16000004 bytes after\n"
    assert time.monotonic() - began < 20


def test_a_long_diff_is_cut_at_a_line_and_says_how_much_is_missing() -> None:
    change = file_change("f", None, b"".join(b"line %d\n" % n for n in range(20_000)))
    assert change.added == 20_000
    assert len(change.diff) < LONGEST + 100
    assert change.diff.endswith("more lines of this diff are not kept\n")


def test_two_long_files_without_a_line_in_common_are_compared_in_no_time() -> None:
    began = time.perf_counter()
    change = file_change("f", b"".join(b"a %d\n" % n for n in range(9000)), b"".join(b"b %d\n" % n for n in range(9000)))
    assert (change.added, change.removed) == (9000, 9000)
    assert time.perf_counter() - began < 20


def test_two_changes_far_apart_in_a_long_file_make_two_small_hunks() -> None:
    before = [b"line %d\n" % (n % 4000) for n in range(6000)]
    after = [b"first\n", *before[1:3000], b"middle\n", *before[3001:-1], b"last\n"]
    change = file_change("f", b"".join(before), b"".join(after))
    assert (change.added, change.removed) == (3, 3)
    assert change.diff.count("@@ -") == 3


@pytest.mark.parametrize("seed", range(6))
def test_the_diff_of_two_long_files_turns_the_one_into_the_other(seed: int) -> None:
    random, length = Random(seed), 1500 + 300 * seed
    before = [b"%d\n" % random.randrange(length) for _ in range(length)]
    after = [line for line in before if random.random() < 0.9]
    after[10:10] = random.sample(before, 5)
    after[:1], after[-1:] = [b"top\n"], [b"end\n"]
    [patch] = parse(unified("f", b"".join(before), b"".join(after)))
    assert applied(patch, b"".join(before)) == b"".join(after)
