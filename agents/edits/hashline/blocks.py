"""Where a block of code ends: the largest piece of syntax that begins on a line, as the grammar of the file's language sees it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agents.edits import syntax
from agents.edits.hashline.hunks import Range

Find = Callable[[str, int], Range | None]
"""(text, line) → the block that begins on this line."""


def finder(path: str) -> Find:
    """Finds blocks in texts of this file; each text is parsed once, and only when it is asked about."""
    known: dict[str, _Parsed | None] = {}

    def find(text: str, line: int) -> Range | None:
        if text not in known:
            known[text] = _parsed(path, text)
        parsed = known[text]
        return parsed.block(line) if parsed else None

    return find


def _parsed(path: str, text: str) -> _Parsed | None:
    data = text.encode("utf-8", "replace")
    tree = syntax.parsed(path, data)
    return None if tree is None else _Parsed(data, tree)


class _Parsed:
    """A text's syntax tree, in bytes."""

    def __init__(self, data: bytes, tree: Any) -> None:
        self._tree = tree
        self._lines = data.split(b"\n")
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line) + 1)

    def block(self, line: int) -> Range | None:
        if not 1 <= line <= len(self._lines):
            return None
        text = self._lines[line - 1]
        blanks = len(text) - len(text.lstrip())
        return self._beginning(line - 1, self._starts[line - 1] + blanks) if blanks < len(text) else None

    def _beginning(self, row: int, at: int) -> Range | None:
        """The outermost of the named pieces (but never the whole file) that hold byte `at` and begin on its row, if the innermost does."""
        chain = self._around(at)
        if not chain or chain[-1].start_point.row != row:
            return None
        node = next(node for node in chain if node.start_point.row == row)
        if node.has_error:
            return None
        end = node.end_point
        return row + 1, max(end.row + 1 - (end.column == 0), row + 1)

    def _around(self, at: int) -> list[Any]:
        """The named pieces that hold byte `at`, from the outermost below the root to the innermost."""
        cursor = self._tree.walk()
        chain = []
        while cursor.goto_first_child_for_byte(at) is not None and cursor.node.start_byte <= at:
            if cursor.node.is_named:
                chain.append(cursor.node)
        return chain
