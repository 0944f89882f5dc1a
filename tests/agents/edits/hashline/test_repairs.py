"""Replacements and inserts that are set right, and those that are none of our business."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.edits.hashline.closers import balances, is_closer
from agents.edits.hashline.repairs import overlaps
from tests.agents.edits.hashline.test_apply import edited

NESTED = "function f() {\n    if (x) {\n        a();\n    }\n    b();\n}\n"


@pytest.mark.parametrize(
    ("text", "body", "after", "warning"),
    [
        ("f() {\n  a();\n}\nend", "replace 2:\n+f() {\n+  b();\n+}", "f() {\n  b();\n}\nend", "dropped 1 leading and 1 trailing"),
        ("a\nold();\n};\nz", "replace 2:\n+new();\n+};", "a\nnew();\n};\nz", "dropped 1 trailing"),
        ("if (a) {\nold();\n}", "replace 2:\n+if (a) {\n+new();", "if (a) {\nnew();\n}", "dropped 1 leading"),
        (NESTED, "replace 2..4:\n+    if (y) {\n+        c();", NESTED.replace("x", "y").replace("a()", "c()"), "kept 1 line"),
        ("f(g({\n  a\n}\n)\n);\nz", "replace 1..5:\n+f(h({\n+  b", "f(h({\n  b\n}\n)\n);\nz", "kept 3 lines"),
        ("a {\nb\n}\n", "replace 2:\n+// }\n+x = '}'", "a {\n// }\nx = '}'\n}\n", ""),
        ("a {\nb\n}\n", "replace 2:\n+}\n+c {", "a {\n}\nc {\n}\n", ""),
        ("a\nb\nc\n", "delete 1\nreplace 2:\n+a\n+B\n+c", "a\nB\nc\nc\n", ""),
        ("x\na\nold\nc\n", "replace 3:\n+a\n+new\n+c\n+", "x\na\na\nnew\nc\n\nc\n", ""),
        ("f(\n}\n", "replace 2..3:\n+x", "f(\nx\n}\n", "kept 1 line"),
        ("f(\n}\n", "replace 3:\n+}\n+", "f(\n}\n}\n\n", ""),
        ("a\n  \nold\n  \nc", "replace 3:\n+  \n+new\n+  ", "a\n  \n  \nnew\n  \n  \nc", ""),
    ],
)
def test_a_replacement_keeps_to_its_range(text: str, body: str, after: str, warning: str) -> None:
    done = edited(text, body)
    assert done.text == after
    assert [warning in said for said in done.warnings] == ([True] if warning else [])


@pytest.mark.parametrize(
    ("text", "body", "lands_after", "warned"),
    [
        (NESTED, "insert after 3:\n+    c();", 4, True),
        (NESTED, "insert after 3:\n+c();", 4, True),
        (NESTED, "insert after 3:\n+        c();", 3, False),
        (NESTED, "insert after 3:\n+    }", 3, False),
        (NESTED, "insert after 3:\n+    }\n+    if (z) {", 3, False),
        (NESTED, "insert before 4:\n+    c();", 3, False),
        (NESTED, "insert after 5:\n+c();", 6, True),
        (NESTED, "insert after 3:\n+\tc();", 3, False),
        (NESTED, "insert after 3:\n+    c();\ninsert before 4:\n+        d();", 3, False),
        ("  {\n\n    a\n\n\n  }\n\n  }\n", "insert after 3:\n+  b", 6, True),
        (NESTED, "insert after 3:\n+        c();\n+    d();", 4, True),
        (NESTED, "insert after 3:\n+c();\n+    d();", 4, True),
        (NESTED, "insert after 3:\n+    c();\n+\td();", 3, False),
        ("f(\n    \n}\n", "insert after 2:\n+b", 2, False),
        ("f(\n    a\n} ,;\n", "insert after 2:\n+b", 2, False),
    ],
)
def test_an_insert_lands_at_the_depth_it_has(text: str, body: str, lands_after: int, warned: bool) -> None:
    done = edited(text, body)
    row = next(line[1:] for line in body.split("\n") if line.startswith("+"))
    assert done.text.split("\n").index(row, lands_after) == lands_after
    assert bool(done.warnings) == warned


@given(st.lists(st.sampled_from("ab"), max_size=12), st.lists(st.sampled_from("ab"), max_size=12))
def test_overlaps_are_all_there_are(one: list[str], other: list[str]) -> None:
    assert list(overlaps(one, other)) == [n for n in range(min(len(one), len(other)), 0, -1) if one[-n:] == other[:n]]


def test_brackets_are_counted_outside_strings_and_comments() -> None:
    assert balances(["f(a[", '\'(\' "[\\"[" // {', "/* {", "{ */ {", "`{", "{` }", ")"])[-1] == (0, 1, 0)
    assert balances(["it's (", "(ok"])[-1] == (1, 0, 0)
    assert balances([])[-1] == (0, 0, 0)


@pytest.mark.parametrize(
    ("line", "closes"),
    [(line, True) for line in ("  });", "}],", ")")] + [(line, False) for line in ("}, ]", "} ;", "};,", "", "} else {", "};//", ";")],
)
def test_a_closing_line_does_nothing_else(line: str, closes: bool) -> None:
    assert is_closer(line) == closes
