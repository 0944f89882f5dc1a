"""Blocks by their syntax: the spans of the case file, every language, and texts that no parser likes."""

from __future__ import annotations

import time
from typing import Any

import pytest

from agents.edits.hashline.blocks import finder
from agents.edits.syntax import LARGEST
from tests.agents.edits.hashline.cases import hashline

TREES = [case for case in hashline("cases") if case.get("resolver") == "tree-sitter"]

SAMPLES = {
    "a.ts": ("function f() {\n  g();\n}\n", (1, 3)), "a.mts": ("class A {\n}\n", (1, 2)), "a.cts": ("if (a) {\n}\n", (1, 2)),
    "a.tsx": ("const a = <b>\n</b>;\n", (1, 2)), "a.js": ("for (;;) {\n}\n", (1, 2)), "a.mjs": ("export {\n  a\n};\n", (1, 3)),
    "a.cjs": ("f(() => {\n});\n", (1, 2)), "a.jsx": ("const a = <b>\n</b>;\n", (1, 2)), "a.py": ("@d\ndef f():\n    pass\n", (1, 3)),
    "a.pyi": ("class A:\n    x: int\n", (1, 2)), "a.rs": ("fn main() {\n    g();\n}\n", (1, 3)), "a.go": ("func f() {\n}\n", (1, 2)),
    "a.rb": ("def f\n  1\nend\n", (1, 3)), "a.css": ("a {\n  b: c;\n}\n", (1, 3)), "a.scss": ("a {\n  b { c: d; }\n}\n", (1, 3)),
    "a.json": ('{\n  "a": 1\n}\n', (1, 3)), "a.jsonc": ("[\n  // one\n  1\n]\n", (1, 4)), "a.sh": ("f() {\n  a\n}\n", (1, 3)),
    "a.bash": ("while a; do\n  b\ndone\n", (1, 3)), "a.zsh": ("if a; then\n  b\nfi\n", (1, 3)),
    "a.c": ("int f() {\n  return 1;\n}\n", (1, 3)),
    "a.h": ("struct a {\n  int b;\n};\n", (1, 3)), "a.cc": ("class A {\n};\n", (1, 2)), "a.cpp": ("namespace a {\n}\n", (1, 2)),
    "a.cxx": ("int f() {\n}\n", (1, 2)), "a.hpp": ("template <class T>\nint f() {\n}\n", (1, 3)), "a.hh": ("enum A {\n};\n", (1, 2)),
    "a.hxx": ("struct A {\n};\n", (1, 2)), "a.java": ("class A {\n}\n", (1, 2)), "A.PY": ("def f():\n    pass\n", (1, 2)),
}  # fmt: skip


@pytest.mark.parametrize("table", hashline("block_span_tables"), ids=lambda table: table["path"])
def test_spans_are_those_of_the_case_file(table: dict[str, Any]) -> None:
    find = finder(table["path"])
    assert {line: find(table["text"], int(line)) for line in table["spans"]} == {
        line: tuple(span) if span else None for line, span in table["spans"].items()
    }


@pytest.mark.parametrize("case", TREES, ids=lambda case: case["name"])
def test_spans_are_those_the_edit_cases_count_on(case: dict[str, Any]) -> None:
    for path, spans in case["block_spans"].items():
        find, text = finder(path), case["files"][path]
        found = {str(line): span for line in range(1, text.count("\n") + 2) if (span := find(text, line))}
        assert found == {line: tuple(span) for line, span in spans.items()}


@pytest.mark.parametrize("path", SAMPLES)
def test_every_language_has_blocks(path: str) -> None:
    text, span = SAMPLES[path]
    assert finder(path)(text, 1) == span


@pytest.mark.parametrize(
    ("path", "text", "line"),
    [
        ("a.txt", "a\n  b\n", 1), ("Makefile", "a:\n\tb\n", 1), ("a.py", "", 1), ("a.py", "x = 1\n", 0), ("a.py", "x = 1\n", 3),
        ("a.py", "x = 1\n", 10**18), ("a.py", "def f(:\n    x\n", 1), ("a.py", "\0\0", 1), ("a.rs", "}\n", 1),
    ],
)  # fmt: skip
def test_there_is_no_block_where_none_begins(path: str, text: str, line: int) -> None:
    assert finder(path)(text, line) is None


def test_columns_are_counted_in_bytes_where_letters_are_long() -> None:
    assert finder("a.py")("x = 'ééé'; y = 1\nif x:\n    é = 'ü'\n    b = 2\n", 4) == (4, 4)


def test_an_attribute_and_a_comment_are_blocks_of_their_own() -> None:
    assert finder("a.rs")("#[test]\nfn f() {\n}\n", 1) == (1, 1)
    assert finder("a.ts")("// one\nfunction f() {\n}\n", 1) == (1, 1)


@pytest.mark.parametrize(
    ("path", "text"), [("a.json", "[" * 200_000), ("a.py", "def f():\n  return {\n" * 30_000), ("a.ts", "<a>(" * 50_000)]
)
def test_texts_no_parser_likes_take_bounded_time(path: str, text: str) -> None:
    began = time.process_time()
    finder(path)(text, 1)
    assert time.process_time() - began < 20


def test_a_text_beyond_the_limit_has_no_blocks() -> None:
    assert finder("a.py")("def f():\n    x = 1\n" + "y = 1\n" * (LARGEST // 6), 1) is None


def test_a_thousand_blocks_are_found_in_one_parse() -> None:
    text = "".join(f"def f{n}():\n    return {n}\n" for n in range(3000))
    find, began = finder("a.py"), time.process_time()
    assert [find(text, 2 * n + 1) for n in range(1000)] == [(2 * n + 1, 2 * n + 2) for n in range(1000)]
    assert time.process_time() - began < 5
