"""Text that was copied together with headers and line numbers is written without them, and any other as it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agents.edits.hashline.tags import tag_of
from agents.tools.reach import Reach
from tests.agents.tools.hands import Hands

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parents[3] / "cases" / "hashline-cases.json").read_text())["write_strip_cases"]


async def written(hands: Hands, path: str, content: str) -> None:
    assert (await hands.call("write", path=path, content=content)).error is None


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
async def test_what_was_copied_along_is_left_out(hands: Hands, case: dict[str, Any]) -> None:
    content = case["write"]["content"]
    for path, text in case["known"].items():
        await written(hands, path, text)
        content = content.replace(f"TAG({path})", tag_of(text))
    result = await hands.call("write", path=case["write"]["path"], content=content)
    assert hands.files()[case["write"]["path"]] == case["expect"]["file"].encode()
    assert result.output.splitlines()[-1].startswith("Note: ")
    assert result.metadata["stripped"] is True


async def test_what_another_session_was_shown_is_written_as_it_is(hands: Hands) -> None:
    await written(hands, "a.txt", "one\n")
    hands.reach = Reach()
    copied = f"[a.txt#{tag_of('one' + chr(10))}]\n1:one\n"
    result = await hands.call("write", path="b.txt", content=copied)
    assert hands.files()["b.txt"] == copied.encode()
    assert result.metadata["stripped"] is False
    assert "Note" not in result.output


async def test_a_header_of_a_path_outside_is_text(hands: Hands) -> None:
    await written(hands, "b.txt", "[../../etc/passwd#0000]\n1:root\n")
    assert hands.files()["b.txt"].startswith(b"[../../etc/passwd")


TEXTS = (
    "one\n",
    "one\ntwo",
    "\n\n\n",
    "a\n\nb\n",
    "[a.txt#0000]\n1:one\n",
    "# src/\n 2:x\n*3:y\n",
    "[2 more lines in file. x]\n",
    "ä\u2028b\x0c\n\t\n",
    " \n",
)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("ending", ["\n", "\n\n", ""])
async def test_all_that_read_shows_can_be_pasted(hands: Hands, text: str, ending: str) -> None:
    hands.put({"a.txt": text})
    shown = await hands.call("read", path="a.txt")
    result = await hands.call("write", path="b.txt", content=shown.output + ending)
    assert result.metadata["stripped"] is True
    assert hands.files()["b.txt"].decode() == (text if ending else text.removesuffix("\n"))


async def test_a_part_that_read_or_search_shows_can_be_pasted(hands: Hands) -> None:
    hands.put({"src/a.txt": "".join(f"line {number}\n" for number in range(1, 41)), "b.txt": "line 3\n"})
    some = await hands.call("read", path="src/a.txt:10-11,30-31")
    await written(hands, "c.txt", some.output)
    assert hands.files()["c.txt"].decode() == "\n".join(f"line {number}" for number in (*range(9, 15), *range(29, 35)))
    found = await hands.call("search", pattern="line 3$", paths=["src"])
    await written(hands, "d.txt", found.output)
    assert hands.files()["d.txt"].decode() == "line 2\nline 3\nline 4\nline 5\nline 6"
