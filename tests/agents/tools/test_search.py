"""grep and glob over real files with the real ripgrep."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents.permissions import Rule, barring
from agents.sandboxes.choose import strongest
from tests.agents.tools.hands import Hands


@pytest.fixture
def tree(hands: Hands) -> Hands:
    (hands.root / ".git").mkdir()
    hands.put({
        ".git/config": "needle", ".gitignore": "build/\n", "build/out.js": "needle\n", ".github/ci.yml": "needle: yes\n",
        "src/a.py": "import os\n# a Needle\nneedle = 1\n", "src/b.ts": "const needle = 2\n", "-odd.txt": "-needle\n",
    })  # fmt: skip
    return hands


async def lines(hands: Hands, pattern: str, **args: Any) -> list[str]:
    result = await hands.call("grep", pattern=pattern, **args)
    assert result.error is None
    return result.output.splitlines()


async def test_files_with_matches_are_listed_in_order_without_git_and_ignored(tree: Hands) -> None:
    assert await lines(tree, "needle") == ["-odd.txt", ".github/ci.yml", "src/a.py", "src/b.ts"]


async def test_content_and_count_name_path_and_line(tree: Hands) -> None:
    assert await lines(tree, "needle", output_mode="content", path="src") == ["src/a.py:3:needle = 1", "src/b.ts:1:const needle = 2"]
    assert await lines(tree, "needle", output_mode="count", case_insensitive=True, path="src/a.py") == ["src/a.py:2"]


@pytest.mark.parametrize("mode", ["files", "content", "count"])
async def test_nothing_is_said_of_a_file_that_a_rule_denies(tree: Hands, mode: str) -> None:
    args = {"pattern": "needle", "output_mode": mode, "context_lines": 1}
    tool, context = tree.tool("grep", args), tree.context()
    everything = (await tool.run(context)).output.splitlines()
    barred = barring((Rule("*", "*", "allow"), Rule("read", "src/a.*", "deny")))
    result = await tool.run(replace(context, barred=barred))
    said = result.output.splitlines()
    assert said[-1] == "[1 file with matches passed over: a rule of this project denies reading there]"
    left = [line for line in everything if not line.startswith("src/a.py")]
    assert [line for line in said[:-2] if line != "--"] == [line for line in left if line != "--"]
    assert "src/b.ts" in result.output


async def test_context_lines_are_shown_around_a_match(tree: Hands) -> None:
    assert await lines(tree, "Needle", output_mode="content", context_lines=1) == [
        "src/a.py-1-import os", "src/a.py:2:# a Needle", "src/a.py-3-needle = 1",
    ]  # fmt: skip


async def test_glob_and_type_narrow_the_search(tree: Hands) -> None:
    assert await lines(tree, "needle", glob="*.ts") == ["src/b.ts"]
    assert await lines(tree, "needle", type="py") == ["src/a.py"]


async def test_no_match_is_no_error(tree: Hands) -> None:
    assert await lines(tree, "nowhere") == ["No matches for 'nowhere' in the workspace."]


@pytest.mark.parametrize("pattern", ["-needle", "--help", "-e"])
async def test_a_pattern_that_looks_like_an_option_is_a_pattern(pattern: str, tree: Hands) -> None:
    result = await tree.call("grep", pattern=pattern)
    assert (result.error, result.output.splitlines()[0]) == (
        None,
        "-odd.txt" if pattern == "-needle" else f"No matches for {pattern!r} in the workspace.",
    )


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        ({"pattern": "("}, "regex parse error"),
        ({"pattern": "x", "type": "nosuch"}, "unrecognized file type: nosuch"),
        ({"pattern": "x", "glob": "[a"}, "glob"),
        ({"pattern": "x", "path": "gone"}, "File not found: gone"),
        ({"pattern": "x", "path": ".."}, ".."),
        ({"pattern": "x", "output_mode": "lines"}, "output_mode"),
        ({"pattern": ""}, "pattern"),
    ],
)
async def test_a_search_that_cannot_be_made_says_why(args: dict[str, Any], reason: str, tree: Hands) -> None:
    assert reason in str((await tree.call("grep", **args)).error)


async def test_a_flood_of_matches_stops_at_the_cap(hands: Hands) -> None:
    hands.put({f"f{n}.txt": "hit\n" * 20_000 for n in range(5)})
    result = await hands.call("grep", pattern="hit", output_mode="content")
    assert result.output.splitlines()[199] == "f0.txt:200:hit"
    assert "[Showing the first 200 lines" in result.output
    assert (result.metadata["total_matches"], result.metadata["truncated"]) == (200, True)


async def test_binary_files_are_left_out(hands: Hands) -> None:
    hands.put({"bin": b"\0\0needle\n" * 9, "late": b"needle\n" * 99_999 + b"\0", "text": "needle\n"})
    assert "text:1:needle" in (await lines(hands, "needle", output_mode="content", path="text"))
    assert "bin" not in await lines(hands, "needle")


async def test_searching_works_in_the_strongest_sandbox(tmp_path: Path) -> None:
    hands = Hands(tmp_path, strongest())
    hands.put({"src/a.py": "needle\n"})
    assert await lines(hands, "needle", output_mode="content") == ["src/a.py:1:needle"]
    assert (await hands.call("glob", pattern="**/*.py")).output == "src/a.py"
    assert "parse error" in str((await hands.call("grep", pattern="(")).error)


async def test_glob_gives_the_last_changed_first(hands: Hands) -> None:
    hands.put({"old.py": "", "sub/new.py": "", "mid.py": ""})
    for path, time in (("old.py", 1), ("mid.py", 2), ("sub/new.py", 3)):
        os.utime(hands.root / path, (time, time))
    assert (await hands.call("glob", pattern="**/*.py")).output == "sub/new.py\nmid.py\nold.py"
    assert (await hands.call("glob", pattern="*.py")).output == "mid.py\nold.py"


async def test_glob_finds_hidden_files_never_git_and_ignored_ones_last(tree: Hands) -> None:
    assert (await tree.call("glob", pattern="**/*.yml")).output == ".github/ci.yml"
    assert "config" not in (await tree.call("glob", pattern="**/*")).output
    assert (await tree.call("glob", pattern="**/*.js")).output == "build/out.js\n\n[.gitignore excludes all of these]"
    assert (await tree.call("glob", pattern="*.py", path="src")).output == "src/a.py"


async def test_glob_shows_five_hundred_and_counts_all(hands: Hands) -> None:
    hands.put({f"f{n:04}.txt": "" for n in range(510)})
    result = await hands.call("glob", pattern="*.txt")
    assert len(result.output.splitlines()) == 502
    assert "[Showing 500 of 510 matches" in result.output
    assert (result.metadata["total_matches"], result.metadata["shown_matches"], result.metadata["truncated"]) == (510, 500, True)


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        ({"pattern": "*", "path": "gone"}, "File not found: gone"),
        ({"pattern": "*", "path": "src/a.py"}, "not a folder"),
        ({"pattern": "/etc/*"}, "leaves the folder"),
        ({"pattern": "../*"}, "leaves the folder"),
        ({"pattern": ""}, "pattern"),
    ],
)
async def test_a_glob_that_cannot_be_made_says_why(args: dict[str, Any], reason: str, tree: Hands) -> None:
    assert reason in str((await tree.call("glob", **args)).error)
    assert (await tree.call("glob", pattern="*.none")).output == "No files match '*.none' in the workspace."
