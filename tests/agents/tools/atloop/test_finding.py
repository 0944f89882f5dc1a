"""glob and search over real files with the real ripgrep."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agents.permissions import Rule, barring
from agents.tools.tool import ToolResult
from tests.agents.tools.hands import Hands

DENIED = barring((Rule("*", "*", "allow"), Rule("read", "src/a.*", "deny")))


@pytest.fixture
def tree(hands: Hands) -> Hands:
    (hands.root / ".git").mkdir()
    hands.put({
        ".git/config": "needle", ".gitignore": "build/\n", "build/out.js": "needle\n", ".env": "needle=1\n",
        ".github/ci.yml": "needle: yes\n",
        "src/a.py": "import os\n# a Needle\nneedle = 1\nlast\n", "src/deep/b.ts": "const needle = 2\n", "z.py": "", "-odd.txt": "-needle\n",
    })  # fmt: skip
    return hands


async def names(hands: Hands, pattern: str, **more: Any) -> list[str]:
    result = await hands.call("glob", pattern=pattern, **more)
    assert result.error is None
    return list(result.metadata["matched_files"])


async def lines(hands: Hands, query: str, **more: Any) -> list[str]:
    result = await hands.call("search", query=query, **more)
    assert result.error is None
    return result.output.splitlines()


async def without_denied(hands: Hands, name: str, **args: Any) -> ToolResult:
    return await hands.tool(name, args).run(replace(hands.context(), barred=DENIED))


# --- glob --------------------------------------------------------------------------------------------------------------


async def test_files_stand_in_the_order_of_their_paths_with_their_own_names(tree: Hands) -> None:
    everything = await names(tree, "**/*")
    assert everything == ["-odd.txt", ".env", ".github/ci.yml", ".gitignore", "src/a.py", "src/deep/b.ts", "z.py"]
    assert everything == sorted(everything)
    assert await names(tree, ".*") == [".env", ".gitignore"]


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("*.py", ["z.py"]), ("**/*.py", ["src/a.py", "z.py"]), ("src/**", ["src/a.py", "src/deep/b.ts"]), ("./src/*.py", ["src/a.py"]),
        ("src/*.{py,ts}", ["src/a.py"]), ("**/?.[pt]*", ["src/a.py", "src/deep/b.ts", "z.py"]), ("build/*", ["build/out.js"]),
        ("src/a.py", ["src/a.py"]), ("SRC/*", []), (".git/*", []), ("[*", []),
    ],
)  # fmt: skip
async def test_patterns_are_about_paths_from_the_root(pattern: str, found: list[str], tree: Hands) -> None:
    assert await names(tree, pattern) == found


async def test_what_is_found_is_listed_a_file_a_line(tree: Hands) -> None:
    assert (await tree.call("glob", pattern="**/*.py")).output == "Found 2 file(s) matching pattern '**/*.py':\n  - src/a.py\n  - z.py\n"
    assert (await tree.call("glob", pattern="*.rs")).output == "No files match '*.rs'."
    assert "src/** finds" in (await tree.call("glob", pattern="src/")).output
    assert ".gitignore excludes all of these" in (await tree.call("glob", pattern="build/*")).output


async def test_more_than_were_asked_for_are_counted(tree: Hands) -> None:
    result = await tree.call("glob", pattern="**/*", max_results=2)
    assert result.metadata == {
        "pattern": "**/*", "max_results": 2, "matched_count": 2, "total_matches": 7, "matched_files": ["-odd.txt", ".env"],
    }  # fmt: skip
    assert "Found 7 file(s)" in result.output
    assert "first 2" in result.output


async def test_a_pattern_may_begin_where_commands_see_the_workspace(tree: Hands) -> None:
    assert await names(tree, f"{tree.sandbox.mount}/src/*.py") == ["src/a.py"]


@pytest.mark.parametrize("pattern", ["../*", "/etc/*", "src/../../*"])
async def test_a_pattern_that_leaves_the_workspace_is_refused(pattern: str, tree: Hands) -> None:
    assert "leaves the workspace" in str((await tree.call("glob", pattern=pattern)).error)


@pytest.mark.parametrize("args", [{"pattern": ""}, {"pattern": "*", "max_results": 0}, {"pattern": "x" * 1001}, {}])
async def test_a_glob_that_makes_no_sense_is_refused(args: dict[str, Any], tree: Hands) -> None:
    assert (await tree.call("glob", **args)).error is not None


async def test_a_file_that_a_rule_denies_is_not_named(tree: Hands) -> None:
    result = await without_denied(tree, "glob", pattern="src/**")
    assert result.metadata["matched_files"] == ["src/deep/b.ts"]
    assert "a.py" not in result.output
    assert "1 file left out: a rule of this project denies" in result.output


# --- search ------------------------------------------------------------------------------------------------------------


async def test_matches_are_given_with_path_and_line(tree: Hands) -> None:
    assert await lines(tree, "needle") == [
        "-odd.txt:1:-needle", ".env:1:needle=1", ".github/ci.yml:1:needle: yes", "src/a.py:3:needle = 1",
        "src/deep/b.ts:1:const needle = 2",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ({"-A": 1}, ["src/a.py:2:# a Needle", "src/a.py-3-needle = 1"]),
        ({"-B": 1}, ["src/a.py-1-import os", "src/a.py:2:# a Needle"]),
        ({"-C": 1}, ["src/a.py-1-import os", "src/a.py:2:# a Needle", "src/a.py-3-needle = 1"]),
        ({"-A": 2, "-C": 1}, ["src/a.py-1-import os", "src/a.py:2:# a Needle", "src/a.py-3-needle = 1", "src/a.py-4-last"]),
        ({"-n": False}, ["src/a.py:# a Needle"]),
        ({"-n": False, "-B": 1}, ["src/a.py-import os", "src/a.py:# a Needle"]),
        ({"output_mode": "files_with_matches"}, ["src/a.py"]),
        ({"output_mode": "count"}, ["src/a.py:1"]),
        ({"output_mode": "count", "-i": True}, ["src/a.py:2"]),
        ({"output_mode": "count", "-n": False}, ["src/a.py:1"]),
        ({"-i": True}, ["src/a.py:2:# a Needle", "src/a.py:3:needle = 1"]),
    ],
)
async def test_options_are_those_of_grep(more: dict[str, Any], found: list[str], tree: Hands) -> None:
    assert await lines(tree, "Needle", glob="src/*.py", **more) == found


async def test_a_glob_is_about_names_anywhere_or_about_paths(tree: Hands) -> None:
    assert await lines(tree, "needle", glob="*.ts", output_mode="files_with_matches") == ["src/deep/b.ts"]
    assert await lines(tree, "needle", glob="src/**/*.ts", output_mode="files_with_matches") == ["src/deep/b.ts"]
    assert await lines(tree, "needle", glob="./src/*", output_mode="files_with_matches") == ["src/a.py"]
    assert await lines(tree, "needle", glob=".env", output_mode="files_with_matches") == [".env"]


async def test_no_match_is_no_error(tree: Hands) -> None:
    assert await lines(tree, "nowhere") == ["No matches for 'nowhere' in the workspace."]
    assert await lines(tree, "nowhere", glob="*.py") == ["No matches for 'nowhere' in the workspace in files like *.py."]


async def test_a_query_that_looks_like_an_option_is_a_query(tree: Hands) -> None:
    assert await lines(tree, "-needle") == ["-odd.txt:1:-needle"]


@pytest.mark.parametrize("query", ["(", "a{2", "[z-a]", "(?P<x"])
async def test_a_query_that_is_no_regular_expression_is_an_error(query: str, tree: Hands) -> None:
    result = await tree.call("search", query=query)
    assert "The search could not be made" in str(result.error)
    assert "regex" in str(result.error)


async def test_a_glob_that_is_none_is_an_error(tree: Hands) -> None:
    assert "glob" in str((await tree.call("search", query="x", glob="[*")).error)


async def test_more_than_were_asked_for_are_told_of(tree: Hands) -> None:
    found = await lines(tree, "needle", max_results=2)
    assert found[:2] == ["-odd.txt:1:-needle", ".env:1:needle=1"]
    assert "there are more" in found[-1]
    tree.put({"many.txt": "needle\n" * 60})
    result = await tree.call("search", query="needle", glob="many.txt")
    assert (result.output.count("needle"), result.metadata["truncated"], result.metadata["shown"]) == (50, True, 50)


@pytest.mark.parametrize(
    "args", [{"query": ""}, {"query": "x", "-A": -1}, {"query": "x", "output_mode": "files"}, {"query": "x", "-i": "so"}]
)
async def test_a_search_that_makes_no_sense_is_refused(args: dict[str, Any], tree: Hands) -> None:
    assert list(args)[-1] in str((await tree.call("search", **args)).error)


@pytest.mark.parametrize("more", [{}, {"-C": 1}, {"-n": False}, {"output_mode": "files_with_matches"}, {"output_mode": "count"}])
async def test_nothing_is_said_of_a_file_that_a_rule_denies(more: dict[str, Any], tree: Hands) -> None:
    result = await without_denied(tree, "search", query="needle", **more)
    assert "a.py" not in result.output
    assert "src/deep/b.ts" in result.output
    assert "1 file with matches passed over" in result.output


def test_the_names_of_options_are_those_of_grep(hands: Hands) -> None:
    call = hands.tool("search", {"query": "x", "-A": 3})
    assert {"-A": 3, "-B": 0, "-C": 0, "-i": False, "-n": True}.items() <= call.arguments().items()
    assert {"-A", "-B", "-C", "-i", "-n"} < set(type(call).parameters()["properties"])
