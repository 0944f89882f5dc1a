"""Which lines a pattern matches, in files and in texts alike."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from agents.errors import ToolError
from agents.reading.texts import Text
from agents.sandboxes.choose import open_sandbox, strongest
from agents.sandboxes.sandbox import Sandbox, SandboxWish
from agents.search.collecting import Collection, Deadline, collect
from agents.search.matching import LARGEST, Hits, Match, Regex, any_line_end, in_files, in_texts
from agents.search.rows import Around, Row, renumbered, rows
from agents.search.walking import Manner, walk

SAMPLE = "import os\n\ndef main():\n    run()  # Main\n\nmain()\n"
PATTERNS = [
    (r"main", [(3, 3), (6, 6)]),
    (r"(?i)MAIN", [(3, 3), (4, 4), (6, 6)]),
    (r"^main\(\)$", [(6, 6)]),
    (r"(?m)^main", [(6, 6)]),
    ("(?x) main \\( \\) $  # at the end", [(6, 6)]),
    ("(?x) main\n \\( \\) $", [(6, 6)]),
    (r"main\(\):\n\s+run", [(3, 4)]),
    ("main\\(\\):\n    run", [(3, 4)]),
    (r"(?s)def.*\nmain", [(3, 6)]),
    (r"[^\n]os$", [(1, 1)]),
    (r"\w+\(\)", [(3, 3), (4, 4), (6, 6)]),
    (r"--help", []),
    (r"\bma[iy]n\b", [(3, 3), (6, 6)]),
]
ENDLESS = "(a+)+$|(a|aa)+b|(.*a){20}c"


@pytest.fixture
def sandbox(tmp_path: Path) -> Sandbox:
    return open_sandbox(SandboxWish(root=str(tmp_path), level="local"))


def spans(hits: Hits) -> list[tuple[int, int]]:
    return [(match.first, match.last) for match in hits.matches]


@pytest.mark.parametrize(("pattern", "found"), PATTERNS)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
async def test_a_file_is_matched(pattern: str, found: list[tuple[int, int]], newline: str, sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(SAMPLE.replace("\n", newline).encode())
    hits, whole = await in_files(sandbox, Regex(pattern), ["a.py"])
    assert whole
    assert [spans(each) for each in hits] == ([found] if found else [])


@pytest.mark.parametrize(("pattern", "found"), PATTERNS)
async def test_a_text_is_matched_as_a_file_is(pattern: str, found: list[tuple[int, int]], sandbox: Sandbox) -> None:
    texts = [Text("empty", ""), Text("a", SAMPLE), Text("line", "\n"), Text("without end", SAMPLE.removesuffix("\n")), Text("no", "x")]
    hits = await in_texts(sandbox, Regex(pattern), texts)
    assert [spans(each) for each in hits] == [[], found, [], found, []]
    assert [each.path for each in hits] == ["empty", "a", "line", "without end", "no"]


async def test_small_and_capital_letters_are_the_same_if_asked(sandbox: Sandbox) -> None:
    (hits,) = await in_texts(sandbox, Regex("MAIN", ignore_case=True), [Text("a", SAMPLE)])
    assert spans(hits) == [(3, 3), (4, 4), (6, 6)]


@pytest.mark.parametrize("pattern", ["hit", "hit\n?"])
async def test_more_matches_than_wanted_are_told_of(pattern: str, sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("hit\nno\n" * 5)
    (tmp_path / "b").write_text("hit\nno\n" * 3)
    hits, _ = await in_files(sandbox, Regex(pattern, most=3), ["a", "b"])
    texts = await in_texts(sandbox, Regex(pattern, most=3), [Text("a", "hit\nno\n" * 5), Text("b", "hit\nno\n" * 3)])
    assert (
        [(len(each.matches), each.more) for each in hits] == [(len(each.matches), each.more) for each in texts] == [(3, True), (3, False)]
    )


async def test_odd_files_are_told_in_the_order_they_were_given(sandbox: Sandbox, tmp_path: Path) -> None:
    names = ["z\udce4.txt", "new\nline", "-e", "utf16", "latin1", "bin", "gone", "text"]
    for name in names:
        if name != "gone":
            (tmp_path / name).write_bytes(b"one\nhit\n")
    (tmp_path / "utf16").write_bytes("one\nhit\n".encode("utf-16"))
    (tmp_path / "latin1").write_bytes(b"\xe4\nhit \xe4\n")
    (tmp_path / "bin").write_bytes(b"\0\nhit\n")
    hits, whole = await in_files(sandbox, Regex("hit"), names)
    assert [each.path for each in hits] == ["z\udce4.txt", "new\nline", "-e", "utf16", "latin1", "text"]
    assert {(2, 2)} == {span for each in hits for span in spans(each)}
    assert whole


@pytest.mark.parametrize("pattern", ["(", "[a", "a{99999}{9999}", r"\Q", "(?z)a"])
async def test_what_is_no_pattern_is_told(pattern: str, sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    with pytest.raises(ToolError, match="The search could not be made"):
        await in_files(sandbox, Regex(pattern), ["a"])
    with pytest.raises(ToolError, match="The search could not be made"):
        await in_texts(sandbox, Regex(pattern), [Text("a", "b")])


async def test_no_pattern_takes_forever(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a" * 100_000)
    began = time.monotonic()
    await in_files(sandbox, Regex(ENDLESS), ["a"])
    await in_texts(sandbox, Regex(ENDLESS), [Text("a", "a" * 100_000)])
    assert time.monotonic() - began < 20


@pytest.mark.parametrize(
    ("pattern", "spelt"),
    [
        ("a", "a"), (r"a\nb", r"a(?:\r?\n)b"), ("a\nb", r"a(?:\r?\n)b"), (r"\\n", r"\\n"), (r"[^\n]", r"[^\n]"),
        (r"[]\n]\n", r"[]\n](?:\r?\n)"), (r"[a[\n]b]\n", r"[a[\n]b](?:\r?\n)"), (r"\[\n\]", r"\[(?:\r?\n)\]"),
        ("(?x) a\n b", "(?x) a\n b\n"), ("(?ix)a # b", "(?ix)a # b\n"),
    ],
)  # fmt: skip
def test_a_line_end_in_a_pattern_fits_every_kind_of_line_end(pattern: str, spelt: str) -> None:
    assert any_line_end(pattern) == spelt


async def collected(sandbox: Sandbox, pattern: str, most: int = 2000) -> Collection:
    files = (found for found in walk(sandbox.files, ".", Manner()) if found.kind == "file")
    into = Collection(most)
    await collect(sandbox, Regex(pattern), files, into, Deadline(), lambda hits: None)
    return into


async def test_files_are_collected_in_order_over_several_batches(sandbox: Sandbox, tmp_path: Path) -> None:
    for number in range(1500):
        (tmp_path / f"{number:04}").write_text("hit" if number % 2 else "no")
    found = await collected(sandbox, "hit")
    assert [hits.path for hits in found.hits] == [f"{number:04}" for number in range(1, 1500, 2)]
    assert (found.matches, found.searched, found.full, found.late) == (750, 1500, False, False)


async def test_collecting_stops_at_the_ceiling(sandbox: Sandbox, tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / str(number)).write_text("hit\n" * 4)
    found = await collected(sandbox, "hit", most=10)
    assert [len(hits.matches) for hits in found.hits] == [4, 4, 2]
    assert (found.matches, found.full, found.hits[-1].more) == (10, True, True)
    assert not (await collected(sandbox, "hit", most=21)).full


async def test_an_answer_that_is_too_long_is_asked_for_in_parts(sandbox: Sandbox, tmp_path: Path) -> None:
    for number in range(4):
        (tmp_path / f"{number:02}").write_bytes(b"\x01" * (LARGEST - 4) + b"hit\n")
    found = await collected(sandbox, "hit")
    assert [hits.path for hits in found.hits] == [f"{number:02}" for number in range(4)]
    assert not found.full


async def test_files_that_are_too_large_are_named(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(b"hit\n" * (LARGEST // 4 + 1))
    (tmp_path / "small").write_bytes(b"hit\n" * (LARGEST // 4))
    found = await collected(sandbox, "hit")
    assert (found.oversized, [hits.path for hits in found.hits]) == (["large"], ["small"])


async def test_collecting_ends_with_what_it_has_when_time_is_up(sandbox: Sandbox, tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / str(number)).write_text("hit\n")
    deadline, into = Deadline(), Collection()
    deadline.end()
    await collect(sandbox, Regex("hit"), walk(sandbox.files, ".", Manner(), deadline.going), into, deadline, lambda hits: None)
    assert into.late


async def test_it_works_in_the_strongest_sandbox(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SAMPLE)
    sandbox = open_sandbox(SandboxWish(root=str(tmp_path), level=strongest()))
    assert [hits.path for hits in (await collected(sandbox, "main")).hits] == ["a.py"]
    assert spans((await in_texts(sandbox, Regex("main"), [Text("a", SAMPLE)]))[0]) == [(3, 3), (6, 6)]


def test_rows_are_matches_with_lines_around_them_none_twice() -> None:
    shown = rows(list("abcdefghij"), [Match(3, 3), Match(4, 5), Match(10, 10)], Around(1, 2))
    assert [(row.number, row.text, row.hit) for row in shown] == [
        (2, "b", False), (3, "c", True), (4, "d", True), (5, "e", True), (6, "f", False), (7, "g", False), (9, "i", False), (10, "j", True),
    ]  # fmt: skip


def test_rows_behind_the_end_of_a_changed_text_are_none() -> None:
    assert rows(["a"], [Match(5, 7)], Around()) == []
    assert rows([], [Match(1, 1)], Around()) == []


def test_a_match_over_very_many_lines_is_cut_too() -> None:
    assert len(rows(["x"] * 100_000, [Match(1, 100_000)] * 3, Around())) < 30_000


def test_long_lines_are_cut_with_a_mark() -> None:
    (short, long) = rows(["x" * 512, "y" * 513], [Match(1, 2)], Around())
    assert (short, long) == (Row(1, "x" * 512, True), Row(2, "y" * 512 + "…", True))


def test_a_carriage_return_by_itself_ends_a_line_too() -> None:
    assert renumbered("a\rb\nc\r\nd\re\n", [Match(1, 1), Match(2, 2), Match(3, 3)]) == [Match(1, 2), Match(3, 3), Match(4, 5)]
    assert renumbered("a\r\nb", [Match(2, 2)]) == [Match(2, 2)]


async def test_texts_whose_answer_is_too_long_at_once_are_searched_by_parts(sandbox: Sandbox) -> None:
    many = "".join(f"a line {number}\n" for number in range(200_000))
    found = await in_texts(sandbox, Regex("[a-z]", most=3), [Text("one", many), Text("two", many), Text("three", "none: 1\na\n")])
    assert [len(hits.matches) for hits in found] == [3, 3, 2]
    assert [hits.more for hits in found] == [True, True, False]
    assert found[1].matches[0] == Match(1, 1, "a line 0")


async def test_small_texts_are_told_apart_when_their_answer_is_halved(sandbox: Sandbox) -> None:
    texts = [Text(str(number), f"{'ab ' * 400}\n\n{'ab ' * 400}") for number in range(180)]
    found = await in_texts(sandbox, Regex(".", most=3), texts)
    assert {tuple((match.first, match.last) for match in hits.matches) for hits in found} == {((1, 1), (3, 3))}


@pytest.mark.parametrize("pattern", ["x", "x\\n"])
async def test_no_more_texts_are_searched_once_there_are_enough_matches(sandbox: Sandbox, pattern: str) -> None:
    found = await in_texts(sandbox, Regex(pattern, most=1500), [Text(str(number), "x\nyy\n" * 500_000) for number in range(9)])
    assert [len(hits.matches) for hits in found[:2]] == [1500, 1500]
    assert len(found) < 9


async def test_of_a_file_whose_answer_is_too_long_the_beginning_is_given(sandbox: Sandbox) -> None:
    (Path(sandbox.root) / "a.js").write_text("a\n" + "aaaa" * 900_000)
    hits, whole = await in_files(sandbox, Regex("a"), ["a.js"])
    assert [(each.path, each.matches, each.more) for each in hits] == [("a.js", [Match(1, 1, "a")], True)]
    assert not whole
