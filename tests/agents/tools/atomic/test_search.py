"""search over real files, with the real ripgrep."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agents.edits.hashline.tags import tag_of
from agents.sandboxes.choose import strongest
from agents.tools.reach import Nesting
from agents.tools.registry import toolset
from tests.agents.tools.hands import Hands

APP = "import os\n\ndef main():\n    run()\n\n\n\n\nmain()\n"


@pytest.fixture
def tree(hands: Hands) -> Hands:
    (hands.root / ".git").mkdir()
    hands.put({
        ".git/config": "main", ".gitignore": "build/\n", "build/out.js": "main()\n", "node_modules/m/i.js": "main()\n",
        "README.md": "Main\n", "src/app.py": APP, "src/core/b.py": "x = 1\n", ".github/ci.yml": "main: yes\n",
    })  # fmt: skip
    return hands


def tagged(path: str, text: str) -> str:
    return f"[{path}#{tag_of(text)}]"


async def lines(hands: Hands, pattern: str, paths: str | list[str] = "", **args: Any) -> list[str]:
    result = await hands.call("search", pattern=pattern, paths=paths, **args)
    assert result.error is None
    return result.output.splitlines()


async def test_matches_stand_in_rows_below_a_header_to_edit_by(tree: Hands) -> None:
    assert await lines(tree, "main") == [
        "# .github/", tagged(".github/ci.yml", "main: yes\n"), "*1:main: yes",
        "# src/", tagged("src/app.py", APP), " 2:", "*3:def main():", " 4:    run()", " 5:", " 6:", " 8:", "*9:main()",
    ]  # fmt: skip


async def test_every_file_that_was_shown_can_be_edited_by_its_tag(tree: Hands) -> None:
    await lines(tree, "main")
    assert [snapshot.text for snapshot in tree.reach.snapshots.versions("src/app.py")] == [APP]
    assert not tree.reach.snapshots.versions("src/core/b.py")


async def test_lines_around_matches_are_a_setting(tree: Hands) -> None:
    call = toolset("atomic")["search"].parse({"pattern": "def", "paths": "src"})
    for flags, shown in (
        ({"search.contextBefore": 0, "search.contextAfter": 1}, ["*3:def main():", " 4:    run()"]),
        ({"search.contextBefore": 2, "search.contextAfter": 0}, [" 1:import os", " 2:", "*3:def main():"]),
        ({"search.contextBefore": -1, "search.contextAfter": "many"}, ["*3:def main():", " 4:    run()", " 5:", " 6:"]),
    ):
        context = tree.context()
        context.flags = flags
        assert (await call.run(context)).output.splitlines()[2:] == shown


@pytest.mark.parametrize(
    ("args", "numbers"),
    [
        ({"pattern": "MAIN"}, []),
        ({"pattern": "MAIN", "i": True}, ["*3", "*9"]),
        ({"pattern": "MAIN", "case": False}, ["*3", "*9"]),
        ({"pattern": "(?i)MAIN"}, ["*3", "*9"]),
        ({"pattern": r"(?m)^main\(\)$"}, ["*9"]),
        ({"pattern": "(?x) ^ main  # the call"}, ["*9"]),
        ({"pattern": r"main\(\):\n\s+run"}, ["*3", "*4"]),
        ({"pattern": "main\\(\\):\n    run"}, ["*3", "*4"]),
        ({"pattern": " main"}, ["*3"]),
    ],
)
async def test_patterns_are_ripgreps(args: dict[str, Any], numbers: list[str], tree: Hands) -> None:
    shown = await lines(tree, paths="src/app.py", **args)
    assert [line.partition(":")[0] for line in shown if line.startswith("*")] == numbers


async def test_ignored_files_and_large_folders_are_searched_when_asked(tree: Hands) -> None:
    assert "# build/" not in await lines(tree, "main")
    everything = await lines(tree, "main", gitignore=False)
    assert "# build/" in everything
    assert "# node_modules/m/" in everything
    assert "# .git/" not in everything
    assert "# node_modules/m/" in await lines(tree, "main", "node_modules")


async def test_nested_ignore_files_count_outside_git(hands: Hands) -> None:
    hands.put({"sub/.gitignore": "x.py\n", "sub/x.py": "hit", "x.py": "hit"})
    assert await lines(hands, "hit") == [tagged("x.py", "hit"), "*1:hit"]


@pytest.mark.parametrize("nothing", ["", [], [""], "  ", None])
async def test_without_paths_the_workspace_is_searched(nothing: Any, tree: Hands) -> None:
    assert await lines(tree, "main", nothing) == await lines(tree, "main")


async def test_globs_and_lists_narrow_the_search(tree: Hands) -> None:
    app = ["# src/", tagged("src/app.py", APP), " 8:", "*9:main()"]
    assert await lines(tree, "^main", "*.py") == app
    assert await lines(tree, "^main", "src/*.py, *.nosuch") == app
    assert await lines(tree, "^main", "src/**/*.{py,ts") == app
    assert await lines(tree, "^main", ["src/core", '"src/app.py"', "src"]) == app


async def test_a_sub_agent_searches_where_it_works(tree: Hands) -> None:
    tree.nesting = Nesting(depth=1, working_dir="src/core")
    assert (await lines(tree, "main|x")) == ["# src/core/", tagged("src/core/b.py", "x = 1\n"), "*1:x = 1"]


async def test_a_line_range_limits_matches_and_not_what_is_around_them(tree: Hands) -> None:
    assert (await lines(tree, "main", "src/app.py:4-9"))[2:] == [" 8:", "*9:main()"]
    assert (await lines(tree, "main", "src/app.py:3"))[2:] == [" 2:", "*3:def main():", " 4:    run()", " 5:", " 6:", " 8:", "*9:main()"]
    assert (await lines(tree, "main", "src/app.py:1-2,3-3"))[2:] == [" 2:", "*3:def main():", " 4:    run()", " 5:", " 6:"]
    assert await lines(tree, "main", "src/app.py:4-8") == ["No matches found"]
    tree.put({"many.txt": "hit\n" * 3000})
    assert (await lines(tree, "hit", "many.txt:2990-2991"))[2:4] == ["*2990:hit", "*2991:hit"]


async def test_each_of_several_files_has_its_own_line_range(tree: Hands) -> None:
    tree.put({"many.txt": "hit main\n" * 3000})
    (tree.root / "link.txt").symlink_to("many.txt")
    hits = [line for line in await lines(tree, "main", ["src/app.py:9-9", "link.txt:2990-2991", "README.md"], i=True) if line[0] == "*"]
    assert hits == ["*9:main()", "*2990:hit main", "*2991:hit main", "*1:Main"]
    twice = [line for line in await lines(tree, "main", "src/app.py:1-3 src/app.py:9") if line[0] == "*"]
    assert twice == ["*3:def main():", "*9:main()"]
    whole = await lines(tree, "main", ["src/app.py:9", "src/app.py", "many.txt:1-100"])
    assert sum(line.startswith("*") for line in whole) == 2 + 20


async def test_passing_over_files_where_there_is_one_is_told(tree: Hands) -> None:
    shown = await lines(tree, "main", "src/app.py", skip=20)
    assert "*9:main()" in shown
    assert shown[-1] == "[skip is ignored for single-file search]"


async def test_pages_hold_twenty_files_and_skip_turns_them(hands: Hands) -> None:
    hands.put({f"{number:02}.txt": "hit\n" for number in range(45)})
    first = await hands.call("search", pattern="hit")
    assert first.output.endswith("[20 matching files shown. Use skip=20 to view more.]")
    assert first.metadata["files"] == [f"{number:02}.txt" for number in range(20)]
    assert (first.metadata["fileLimitReached"], first.metadata["meta"]["limits"]) == (True, {"fileLimit": 20})
    last = await hands.call("search", pattern="hit", skip=40)
    assert last.metadata["files"] == [f"{number:02}.txt" for number in range(40, 45)]
    assert "skip=" not in last.output
    assert not last.metadata["fileLimitReached"]
    assert (await hands.call("search", pattern="hit", skip=45)).output == "No more results (skip=45)"
    assert (await hands.call("search", pattern="hit", paths="07.txt", skip=45)).metadata["files"] == ["07.txt"]


async def test_twenty_matches_of_each_file_are_shown_and_more_of_one_alone(hands: Hands) -> None:
    hands.put({"a.txt": "hit\n" * 300, "b.txt": "hit\n" * 20})
    both = await hands.call("search", pattern="hit")
    assert both.metadata["fileMatches"] == [{"path": "a.txt", "count": 20}, {"path": "b.txt", "count": 20}]
    assert both.output.endswith("[There are more matches in a.txt. Search one file by itself for 200 of them, or a range of its lines]")
    alone = await hands.call("search", pattern="hit", paths="a.txt")
    assert alone.metadata["matchCount"] == 200


async def test_where_collecting_stops_a_narrower_search_is_advised(hands: Hands) -> None:
    hands.put({f"{number:03}.txt": "hit\n" * 20 for number in range(120)})
    assert "Refine" not in (await hands.call("search", pattern="hit")).output
    last = await hands.call("search", pattern="hit", skip=80)
    assert len(last.metadata["files"]) == 20
    assert "Stopped collecting at 2000 matches. Refine the pattern" in last.output
    behind = await hands.call("search", pattern="hit", skip=100)
    assert behind.output.startswith("No more results (skip=100)")
    assert "Refine the pattern" in behind.output
    assert (behind.metadata["collectionLimitReached"], behind.metadata["fileLimitReached"]) == (True, True)


async def test_the_answer_stays_below_fifty_kilobytes_and_goes_on_with_skip(hands: Hands) -> None:
    hands.put({f"{number:02}.txt": ("hit " + "ä" * 600 + "\n") * 20 for number in range(10)})
    names: list[str] = []
    while len(names) < 10:
        result = await hands.call("search", pattern="hit", skip=len(names))
        assert len(result.output.encode()) <= 50 * 2**10
        assert result.metadata["files"]
        names += result.metadata["files"]
    assert names == [f"{number:02}.txt" for number in range(10)]
    first = await hands.call("search", pattern="hit")
    assert "[50.0KB output limit reached]" in first.output
    assert f"Use skip={first.metadata['fileCount']} to view more." in first.output
    assert first.metadata["linesTruncated"]


async def test_missing_paths_are_told_beside_the_others(tree: Hands) -> None:
    result = await tree.call("search", pattern="^main", paths=["gone", "src"])
    assert result.output.endswith("[Skipped missing paths: gone]")
    assert result.metadata["missingPaths"] == ["gone"]


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        ({"pattern": ""}, "Pattern must not be empty"), ({"pattern": " \n\t"}, "Pattern must not be empty"),
        ({"pattern": "x", "skip": -1}, "Skip must be a non-negative number"), ({"pattern": "("}, "regex parse error"),
        ({"pattern": "x", "skip": float("inf")}, "Skip must be a non-negative number"), ({"pattern": "a\0b"}, "NUL"),
        ({"pattern": "x", "paths": "gone"}, "ENOENT: path not found: gone"), ({"pattern": "x", "paths": "src:1-2"}, "single file"),
        ({"pattern": "x", "paths": "*.py:1-2"}, "single file"), ({"pattern": "x", "paths": "src/app.py:9-2"}, "ends before"),
        ({"pattern": "x", "paths": ["src/app.py:1-2", "src:3"]}, "single file"), ({"pattern": "x", "paths": "../x"}, "outside"),
        ({"pattern": "x", "paths": "https://example.org"}, "page of the web"), ({"pattern": "x", "paths": "vault://KEY"}, "not searched"),
        ({"pattern": "x", "paths": "nosuch://a"}, "nosuch"), ({"pattern": "x" * 20_000}, "10000 characters"),
    ],
)  # fmt: skip
async def test_a_search_that_cannot_be_made_says_why(args: dict[str, Any], reason: str, tree: Hands) -> None:
    assert reason in str((await tree.call("search", **args)).error)


async def test_a_wrong_pattern_is_told_also_where_nothing_is_searched(hands: Hands) -> None:
    assert "regex parse error" in str((await hands.call("search", pattern="(")).error)
    assert (await hands.call("search", pattern="x")).output == "No matches found"


async def test_files_that_are_no_plain_text(hands: Hands) -> None:
    hands.put({
        "binary": b"\0hit\n", "latin1.txt": b"\xe4\nhit \xe4\n", "utf16.txt": "one\nhit ü\n".encode("utf-16"),
        "crlf.txt": b"one\r\nhit\r\n", "bom.txt": b"\xef\xbb\xbfhit\n", "mac.txt": b"one\rhit\rthree\n",
        "large.txt": b"hit\n" * 2**20 + b"\n",
    })  # fmt: skip
    assert await lines(hands, "hit") == [
        tagged("bom.txt", "hit\n"), "*1:hit", tagged("crlf.txt", "one\nhit\n"), " 1:one", "*2:hit",
        "[latin1.txt]", " 1:\ufffd", "*2:hit \ufffd", tagged("mac.txt", "one\nhit\nthree\n"), "*1:one", "*2:hit", "*3:three",
        "[utf16.txt]", " 1:one", "*2:hit ü",
        "", "[Not searched because they are larger than 4 MiB: 1 files, large.txt]",
    ]  # fmt: skip


async def test_odd_names_stay_in_their_line(hands: Hands) -> None:
    hands.put({"new\nline.txt": "hit\n", "z\udce4.txt": "hit\n", "-e": "hit\n"})
    shown = await lines(hands, "hit")
    assert shown == [
        tagged("-e", "hit\n"),
        "*1:hit",
        tagged('"new\\nline.txt"', "hit\n"),
        "*1:hit",
        tagged('"z\\udce4.txt"', "hit\n"),
        "*1:hit",
    ]


async def test_a_file_and_links_to_it_are_one_and_no_link_leads_out(tree: Hands, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("main")
    (tree.root / "src/link.py").symlink_to("app.py")
    (tree.root / "src/loop").symlink_to("..")
    (tree.root / "out.txt").symlink_to(tmp_path / "secret.txt")
    result = await tree.call("search", pattern="^main")
    assert result.metadata["files"] == [".github/ci.yml", "src/app.py"]


async def test_details_tell_what_was_found(tree: Hands) -> None:
    result = await tree.call("search", pattern="main", paths="src")
    assert result.metadata == {
        "pattern": "main", "scopePath": "src", "missingPaths": [], "timedOut": False, "files": ["src/app.py"], "fileCount": 1,
        "matchCount": 2, "totalFiles": 1, "fileMatches": [{"path": "src/app.py", "count": 2}], "linesTruncated": False,
        "displayContent": [{
            "path": "src/app.py", "tag": tag_of(APP), "virtual": False,
            "rows": [[2, False], [3, True], [4, False], [5, False], [6, False], [8, False], [9, True]],
        }],
        "fileLimitReached": False, "collectionLimitReached": False, "truncated": False, "meta": {"limits": {"fileLimit": 20}},
    }  # fmt: skip


async def test_it_works_in_the_strongest_sandbox(tmp_path: Path) -> None:
    hands = Hands(tmp_path, strongest(), toolset="atomic")
    hands.put({"src/app.py": APP})
    assert (await lines(hands, "^main"))[2:] == [" 8:", "*9:main()"]
    assert (await lines(hands, "^main", f"{hands.sandbox.mount}/src/app.py:9"))[2:] == [" 8:", "*9:main()"]


async def test_every_path_is_judged_by_the_rules(tree: Hands) -> None:
    call = tree.tool("search", {"pattern": "x", "paths": ["src/app.py:1-2", "rule://", "z.zip:a"]})
    assert list(call.parts(tree.context())) == [
        (name, subject) for subject in ("src/app.py", "rule://", "z.zip:a") for name in ("search", "read")
    ]  # fmt: skip
    assert call.requires_permission(tree.context()) is None
    asking = tree.tool("search", {"pattern": "x", "paths": "mcp://server/thing"})
    assert asking.requires_permission(tree.context()) == "search mcp://server/thing"
