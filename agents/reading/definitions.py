"""What a source file defines, by its grammar: classes and what they hold, functions, and in JavaScript and TypeScript the rest too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from agents.edits.syntax import parsed

SUFFIXES = ("py", "js", "jsx", "mjs", "ts", "tsx")

_NAMED = {
    "class_definition", "function_definition",
    "class_declaration", "abstract_class_declaration", "function_declaration", "generator_function_declaration", "method_definition",
    "variable_declarator", "interface_declaration", "type_alias_declaration", "enum_declaration", "function_signature",
    "abstract_method_signature", "internal_module",
}  # fmt: skip
_FIELDS = {"field_definition", "public_field_definition"}
"""Members of a class; they count where their value is a function."""
_FUNCTIONS = {"arrow_function", "function_expression"}
_ENTERED = {
    "module", "program", "export_statement", "decorated_definition", "expression_statement", "ambient_declaration", "internal_module",
    "class_definition", "class_declaration", "abstract_class_declaration", "class", "class_body", "lexical_declaration",
    "variable_declaration", "block", "statement_block", "if_statement", "elif_clause", "else_clause", "try_statement", "except_clause",
    "catch_clause", "finally_clause", "with_statement",
}  # fmt: skip
"""Nodes whose inside belongs to the file as a whole; a function's own does not."""
_PLAIN_NAMES = {"identifier", "type_identifier", "property_identifier", "private_property_identifier", "nested_identifier", "string"}


@dataclass(frozen=True)
class Definition:
    """A name and the line, from 1, on which it is defined."""

    name: str
    line: int


def definitions(path: str, data: bytes) -> list[Definition] | None:
    """In the order of the file; None where it cannot be parsed. What a text with errors in it still shows is given."""
    tree = parsed(path, data)
    return None if tree is None else list(_definitions(tree.root_node))


def _definitions(root: Any) -> Iterator[Definition]:
    """Without recursion: a file may be nested deeper than calls."""
    ahead = [root]
    while ahead:
        node = ahead.pop()
        name = _name(node)
        if name is not None and name.type in _PLAIN_NAMES:
            yield Definition(name.text.decode(errors="replace"), node.start_point.row + 1)
        if node.type in _ENTERED:
            ahead += reversed(node.named_children)


def _name(node: Any) -> Any:
    """The node of its name, None for what defines nothing."""
    if node.type in _NAMED:
        return node.child_by_field_name("name")
    value = node.child_by_field_name("value") if node.type in _FIELDS else None
    if value is None or value.type not in _FUNCTIONS:
        return None
    return node.child_by_field_name("property") or node.child_by_field_name("name")
