"""What brackets and indentation say about lines: which only close something, how deep they stand, how bracket counts change."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

Balance = tuple[int, int, int]
"""How many more of (, [ and { were opened than closed."""

EVEN: Balance = (0, 0, 0)

_CLOSER = re.compile(r"\s*[)\]}]+[;,]?\s*")
_TOKEN = re.compile(
    r"""//[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/)?|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`(?:[^`\\]|\\.)*`?|[()\[\]{}]""", re.DOTALL
)
_WORTH: dict[str, Balance] = {"(": (1, 0, 0), ")": (-1, 0, 0), "[": (0, 1, 0), "]": (0, -1, 0), "{": (0, 0, 1), "}": (0, 0, -1)}


def is_closer(line: str) -> bool:
    """Whether the line does nothing but close: brackets, and one ; or , behind them."""
    return _CLOSER.fullmatch(line) is not None


def indent_of(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]


def shallower(one: str, other: str) -> bool:
    """Whether one indentation is a true beginning of the other."""
    return len(one) < len(other) and other.startswith(one)


def balances(lines: Sequence[str]) -> list[Balance]:
    """For 0, 1, 2, … of the first lines their balance, without what stands in strings and comments. Linear in the text."""
    each = [EVEN] * len(lines)
    starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
    for token in _TOKEN.finditer("\n".join(lines)):
        if worth := _WORTH.get(token[0]):
            at = bisect_right(starts, token.start()) - 1
            each[at] = plus(each[at], worth)
    return list(accumulate(each, plus, initial=EVEN))


def plus(one: Balance, other: Balance) -> Balance:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]


def minus(one: Balance, other: Balance) -> Balance:
    return one[0] - other[0], one[1] - other[1], one[2] - other[2]
