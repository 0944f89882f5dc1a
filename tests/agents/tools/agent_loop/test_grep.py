from __future__ import annotations

import asyncio
import os

import pytest

from agents.tools.tool import ToolResult
from tests.agents.tools.hands import Hands


async def grep(hands: Hands, pattern: str, path: str = ".", **args: object) -> ToolResult:
    return await hands.call("grep", pattern=pattern, path=path, **args)


async def test_matches_stand_with_their_place_and_are_counted(hands: Hands) -> None:
    hands.put({"b.txt": "one\nhit here\n", "a/x.txt": "hit\nhit\n"})
    result = await grep(hands, "hit")
    assert result.output == "a/x.txt:1: hit\na/x.txt:2: hit\nb.txt:2: hit here\n\n[3 matches in 2 files]"
    assert (result.metadata["total_matches"], result.metadata["files"], result.metadata["truncated"]) == (3, 2, False)


async def test_lines_around_a_match_are_told_from_matches(hands: Hands) -> None:
    hands.put({"a.txt": "".join(f"{number}\n" for number in range(1, 10))})
    assert (await grep(hands, "^[28]$", context=1)).output.splitlines()[:7] == [
        "a.txt-1- 1", "a.txt:2: 2", "a.txt-3- 3", "--", "a.txt-7- 7", "a.txt:8: 8", "a.txt-9- 9",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("limit", "context", "rows"),
    [
        (1, 0, ["a.txt:2: hit"]),
        (1, 1, ["a.txt-1- one", "a.txt:2: hit", "a.txt-3- hit"]),
        (1, 2, ["a.txt-1- one", "a.txt:2: hit", "a.txt-3- hit", "a.txt-4- four"]),
        (2, 1, ["a.txt-1- one", "a.txt:2: hit", "a.txt:3: hit", "a.txt-4- four"]),
    ],
)
async def test_behind_the_last_match_only_its_own_lines_are_shown(hands: Hands, limit: int, context: int, rows: list[str]) -> None:
    hands.put({"a.txt": "one\nhit\nhit\nfour\nfive\nsix\nseven\neight\nhit\n"})
    result = await grep(hands, "hit", limit=limit, context=context)
    more = f"[{limit} matches limit reached. Use limit={limit + 1} for more, or refine pattern]"
    assert result.output == "\n".join(rows) + f"\n\n{more}\n\n[3 matches in 1 file]"


async def test_twenty_matches_are_shown_unless_more_are_asked_for(hands: Hands) -> None:
    hands.put({"a.txt": "hit\n" * 57})
    result = await grep(hands, "hit")
    assert result.output.endswith(
        "a.txt:20: hit\n\n[20 matches limit reached. Use limit=21 for more, or refine pattern]\n\n[57 matches in 1 file]"
    )
    assert "limit reached" not in (await grep(hands, "hit", limit=57)).output
    assert "limit reached" not in (await grep(hands, "hit", limit=58)).output


async def test_nothing_found_is_said_with_numbers(hands: Hands) -> None:
    hands.put({"d/a.txt": "one\n"})
    assert (await grep(hands, "zzz", "d")).output == "No matches found for 'zzz' in d (0 matches in 0 files)."


async def test_paths_start_from_cwd(hands: Hands) -> None:
    hands.put({"d/a.txt": "hit\n", "top.txt": "hit\n"})
    assert (await grep(hands, "hit", ".", cwd="d")).output.startswith("a.txt:1: hit\n\n")
    assert (await grep(hands, "hit", "a.txt", cwd="d")).output.startswith("a.txt:1: hit\n\n")
    assert (await grep(hands, "hit", "../top.txt", cwd="d")).output.startswith("../top.txt:1: hit\n\n")


@pytest.mark.parametrize(
    ("pattern", "path", "said"),
    [("(", ".", "regex parse error"), ("x", "gone", "File not found: gone"), ("x", "..", "outside"), ("x", "/etc", "outside")],
)
async def test_what_cannot_be_searched_is_told(hands: Hands, pattern: str, path: str, said: str) -> None:
    error = (await grep(hands, pattern, path)).error or ""
    assert error.startswith("Tool execution error: ")
    assert said in error


async def test_a_pattern_that_looks_like_an_option_is_a_pattern(hands: Hands) -> None:
    hands.put({"a.txt": "--files\n-n\n"})
    assert "a.txt:1: --files" in (await grep(hands, "--files")).output
    assert "a.txt:2: -n" in (await grep(hands, "-n")).output


@pytest.mark.parametrize("toolset", ["agent_loop", "oats"])
async def test_no_search_waits_at_a_pipe(hands: Hands, toolset: str) -> None:
    hands.toolset = toolset
    os.mkfifo(hands.root / "pipe")
    async with asyncio.timeout(20):
        assert "'pipe' is a pipe, socket or device" in str((await grep(hands, "x", "pipe")).error)
