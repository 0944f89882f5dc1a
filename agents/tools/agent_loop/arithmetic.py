"""Arithmetic on numbers, worked out from the syntax tree: nothing in an expression is ever run."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping

from agents.errors import ToolError

Number = int | float
LONGEST = 1000
"""Characters of an expression."""
MOST_BITS = 14_000
"""Of a whole number, about 4200 digits: more than these take long to work out and nobody reads them."""
ALLOWED = "Only numbers, + - * / // % **, a sign before a number, and parentheses can be used."


def worked_out(expression: str) -> Number:
    """Raises ToolError, saying why, for what is no arithmetic and for what has no result that could be shown."""
    if not expression.strip():
        raise ToolError("The expression is empty. Give one such as (2+3)*4.")
    if len(expression) > LONGEST:
        raise ToolError(f"The expression has {len(expression)} characters, {LONGEST} are the most.")
    try:
        return _shown(_value(ast.parse(expression.strip(), mode="eval").body))
    except SyntaxError as wrong:
        raise ToolError(f"This is no arithmetic expression: {wrong.msg}. {ALLOWED}") from None
    except ZeroDivisionError:
        raise ToolError("Division by zero.") from None
    except OverflowError:
        raise ToolError("A number became too large for a decimal fraction (more than about 1.8e308).") from None
    except (RecursionError, MemoryError):
        raise ToolError("The expression is nested too deeply.") from None
    except ValueError as wrong:
        raise ToolError(f"This is no arithmetic expression: {wrong}. {ALLOWED}") from None


def _shown(value: Number) -> Number:
    if not math.isfinite(value):
        raise ToolError("The result is no finite number.")
    return value


def _value(node: ast.expr) -> Number:
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return _bounded(value)
        case ast.UnaryOp(op=sign, operand=operand) if type(sign) in SIGNS:
            return SIGNS[type(sign)](_value(operand))
        case ast.BinOp(left=left, op=way, right=right) if type(way) in WAYS:
            return _bounded(WAYS[type(way)](_value(left), _value(right)))
        case ast.BinOp(op=ast.operator() as other) | ast.UnaryOp(op=ast.unaryop() as other):
            raise ToolError(f"Unsupported expression syntax: {type(other).__name__}. {ALLOWED}")
    raise ToolError(f"Unsupported expression syntax: {type(node).__name__}. {ALLOWED}")


def _bounded(value: Number) -> Number:
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        raise _too_large()
    return value


def _too_large() -> ToolError:
    return ToolError(f"A number became too large: whole numbers may have about {int(MOST_BITS * math.log10(2))} digits.")


def _power(base: Number, exponent: Number) -> Number:
    """What would be too large is refused before it is worked out."""
    if isinstance(base, int) and isinstance(exponent, int) and abs(base) > 1 and (base.bit_length() - 1) * exponent > MOST_BITS:
        raise _too_large()
    value = base**exponent
    if isinstance(value, complex):
        raise ToolError("A root of a negative number is no real number.")
    return value


SIGNS: Mapping[type[ast.unaryop], Callable[[Number], Number]] = {ast.UAdd: operator.pos, ast.USub: operator.neg}
WAYS: Mapping[type[ast.operator], Callable[[Number, Number], Number]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod, ast.Pow: _power,
}  # fmt: skip
