"""find over real files and folders."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path
from typing import Any

import pytest

from agents.sandboxes.choose import strongest
from agents.tools.reach import Nesting
from tests.agents.tools.hands import Hands

SLOW = [f"*{letter}{{{','.join(map(str, range(60)))}}}" for letter in "abcdefghij"]
"""Globs that fit nothing and take long to say so of thousands of files."""


@pytest.fixture
def tree(hands: Hands) -> Hands:
    (hands.root / ".git").mkdir()
    hands.put({
        ".gitignore": "build/\n", ".git/config": "", "README.md": "", "setup.cfg": "", "src/a.py": "", "src/core/b.py": "",
        "tests/unit/t.py": "", "build/out.js": "", "node_modules/m/index.js": "", ".github/ci.yml": "",
        "sub/.gitignore": "*.tmp\n", "sub/x.tmp": "", "sub/y.txt": "",
    })  # fmt: skip
    return hands


async def lines(hands: Hands, *paths: str, **args: Any) -> list[str]:
    result = await hands.call("find", paths=list(paths), **args)
    assert result.error is None
    return result.output.splitlines()


async def test_what_fits_is_shown_as_a_tree(tree: Hands) -> None:
    assert await lines(tree, "*.py", "*.md", "*.cfg") == [
        "README.md", "setup.cfg", "# src/", "a.py", "## core/", "b.py", "# tests/unit/", "t.py",
    ]  # fmt: skip


async def test_a_folder_means_everything_below_it_and_a_glob_in_it_one_level(tree: Hands) -> None:
    assert await lines(tree, "src") == ["# src/", "a.py", "## core/", "b.py"]
    assert await lines(tree, "src/*") == ["# src/", "a.py", "## core/"]
    assert await lines(tree, "src/*.py") == ["# src/", "a.py"]
    assert await lines(tree, "src/a.py") == ["# src/", "a.py"]


async def test_folders_are_found_by_name_also_empty_ones(tree: Hands) -> None:
    (tree.root / "empty/core").mkdir(parents=True)
    result = await tree.call("find", paths=["core"], gitignore=True)
    assert "ENOENT" in str(result.error)
    result = await tree.call("find", paths=["**/core"])
    assert sorted(result.metadata["files"]) == ["empty/core/", "src/core/"]


async def test_hidden_and_ignored_files_are_a_matter_of_asking(tree: Hands) -> None:
    assert await lines(tree, "*.yml") == ["# .github/", "ci.yml"]
    assert await lines(tree, "*.yml", hidden=False) == ["No files found matching pattern"]
    assert await lines(tree, "*.js") == ["No files found matching pattern"]
    assert await lines(tree, "*.js", gitignore=False) == ["# build/", "out.js"]
    assert await lines(tree, "*.tmp") == ["No files found matching pattern"]
    assert await lines(tree, "*.tmp", gitignore=False) == ["# sub/", "x.tmp"]


async def test_large_folders_are_left_out_unless_they_are_named(tree: Hands) -> None:
    assert await lines(tree, "**/node_modules/**/*.js") == ["# node_modules/m/", "index.js"]
    assert await lines(tree, "node_modules") == ["# node_modules/m/", "index.js"]
    assert await lines(tree, ".git") == ["# .git/", "config"]
    assert "config" not in await lines(tree, "**", gitignore=False)


async def test_nested_ignore_files_count_outside_git(hands: Hands) -> None:
    hands.put({"sub/.gitignore": "/x.py\n", "sub/x.py": "", "sub/in/x.py": "", "x.py": ""})
    assert await lines(hands, "*.py") == ["x.py", "# sub/in/", "x.py"]


async def test_the_last_changed_are_kept_and_the_rest_is_told_of(hands: Hands) -> None:
    hands.put({f"{number}.txt": "" for number in range(9)})
    for number in range(9):
        os.utime(hands.root / f"{number}.txt", (number, number))
    result = await hands.call("find", paths=["*.txt"], limit=2)
    assert result.output == "7.txt\n8.txt\n\n[2 results limit reached: these were changed last. Narrow the paths to see others]"
    assert result.metadata["files"] == ["8.txt", "7.txt"]
    assert (result.metadata["resultLimitReached"], result.metadata["meta"]) == (2, {"limits": {"resultLimit": 2}})
    assert (await hands.call("find", paths=["*.txt"], limit=9)).metadata["resultLimitReached"] is None


@pytest.mark.parametrize(("limit", "used"), [(0, 1), (-5, 1), (999, 200), (7, 7)])
async def test_a_limit_out_of_bounds_is_the_nearest_in_them(limit: int, used: int, hands: Hands) -> None:
    result = await hands.call("find", paths=["."], limit=limit)
    assert result.metadata["meta"]["limits"]["resultLimit"] == used


async def test_paths_may_stand_in_one_string(tree: Hands) -> None:
    assert await lines(tree, "src, tests") == await lines(tree, "src tests") == await lines(tree, '"src"', "tests")
    tree.put({"a, b;c d.txt": ""})
    assert await lines(tree, "a, b;c d.txt") == ["a, b;c d.txt"]
    result = await tree.call("find", paths="*.md")
    assert result.output == "README.md"


async def test_missing_paths_are_told_beside_the_others(tree: Hands) -> None:
    result = await tree.call("find", paths=["gone", "src/*.py", "away"])
    assert result.output.endswith("[Skipped missing paths: gone, away]")
    assert (result.metadata["missingPaths"], result.metadata["files"]) == (["gone", "away"], ["src/a.py"])


@pytest.mark.parametrize(
    ("paths", "reason"),
    [
        ([], "at least one path"), ([""], "must be a path"), (["src", "  "], "must be a path"), (["gone"], "ENOENT: path not found: gone"),
        (["gone", "away"], "ENOENT: path not found: gone, away"), (["/"], "Refusing to search filesystem root"), (["../x"], "outside"),
        (["/etc"], "outside"), (["src/../../x/*"], "outside"), (["src/*/../../x"], "leaves the folder"),
        (["artifact://1"], "list it with read"),
        (["a\0"], "NUL"), (["{a,b}" * 10 + "*"], "too many alternatives"), (["https://example.org"], "page of the web"),
    ],
)  # fmt: skip
async def test_what_cannot_be_looked_for_is_told(paths: list[str], reason: str, tree: Hands) -> None:
    assert reason in str((await tree.call("find", paths=paths)).error)


async def test_nothing_found_is_no_error(tree: Hands) -> None:
    result = await tree.call("find", paths=["*.nosuch"])
    assert (result.error, result.output) == (None, "No files found matching pattern")
    assert (result.metadata["fileCount"], result.metadata["files"], result.metadata["timedOut"]) == (0, [], False)


async def test_the_scope_is_told(tree: Hands) -> None:
    assert (await tree.call("find", paths=["src/*.py"])).metadata["scopePath"] == "src"
    assert (await tree.call("find", paths=["src", "tests"])).metadata["scopePath"] == "."


async def test_a_sub_agent_looks_where_it_works(tree: Hands) -> None:
    tree.nesting = Nesting(depth=1, working_dir="src")
    assert await lines(tree, "*.py") == ["# src/", "a.py", "## core/", "b.py"]
    assert await lines(tree, "tests/**/*.py") == ["# tests/unit/", "t.py"]


async def test_links_are_found_and_lead_nowhere(tree: Hands, tmp_path: Path) -> None:
    (tree.root / "CLAUDE.md").symlink_to("README.md")
    (tree.root / "src/loop").symlink_to("..")
    (tree.root / "out").symlink_to(tmp_path)
    assert await lines(tree, "*.md") == ["CLAUDE.md", "README.md"]
    assert (await tree.call("find", paths=["**/t.py", "out/**"])).error is not None
    assert await lines(tree, "**/t.py") == ["# tests/unit/", "t.py"]


async def test_odd_names_stay_in_their_line(hands: Hands) -> None:
    hands.put({"new\nline.txt": "", "z\udce4.txt": "", "-rf.txt": ""})
    assert sorted(await lines(hands, "*.txt")) == ['"new\\nline.txt"', '"z\\udce4.txt"', "-rf.txt"]


@pytest.fixture
def huge(hands: Hands) -> Hands:
    for number in range(30):
        (hands.root / f"d{number:02}").mkdir()
        for name in range(100):
            (hands.root / f"d{number:02}/{name}.txt").touch()
    return hands


async def test_when_time_is_up_the_partial_results_are_given(huge: Hands) -> None:
    began = time.monotonic()
    result = await huge.call("find", paths=[*SLOW, "*.txt"], timeout=0.5)
    assert time.monotonic() - began < 5
    assert result.metadata["timedOut"]
    assert result.metadata["truncated"]
    assert "Timed out after 0.5s" in result.output
    assert 0 < result.metadata["fileCount"] <= 200


async def test_a_long_search_shows_what_it_found_so_far(huge: Hands) -> None:
    await huge.call("find", paths=[*SLOW, "*.txt"], timeout=1)
    shown = "".join(huge.shown).splitlines()
    assert 0 < len(shown) <= 200
    assert shown[0] == "d00/0.txt"


async def test_a_search_that_is_stopped_ends(huge: Hands) -> None:
    running = asyncio.ensure_future(huge.call("find", paths=SLOW, timeout=60))
    await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


async def test_it_works_in_the_strongest_sandbox(tmp_path: Path) -> None:
    hands = Hands(tmp_path, strongest(), toolset="atomic")
    hands.put({"src/a.py": ""})
    assert await lines(hands, "*.py") == ["# src/", "a.py"]
    assert await lines(hands, f"{hands.sandbox.mount}/src/*.py") == ["# src/", "a.py"]


async def test_every_path_is_judged_by_the_rules(tree: Hands) -> None:
    call = tree.tool("find", {"paths": ["src, tests", "local://sub"]})
    assert list(call.parts(tree.context())) == [("find", "src"), ("find", "tests"), ("find", "sub")]
    assert call.requires_permission(tree.context()) is None
    outside = tree.tool("find", {"paths": ["../x"]})
    assert list(outside.parts(tree.context())) == [("find", "../x")]
