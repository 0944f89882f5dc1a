from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agents.edits.hashline.tags import tag_of
from agents.edits.pasted import Versions, unpasted

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parents[2] / "cases" / "hashline-cases.json").read_text())["write_strip_cases"]
TEXT = "one\ntwo\nthree\n"
HEAD = f"[a.py#{tag_of(TEXT)}]"


def shown(**texts: str) -> Versions:
    """The session has been shown these texts, by path ("__" for a dot)."""
    kept = {(path.replace("__", "."), tag_of(text)): [text] for path, text in texts.items()}
    return lambda path, tag: kept.get((path, tag), [])


KNOWN = shown(a__py=TEXT)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_copy_of_what_was_shown_becomes_the_text_itself(case: dict[str, Any]) -> None:
    content = case["write"]["content"]
    for path, text in case["known"].items():
        content = content.replace(f"TAG({path})", tag_of(text))
    known = {(path, tag_of(text)): [text] for path, text in case["known"].items()}
    assert unpasted(content, lambda path, tag: known.get((path, tag), [])) == case["expect"]["file"]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (f"{HEAD}\n1:one\n2:two\n3:three\n", TEXT),
        (f"{HEAD}\n1:one\n2:two\n3:three\n4:", TEXT),
        (f"{HEAD}\n1:one\n2:two\n3:three\n4:\n", TEXT),
        (f"{HEAD}\r\n1:one\r\n2:two\r\n3:three\r\n", TEXT),
        (f"\n\n{HEAD}\n2:two\n\n[1 more lines in file. Continue with path selector :3.]", "two"),
        (f"{HEAD}\n1:one\n[Showing lines 1-1 of 3. Continue with path selector :2.]", "one"),
        (f"{HEAD.lower()}\n3:three", "three"),
        (f"{HEAD}\n 1:one\n*3:three", "one\nthree"),
        (HEAD, TEXT),
        (f"{HEAD}\nSuccessfully wrote 14 bytes to a.py\nNote: something.", TEXT),
        (f"{HEAD}\n2:two\nResolved conflict 1", "two"),
        (f"{HEAD}\nResolved 2 conflicts", TEXT),
        (f"# src/\n{HEAD}\n1:one\n\n# lib/\n[b.py#0000]\n*7:whatever", "one"),
    ],
)
def test_rows_may_be_few_and_footers_may_follow(content: str, text: str) -> None:
    assert unpasted(content, KNOWN) == text


@pytest.mark.parametrize(
    "content",
    [
        "",
        "\n\n",
        "one\ntwo\n",
        "[a.py#0000]\n1:one",
        f"[b.py#{tag_of(TEXT)}]\n1:one",
        f"{HEAD}\n1:ONE",
        f"{HEAD}\n5:five",
        f"{HEAD}\n99999999999999999999:five",
        f"{HEAD}\none",
        f"{HEAD}\n1:one\nand prose about it",
        f"{HEAD}\n1:one\n\n[b.py#0000]\nprose",
        f"Prose before.\n{HEAD}\n1:one",
        f"{HEAD} and more\n1:one",
        "1:one\n2:two",
        "# Heading\n[x]: http://example.org/#A1B2\n",
    ],
)
def test_what_no_snapshot_proves_is_left_as_it_is(content: str) -> None:
    assert unpasted(content, KNOWN) is None


def test_of_two_versions_with_one_tag_the_one_that_fits_is_meant() -> None:
    texts = ["collision-389\n", "collision-445\n"]
    assert unpasted(f"[a#{tag_of(texts[0])}]\n1:collision-445", lambda path, tag: texts) == "collision-445"


def test_a_long_literal_text_is_looked_at_quickly() -> None:
    rows = "".join(f"{number}:x\n" for number in range(1, 200_000))
    assert unpasted(f"{HEAD}\n{rows}", KNOWN) is None
    assert unpasted("#" * 500_000, KNOWN) is None
    assert unpasted("[" * 100_000 + "\n" + " " * 100_000 + "\n" + HEAD, KNOWN) is None
