"""Paths as a tree of headings."""

from __future__ import annotations

import pytest

from agents.pieces import in_line
from agents.search.trees import tree


@pytest.mark.parametrize(
    ("paths", "lines"),
    [
        ([], []),
        (["README.md"], ["README.md"]),
        (
            ["tests/unit/t.py", "src/core/b.py", "setup.cfg", "src/a.py", "README.md"],
            ["README.md", "setup.cfg", "# src/", "a.py", "## core/", "b.py", "# tests/unit/", "t.py"],
        ),
        (["a/b/c/d.py", "a/b/c/e/f.py"], ["# a/b/c/", "d.py", "## e/", "f.py"]),
        (["a/", "a/b/", "c/"], ["# a/b/", "# c/"]),
        (["a/", "a/x"], ["# a/", "x"]),
        (["a/x", "a/x/"], ["# a/", "x", "## x/"]),
        (["b\nc/x\ty"], ['# "b\\nc"/', '"x\\ty"']),
    ],
)
def test_files_stand_first_then_folders_and_single_ones_are_folded(paths: list[str], lines: list[str]) -> None:
    assert tree(paths).splitlines() == lines


def test_a_tree_may_be_deeper_than_calls_go() -> None:
    assert tree(["/".join("ab"[number % 2] for number in range(3000)) + "/" + name for name in ("x", "y")]).splitlines()[1:] == ["x", "y"]


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("a b,c.py", "a b,c.py"),
        ("über/日本.txt", "über/日本.txt"),
        ("a\nb", '"a\\nb"'),
        ("z\udce4", '"z\\udce4"'),
        ("a\u202eb", '"a\\u202eb"'),
    ],
)
def test_an_odd_path_is_quoted(path: str, shown: str) -> None:
    assert in_line(path) == shown
