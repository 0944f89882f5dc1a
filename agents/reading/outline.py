"""What a Python module offers, read from its syntax tree: nothing of it is run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Named:
    """A function, method or class: how it is called, and the first line of its docstring."""

    name: str
    signature: str
    doc: str
    inner: tuple[Named, ...] = ()


@dataclass(frozen=True)
class Outline:
    """Public names only. `problem` says why a module could not be read."""

    doc: str = ""
    classes: tuple[Named, ...] = ()
    functions: tuple[Named, ...] = ()
    problem: str = ""


def outline(source: bytes) -> Outline:
    """The outline of a module's source. Never raises for what the source holds."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as wrong:
        where = f" at line {wrong.lineno}" if isinstance(wrong, SyntaxError) and wrong.lineno else ""
        why = wrong.msg if isinstance(wrong, SyntaxError) else str(wrong)
        return Outline(problem=f"could not be read{where}: {why or type(wrong).__name__}")
    classes = tuple(_class(node) for node in tree.body if isinstance(node, ast.ClassDef) and _is_public(node.name))
    return Outline(ast.get_docstring(tree) or "", classes, tuple(_functions(tree.body)))


def _class(node: ast.ClassDef) -> Named:
    bases = ", ".join(ast.unparse(base) for base in node.bases)
    return Named(node.name, f"{node.name}({bases})" if bases else node.name, _first_line(node), tuple(_functions(node.body)))


def _functions(body: list[ast.stmt]) -> Iterator[Named]:
    for node in body:
        if isinstance(node, Function) and _is_public(node.name):
            returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
            begin = "async " if isinstance(node, ast.AsyncFunctionDef) else ""
            yield Named(node.name, f"{begin}{node.name}({ast.unparse(node.args)}){returns}", _first_line(node))


def _first_line(node: ast.ClassDef | Function) -> str:
    return (ast.get_docstring(node) or "").partition("\n")[0].strip()


def _is_public(name: str) -> bool:
    return not name.startswith("_")
