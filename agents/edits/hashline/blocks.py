"""Where a block of code ends: the largest piece of syntax that begins on a line, as the grammar of the file's language sees it."""

from __future__ import annotations

import ctypes
import importlib
import time
from collections.abc import Callable
from functools import cache
from pathlib import PurePosixPath
from typing import Any

from agents.edits.hashline.hunks import Range

Find = Callable[[str, int], Range | None]
"""(text, line) → the block that begins on this line."""

LARGEST = 4 * 2**20
"""Characters; in a longer text no blocks are looked for."""
SECONDS = 10.0
"""How long one text may be parsed."""

_CHUNK = 64 * 1024
_CAPSULE = b"tree_sitter.Language"
_TYPESCRIPT, _TSX = ("tree_sitter_typescript", "language_typescript"), ("tree_sitter_typescript", "language_tsx")
_GRAMMARS: dict[str, tuple[str, str]] = {
    "ts": _TYPESCRIPT, "mts": _TYPESCRIPT, "cts": _TYPESCRIPT, "tsx": _TSX,
    **dict.fromkeys(("js", "mjs", "cjs", "jsx"), ("tree_sitter_javascript", "language")),
    **dict.fromkeys(("py", "pyi"), ("tree_sitter_python", "language")),
    "rs": ("tree_sitter_rust", "language"),
    "go": ("tree_sitter_go", "language"),
    "rb": ("tree_sitter_ruby", "language"),
    "css": ("tree_sitter_css", "language"),
    "scss": ("tree_sitter_scss", "language"),
    **dict.fromkeys(("json", "jsonc"), ("tree_sitter_json", "language")),
    **dict.fromkeys(("sh", "bash", "zsh"), ("tree_sitter_bash", "language")),
    **dict.fromkeys(("c", "h"), ("tree_sitter_c", "language")),
    **dict.fromkeys(("cc", "cpp", "cxx", "hpp", "hh", "hxx"), ("tree_sitter_cpp", "language")),
    "java": ("tree_sitter_java", "language"),
}  # fmt: skip


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
    grammar = _GRAMMARS.get(PurePosixPath(path).suffix[1:].lower())
    if grammar is None or len(text) > LARGEST:
        return None
    data = text.encode("utf-8", "replace")
    until = time.monotonic() + SECONDS
    try:
        tree = _parser(*grammar)().parse(lambda at, _: data[at : at + _CHUNK], progress_callback=lambda *_: time.monotonic() > until)
    except ValueError:  # it took too long
        return None
    return _Parsed(data, tree)


@cache
def _parser(module: str, function: str) -> Callable[[], Any]:
    """Makes parsers of one language. Grammars are libraries of their own, loaded when the first file of their language is edited."""
    sitter = importlib.import_module("tree_sitter")
    grammar = getattr(importlib.import_module(module), function)()
    language = sitter.Language(_capsule(grammar) if isinstance(grammar, int) else grammar)
    return lambda: sitter.Parser(language)


def _capsule(address: int) -> Any:
    """The form in which newer grammars hand themselves over; one of them still gives a bare address."""
    make = ctypes.pythonapi.PyCapsule_New
    make.restype, make.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    return make(address, _CAPSULE, None)


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
