"""Syntax trees of source texts, by the grammar of each file's language."""

from __future__ import annotations

import ctypes
import importlib
import time
from collections.abc import Callable
from functools import cache
from pathlib import PurePosixPath
from typing import Any

LARGEST = 4 * 2**20
"""Bytes; longer texts are not parsed."""
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


def parsed(path: str, data: bytes) -> Any:
    """The tree of a text in UTF-8, its language by the path's suffix; None where no grammar knows it, or it is too long."""
    grammar = _GRAMMARS.get(PurePosixPath(path).suffix[1:].lower())
    if grammar is None or len(data) > LARGEST:
        return None
    until = time.monotonic() + SECONDS
    try:
        return _parser(*grammar)().parse(lambda at, _: data[at : at + _CHUNK], progress_callback=lambda *_: time.monotonic() > until)
    except ValueError:  # it took too long
        return None


@cache
def _parser(module: str, function: str) -> Callable[[], Any]:
    """Makes parsers of one language. Grammars are libraries of their own, loaded when the first text of their language is parsed."""
    sitter = importlib.import_module("tree_sitter")
    grammar = getattr(importlib.import_module(module), function)()
    language = sitter.Language(_capsule(grammar) if isinstance(grammar, int) else grammar)
    return lambda: sitter.Parser(language)


def _capsule(address: int) -> Any:
    """The form in which newer grammars hand themselves over; one of them still gives a bare address."""
    make = ctypes.pythonapi.PyCapsule_New
    make.restype, make.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    return make(address, _CAPSULE, None)
