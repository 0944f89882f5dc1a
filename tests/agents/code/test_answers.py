"""What language servers answer, in words."""

from __future__ import annotations

from typing import Any

from agents.code.answers import diagnostics, hover, locations, new_ones, symbol_tree, told
from agents.ports import Diagnostic


def span(line: int, character: int) -> dict[str, Any]:
    return {"start": {"line": line, "character": character}, "end": {"line": line, "character": character + 1}}


def nothing(path: str) -> list[str]:
    return []


def test_places_come_in_every_shape_the_protocol_has() -> None:
    one = {"uri": "file:///w/a.py", "range": span(2, 4)}
    link = {"targetUri": "file:///w/b.py", "targetRange": span(0, 0), "targetSelectionRange": span(1, 1)}
    assert locations(one, "/w", nothing) == ["a.py:3:5"]
    assert locations([one, one, link], "/w", nothing) == ["a.py:3:5", "b.py:2:2"]
    assert locations(None, "/w", nothing) == []


def test_hover_text_comes_in_every_shape_the_protocol_has() -> None:
    assert hover({"contents": {"kind": "markdown", "value": "**x**"}}) == "**x**"
    assert hover({"contents": ["one", {"language": "go", "value": "two"}, ""]}) == "one\n\n```go\ntwo\n```"
    assert hover(None) == ""


def test_symbols_are_a_tree_or_a_list() -> None:
    inner = {"name": "inner", "kind": 6, "range": span(4, 0), "selectionRange": span(5, 0)}
    tree = [{"name": "Outer", "kind": 5, "range": span(2, 0), "selectionRange": span(3, 0), "children": [inner]}]
    assert symbol_tree(tree) == ["- Outer (kind=5, line=4)", "  - inner (kind=6, line=6)"]
    assert symbol_tree([{"name": "flat", "kind": 12, "location": {"uri": "file:///w/a.py", "range": span(8, 0)}}]) == [
        "- flat (kind=12, line=9)"
    ]
    assert symbol_tree(None) == []


def test_the_worst_diagnostics_come_first_and_five_are_shown() -> None:
    items = [{"range": span(line, 0), "severity": 2 if line else 1, "message": f"wrong\n  {line}"} for line in range(7, -1, -1)]
    found = diagnostics(items, [])
    assert [one.line for one in found] == [1, 2, 3, 4, 5, 6, 7, 8]
    text = told("a.py", found)
    assert text.startswith("LSP diagnostics for a.py:\n- error at 1:1: wrong 0\n- warning at 2:1: wrong 1\n")
    assert text.endswith("- warning at 5:1: wrong 4\n… and 3 more")
    assert told("a.py", ()) == ""


def test_what_was_there_before_is_not_new_wherever_it_stands_now() -> None:
    old, again = Diagnostic(1, 1, "error", "old"), Diagnostic(9, 9, "error", "old")
    new, hint = Diagnostic(2, 2, "warning", "new"), Diagnostic(3, 3, "hint", "hint")
    assert new_ones([old], [again, new, hint]) == [new]
    assert new_ones([old], [old, again]) == [again]
