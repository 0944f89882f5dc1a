"""Which paths a pattern means."""

from __future__ import annotations

import time

import pytest

from agents.errors import PathRefused, ToolError
from agents.search.globbing import compiled

PATHS = ["a.py", "b.txt", "src/a.py", "src/deep/er/a.py", "src/x.ts", ".env", "src/.hid/a.py", "odd[1].py"]


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("*.py", ["a.py", "odd[1].py"]),
        ("**/*.py", ["a.py", "src/a.py", "src/deep/er/a.py", "src/.hid/a.py", "odd[1].py"]),
        ("src/**/*.py", ["src/a.py", "src/deep/er/a.py", "src/.hid/a.py"]),
        ("src/*/er/a.py", ["src/deep/er/a.py"]),
        ("./src/*", ["src/a.py", "src/x.ts"]),
        ("src/*.{py,ts}", ["src/a.py", "src/x.ts"]),
        ("{a,b}.{py,txt}", ["a.py", "b.txt"]),
        ("?.py", ["a.py"]),
        ("[ab].*", ["a.py", "b.txt"]),
        ("[!a].*", ["b.txt"]),
        ("odd[[]1].py", ["odd[1].py"]),
        (".*", [".env"]),
        ("src/**", ["src/a.py", "src/deep/er/a.py", "src/x.ts", "src/.hid/a.py"]),
        ("**", PATHS),
        ("{a.py", []),
    ],
)
def test_a_pattern_means_these_paths(pattern: str, found: list[str]) -> None:
    assert [path for path in PATHS if compiled(pattern)(path)] == found


@pytest.mark.parametrize("pattern", ["/etc/*", "../*", "a/../../b"])
def test_a_pattern_cannot_leave_its_folder(pattern: str) -> None:
    with pytest.raises(PathRefused, match="leaves the folder"):
        compiled(pattern)


def test_too_many_alternatives_are_refused() -> None:
    with pytest.raises(ToolError, match="too many alternatives"):
        compiled("{a,b}" * 10)


def test_a_pattern_too_long_is_refused_in_no_time() -> None:
    began = time.perf_counter()
    with pytest.raises(ToolError, match="too long"):
        compiled("[" * 100_000)
    assert time.perf_counter() - began < 20


def test_a_pattern_of_many_stars_takes_no_time() -> None:
    began = time.perf_counter()
    assert not compiled("*a" * 40 + "b/" + "**/" * 20 + "x")("a" * 250 + "/y" * 50)
    assert time.perf_counter() - began < 20
