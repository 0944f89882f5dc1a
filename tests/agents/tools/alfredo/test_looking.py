"""`list_files`, `search_files` and `list_code_definition_names`."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any

import pytest

from agents.permissions import Rule, barring
from agents.tools.alfredo import list_code_definition_names, list_files, search_files
from agents.tools.tool import ToolResult
from tests.agents.tools.hands import Hands

TREE: dict[str, str | bytes] = {
    "README.md": "hello\n", "src/main.py": "import pandas as pd\n\n\nclass Main:\n    def go(self):\n        pass\n",
    "src/deep/er.py": "from pandas import DataFrame  \n", "src/b.bin": b"pandas\0", ".git/config": "pandas\n", ".gitignore": "out/\n",
    "out/made.py": "import pandas\n", "node_modules/x/i.js": "pandas\n", ".hidden": "pandas hidden\n",
}  # fmt: skip


def ruled(hands: Hands, *rules: Rule) -> Callable[..., Any]:
    """Calls a tool where these rules hold."""

    async def call(name: str, **args: Any) -> ToolResult:
        context = hands.context()
        context.barred = barring(rules)
        return await hands.tool(name, args).run(context)

    return call


async def test_a_folder_is_listed_by_name_with_sizes(hands: Hands) -> None:
    hands.put(TREE)
    top = await hands.call("list_files", path="src")
    assert top.output == "Contents of src:\n\n[FILE] src/b.bin (7 bytes)\n[DIR]  src/deep/\n[FILE] src/main.py (65 bytes)"
    assert "[DIR]  .git/\n" in (await hands.call("list_files", path=".", recursive="false")).output


async def test_a_listing_of_all_below_leaves_out_what_nobody_looks_for(hands: Hands) -> None:
    hands.put(TREE)
    every = await hands.call("list_files", path=".", recursive="true")
    assert every.output.splitlines()[2:] == [
        "[FILE] .gitignore (5 bytes)", "[FILE] .hidden (14 bytes)", "[FILE] README.md (6 bytes)", "[DIR]  src/",
        "[FILE] src/b.bin (7 bytes)",        "[DIR]  src/deep/", "[FILE] src/deep/er.py (31 bytes)", "[FILE] src/main.py (65 bytes)",
    ]  # fmt: skip
    assert "out/made.py" in (await hands.call("list_files", path="out", recursive="true")).output


async def test_an_empty_folder_says_so(hands: Hands) -> None:
    (hands.root / "bare").mkdir()
    assert (await hands.call("list_files", path="bare", recursive=True)).output == "Directory is empty: bare"


async def test_a_long_listing_is_cut(hands: Hands) -> None:
    hands.put({f"many/{number:04}": "" for number in range(list_files.MOST_ENTRIES + 1)})
    for recursive in ("true", "false"):
        result = await hands.call("list_files", path="many", recursive=recursive)
        assert result.output.count("[FILE]") == list_files.MOST_ENTRIES
        assert "[Only the first 1000 entries; list a folder further in to see others]" in result.output
        assert result.metadata["truncated"]


@pytest.mark.parametrize("name", ["list_files", "search_files", "list_code_definition_names"])
@pytest.mark.parametrize(
    ("path", "said"),
    [("gone", "Directory not found: gone"), ("README.md", "Path is not a directory: README.md"), ("../", "outside"),
     ("README.md/x", "not a folder")],
)  # fmt: skip
async def test_what_is_no_folder_is_said(hands: Hands, name: str, path: str, said: str) -> None:
    hands.put(TREE)
    more = {"regex": "x"} if name == "search_files" else {}
    assert said in ((await hands.call(name, path=path, **more)).error or "")


async def test_matches_are_shown_file_by_file_with_their_lines(hands: Hands) -> None:
    hands.put(TREE)
    found = await hands.call("search_files", path="src", regex="import pandas|from pandas", file_pattern="*.py")
    assert found.output == (
        "Found 2 match(es):\n\nsrc/deep/er.py:\n  1: from pandas import DataFrame\n\nsrc/main.py:\n  1: import pandas as pd"
    )
    everywhere = await hands.call("search_files", path=".", regex="pandas")
    assert [line for line in everywhere.output.splitlines() if line.endswith(":")][1:] == [".hidden:", "src/deep/er.py:", "src/main.py:"]
    assert (await hands.call("search_files", path=".", regex="nosuch.*word")).output == ("No matches found for pattern 'nosuch.*word' in .")


@pytest.mark.parametrize(
    ("regex", "text", "numbers"),
    [
        (r"(?<=def )\w+", "def f\nclass g\n", [1]),
        (r"(\w)\1", "abba\nabc\n", [1]),
        (r"(?P<q>['\"]).*?(?P=q)", "'a'\n'a\n", [1]),
        (r"a(?!b)", "ab\nac\n", [2]),
        (r"^\s*$", "a\n \n\nb\n", [2, 3]),
        (r"(?i)HELLO", "hello\n", [1]),
        (r"b\Z", "ab\nba\n", [1]),
        (r"[[a]", "[\na\nb\n", [1, 2]),
        (r"[a[]x", "[x\nax\n]x\n", [1, 2]),
        (r"é|\u00e8|\N{LATIN SMALL LETTER U WITH GRAVE}", "é\nè\nù\ne\n", [1, 2, 3]),
        (r"(?u)\w{2,}+", "a\nab\n", [2]),
        (r"a$", "a\r\nb\r\nca\n", [1, 3]),
        (r"^$|[$]", "a\r\n\r\n$\n", [2, 3]),
        (r"o[^x]", "two\nox\nor\n", [3]),
        (r"o\s", "two\no x\n", [2]),
        (r"x{,2}y", "y\nz\n", [1]),
        (r"[a&&b]", "&\nc\n", [1]),
        (r"a\vb", "a\x0bb\na b\n", [1]),
    ],
)
async def test_patterns_mean_what_they_mean_in_python(hands: Hands, regex: str, text: str, numbers: list[int]) -> None:
    hands.put({"a.txt": text})
    found = await hands.call("search_files", path=".", regex=regex)
    assert [int(line.split(":")[0]) for line in found.output.splitlines() if line.startswith("  ")] == numbers


@pytest.mark.parametrize("regex", ["(", "a**", "[", r"\Q", "(?P<1>a)", "x" * 10_001])
async def test_a_pattern_that_is_none_is_refused_even_where_there_is_nothing_to_search(hands: Hands, regex: str) -> None:
    (hands.root / "bare").mkdir()
    result = await hands.call("search_files", path="bare", regex=regex)
    assert "pattern" in (result.error or "")


async def test_a_pattern_that_would_run_for_ever_is_ended_and_not_taken_for_no_match(hands: Hands) -> None:
    hands.put({"a.txt": "x" + "a" * 60 + "!\n", "b.txt": "xaaa\n"})
    result = await hands.call("search_files", path=".", regex="x(a+)+$")
    assert "match limit" in (result.error or "")


async def test_what_is_too_much_is_cut_and_said(hands: Hands) -> None:
    hands.put({f"{number}.txt": "x\n" * 250 for number in range(3)})
    found = await hands.call("search_files", path=".", regex="x")
    assert found.output.count("  1: x") == 3
    assert found.metadata["total_matches"] == search_files.MOST_MATCHES
    assert "[Stopped after 500 lines" in found.output
    one = await hands.call("search_files", path=".", regex="x", file_pattern="1.*")
    assert "[Only 200 matches of 1.txt are shown]" in one.output


async def test_file_patterns_are_about_names_or_about_paths(hands: Hands) -> None:
    hands.put({"a.py": "x\n", "src/b.py": "x\n", "src/in/c.ts": "x\n", "d.txt": "x\n"})
    for pattern, files in (("*.{py,ts}", 3), ("src/*", 1), ("src/**", 2), ("*", 4), ("", 4), ("nosuch", 0)):
        assert (await hands.call("search_files", path=".", regex="x", file_pattern=pattern)).metadata["files"] == files


async def test_names_that_files_define_are_listed_with_their_lines(hands: Hands) -> None:
    hands.put(
        TREE | {"src/page.tsx": "export const Page = () => <p/>;\ninterface Props {}\n", "src/empty.js": "", "src/notes.txt": "def f"}
    )
    found = await hands.call("list_code_definition_names", path="src")
    assert found.output == (
        "Code definitions in src/:\n\nsrc/main.py:\n  - Main (line 4)\n  - go (line 5)\n\n"
        "src/page.tsx:\n  - Page (line 1)\n  - Props (line 2)"
    )
    assert (found.metadata["total_files"], found.metadata["definitions"]) == (2, 4)
    assert (await hands.call("list_code_definition_names", path="src/deep")).output == (
        "No definitions found in source files. Looked in src/deep/"
    )


async def test_of_very_many_names_some_are_left_out_and_large_files_are_counted(hands: Hands) -> None:
    hands.put({"a.py": "def f(): pass\n" * 2500, "b.py": "x = 1\n" * 200_000})
    found = await hands.call("list_code_definition_names", path=".")
    assert found.metadata["definitions"] == list_code_definition_names.MOST_NAMES
    assert "[Stopped after 2000 names" in found.output
    hands.put({"a.py": ""})
    assert "[1 file left out: too large, or not to be read]" in (await hands.call("list_code_definition_names", path=".")).output


@pytest.mark.parametrize("rule", [Rule("*", "secret/**", "deny"), Rule("read_file", "secret/**", "deny")])
async def test_what_a_rule_denies_is_in_no_list_and_no_search(hands: Hands, rule: Rule) -> None:
    hands.put({"secret/key.py": "def hidden(): pass\n", "open.py": "def seen(): pass\n"})
    call = ruled(hands, rule)
    for name, more in (("list_files", {"recursive": "true"}), ("search_files", {"regex": "def"}), ("list_code_definition_names", {})):
        result = await call(name, path=".", **more)
        assert "key.py" not in result.output
        assert "hidden" not in result.output
        assert "open.py" in result.output
        assert "[1 path left out: a rule of this project denies looking there]" in result.output


async def test_a_link_to_what_a_rule_denies_is_left_out_and_one_that_leads_out_is_never_followed(hands: Hands) -> None:
    hands.put({"secret/key.py": "def hidden(): pass\n"})
    (hands.root / "alias.py").symlink_to("secret/key.py")
    (hands.root / "out.py").symlink_to("/etc/passwd")
    call = ruled(hands, Rule("*", "secret/**", "deny"))
    for name, more in (("list_files", {"recursive": "true"}), ("search_files", {"regex": "."}), ("list_code_definition_names", {})):
        result = await call(name, path=".", **more)
        assert "alias.py" not in result.output
        assert "hidden" not in result.output
        assert "root:" not in result.output


async def test_a_pattern_that_takes_long_to_understand_is_refused_at_once(hands: Hands) -> None:
    hands.put(TREE)
    began = monotonic()
    result = await hands.call("search_files", path=".", regex="(?i)" + "[!-\U0010ffff]" * 1000)
    assert "more than 50 sets in brackets" in str(result.error)
    assert monotonic() - began < 5
