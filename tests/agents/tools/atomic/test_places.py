"""What strings of paths name."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

import pytest

from agents.errors import PathRefused, ToolError
from agents.tools.atomic.places import Target, cleaned, split_glob, subjects, targets
from agents.tools.reach import Nesting
from tests.agents.tools.hands import Hands


@pytest.fixture
def tree(hands: Hands) -> Hands:
    hands.put({
        "src/a.py": "", "src/b.ts": "", "tests/t.py": "", "my file, x.py": "", "a;b.txt": "", "two words/c.py": "", "[id].tsx": "",
        "x.py:5": "", "x.py": "1\n2\n", "z.zip": "", "d.db": "", "sub/dir/s.py": "", "*.lit": "",
    })  # fmt: skip
    return hands


def named(hands: Hands, *given: str, lines: bool = False) -> list[str]:
    """Kind and path of each target, the pattern behind an arrow."""
    return [
        f"{one.kind} {one.path}{' > ' + one.pattern if one.pattern else ''}" for one in targets(hands.context(), given, lines=lines)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("src", ["folder src"]),
        ("src/", ["folder src"]),
        ("  src/a.py\n", ["file src/a.py"]),
        ('"src/a.py"', ["file src/a.py"]),
        ("'src'", ["folder src"]),
        ("`src`", ["folder src"]),
        ("“src”", ["folder src"]),
        ("my file, x.py", ["file my file, x.py"]),
        ("a;b.txt", ["file a;b.txt"]),
        ("a;b.txt,src", ["missing a", "missing b.txt", "folder src"]),
        ("src/a.py, src/b.ts", ["file src/a.py", "file src/b.ts"]),
        ('"src/a.py", "src/b.ts"', ["file src/a.py", "file src/b.ts"]),
        ("src/a.py;gone", ["file src/a.py", "missing gone"]),
        ("gone,away", ["missing gone,away"]),
        ("src tests", ["folder src", "folder tests"]),
        ("src gone", ["missing src gone"]),
        ("src tests, x.py", ["folder src", "folder tests", "file x.py"]),
        ("two words", ["folder two words"]),
        ("two words/*.py", ["folder two words > *.py"]),
        ("*.py", ["folder . > **/*.py"]),
        ("*.py *.ts", ["folder . > **/*.py", "folder . > **/*.ts"]),
        ("*.py,*.ts", ["folder . > **/*.py", "folder . > **/*.ts"]),
        ("*.{py,ts}", ["folder . > **/*.{py,ts}"]),
        ("*.{py,ts}, src", ["folder . > **/*.{py,ts}", "folder src"]),
        ("*.{py,ts", ["folder . > **/*.{py,ts}"]),
        ("src/*", ["folder src > *"]),
        ("src/**/*.py", ["folder src > **/*.py"]),
        ("gone/*.py", ["missing gone > *.py"]),
        ("[id].tsx", ["file [id].tsx"]),
        ("*.lit", ["file *.lit"]),
        ("x.py/*", ["missing x.py > *"]),
        (".", ["folder ."]),
        ("./src", ["folder src"]),
        ("src/../tests", ["folder tests"]),
        ("local://src/*.py", ["folder src > *.py"]),
        ("local://x.py", ["file x.py"]),
        ("local://gone", ["missing gone"]),
        ("rule://", ["resource rule://"]),
        ("z.zip:a/b", ["inside z.zip"]),
        ("d.db?q=SELECT 1", ["inside d.db"]),
        ("gone.zip:a", ["missing gone.zip:a"]),
    ],
)
def test_a_string_names_these(given: str, found: list[str], tree: Hands) -> None:
    assert named(tree, given) == found


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("x.py:5", "file x.py:5"),
        ("x.py:1-2", "file x.py"),
        ("x.py:1-2,4-5", "file x.py"),
        ("local://x.py:1+3", "file x.py"),
        ("z.zip:a/b:1-5", "inside z.zip"),
    ],
)
def test_a_line_range_is_taken_off_where_it_may_stand(given: str, found: str, tree: Hands) -> None:
    (target,) = targets(tree.context(), [given], lines=True)
    assert f"{target.kind} {target.path}" == found
    assert (target.selector is not None) == (found == "file x.py")
    assert target.named == given


def test_ranges_are_told_from_the_next_paths(tree: Hands) -> None:
    first, second = targets(tree.context(), ["x.py:1-2,4-5, src/a.py:3"], lines=True)
    assert (first.path, len(first.selector.spans if first.selector else ())) == ("x.py", 2)
    assert (second.path, second.selector is not None) == ("src/a.py", True)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ("src:1-2", "needs a single file"), ("src/*.py:1-2", "needs a single file"), ("x.py:0", "lines start at 1"),
        ("x.py:7-6", "ends before"), ("../x", "outside the workspace"), ("/etc/passwd", "outside the workspace"),
        ("/", "Refusing to search filesystem root"),
        ("/*", "Refusing to search filesystem root"), ("//", "Refusing to search filesystem root"), ("~/x", "home folder"),
        ("https://example.org/", "page of the web"), ("a\0b", "NUL"), ("x" * 20_000, "too long"),
        (",".join(["src", *(f"n{number}" for number in range(200))]), "too many"), ("local://../x", r"\.\."),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_told(given: str, reason: str, tree: Hands) -> None:
    with pytest.raises(ToolError, match=reason):
        targets(tree.context(), [given], lines=True)


def test_many_delimiters_take_no_time(tree: Hands) -> None:
    began = time.monotonic()
    for odd in ("src" + ",a" * 4000, "," * 9999, "{" * 5000 + "," * 4000, "a " * 4000, "*, " * 3000):
        with suppress(ToolError):
            targets(tree.context(), [odd], lines=True)
    assert time.monotonic() - began < 10


def test_one_thing_is_named_once(tree: Hands) -> None:
    assert named(tree, "src", "src", "src,tests") == ["folder src", "folder tests"]


def test_a_bare_glob_begins_where_the_agent_works(tree: Hands) -> None:
    tree.nesting = Nesting(depth=1, working_dir="sub")
    assert named(tree, "*.py", ".", "src/*.py") == ["folder sub > **/*.py", "folder sub", "folder src > *.py"]


def test_links_are_named_by_what_they_lead_to_and_none_leads_out(tree: Hands, tmp_path: Path) -> None:
    (tree.root / "link").symlink_to("src")
    (tree.root / "out").symlink_to(tmp_path)
    assert named(tree, "link") == ["folder src"]
    with pytest.raises(PathRefused, match="outside"):
        named(tree, "out")


def test_odd_names_are_found(tree: Hands) -> None:
    Path(os.fsdecode(os.fsencode(tree.root) + b"/z\xe4.py")).touch()
    tree.put({"new\nline": ""})
    assert named(tree, "z\udce4.py", "new\nline") == ["file z\udce4.py", "file new\nline"]


def test_rules_judge_each_path_and_odd_ones_as_they_are(tree: Hands) -> None:
    (tree.root / "link").symlink_to("src")
    context = tree.context()
    assert subjects(context, ["link, tests", "rule://", "z.zip:a"]) == ["src", "tests", "rule://", "z.zip"]
    assert subjects(context, ["../x"]) == ["../x"]
    assert subjects(context, ["x.py:1-2"], lines=True) == ["x.py"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("a/b.py", ("a/b.py", "")), ("*.py", ("", "**/*.py")), ("a/*.py", ("a/", "*.py")), ("a/*/b/?.py", ("a/", "*/b/?.py")),
        ("*/a", ("", "*/a")), ("/*", ("/", "*")), ("local://*.py", ("local://", "*.py")), ("local://a/*", ("local://a/", "*")),
    ],
)  # fmt: skip
def test_a_glob_is_parted_from_the_folder_before_it(text: str, parts: tuple[str, str]) -> None:
    assert split_glob(text) == parts


def test_quotes_within_are_left() -> None:
    assert cleaned(" ' \"a\" ' ") == "a"
    assert cleaned('"a" or "b"') == '"a" or "b"'
    assert cleaned('"') == '"'
    assert Target("a", "a", "file").pattern == ""
