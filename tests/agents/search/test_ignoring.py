"""What a .gitignore excludes, held against git itself."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest

from agents.search.ignoring import Ignoring

PATHS = [
    "a.log", "keep.log", "src/a.log", "build/out.js", "src/build/out.js", "docs/a/b/c.txt", "docs/c.txt", "#hash", "!bang", "with space ",
    "trail", "x[1].py", "x1.py", "foo/bar/baz", "foo/baz", "deep/foo/bar/baz", "abc/def", "b^c", "star*", "a\\b",
]  # fmt: skip


def ours(gitignore: str) -> set[str]:
    """The paths that are left, each folder on the way judged as a walk does."""
    ignoring = Ignoring().within(".", gitignore.encode())
    left = set()
    for path in PATHS:
        names = path.split("/")
        above = ["/".join(names[:count]) for count in range(1, len(names))]
        if not any(ignoring.excludes(folder, is_folder=True) for folder in above) and not ignoring.excludes(path, is_folder=False):
            left.add(path)
    return left


def gits(gitignore: str, root: Path) -> set[str]:
    for path in PATHS:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).touch()
    (root / ".gitignore").write_text(gitignore)
    subprocess.run(["git", "init", "-q", root], check=True)
    listed = subprocess.run(
        ["git", "-C", root, "ls-files", "-z", "--others", "--exclude-standard"], check=True, capture_output=True
    ).stdout  # fmt: skip
    return {path for path in listed.decode().split("\0") if path} - {".gitignore"}


@pytest.mark.parametrize(
    "gitignore",
    [
        "", "*.log\n!keep.log\n", "!keep.log\n*.log", "/build/", "build/", "build", "/a.log", "src/*.log", "docs/**/c.txt", "docs/**",
        "**/baz", "foo/**/baz", "foo/*/baz", "/foo", "foo/bar", "**/foo/bar", "abc/*\n!abc/def", "abc/\n!abc/def", "# comment\n\n",
        "\\#hash", "\\!bang", "with space\\ ", "trail   ", "x[1].py", "x\\[1\\].py", "x[!2].py", "x[^2].py", "b^c", "star\\*", "*",
        "*\r\n!*.py\r\n", "/*\n!/docs", "?.log", "a\\\\b", "[z-a]", "[", "{a,b}.log", "/", "!", "**", "\ufeff*.log",
    ],
)  # fmt: skip
def test_it_excludes_what_git_excludes(gitignore: str, tmp_path: Path) -> None:
    assert ours(gitignore) == gits(gitignore, tmp_path)


def test_the_folder_further_in_has_the_last_word() -> None:
    ignoring = Ignoring().within(".", b"*.log\n/top.txt\n").within("sub", b"!keep.log\n/only.txt\n")
    assert ignoring.excludes("sub/a.log", is_folder=False)
    assert not ignoring.excludes("sub/keep.log", is_folder=False)
    assert ignoring.excludes("sub/only.txt", is_folder=False)
    assert not ignoring.excludes("sub/deeper/only.txt", is_folder=False)
    assert not ignoring.excludes("sub/top.txt", is_folder=False)


@pytest.mark.parametrize("text", [b"\xff\xfe*.log\n", b"[[:alpha:]]\n[a&&b]\n[[a]\n", b"a\\\n", b"\\\n", b"\0\n", "ä.log\n".encode()])
def test_odd_lines_are_no_error(text: bytes) -> None:
    assert not Ignoring().within(".", text).excludes("some/path.py", is_folder=False)


def test_names_that_are_no_text_can_be_excluded() -> None:
    assert Ignoring().within(".", b"*\xe4.py\n").excludes("z\udce4.py", is_folder=False)


def test_a_hostile_file_takes_no_time() -> None:
    hostile = b"\n".join([b"*a" * 60 + b"b", b"**/" * 60 + b"x", b"[" * 200_000, *(b"[%d" % number * 40 for number in range(2_000))])
    began = time.perf_counter()
    ignoring = Ignoring().within(".", hostile)
    for _ in range(20):
        ignoring.excludes("a" * 250 + "/y" * 40, is_folder=False)
    assert time.perf_counter() - began < 5
