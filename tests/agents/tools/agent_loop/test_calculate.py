from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.errors import ToolError
from agents.tools.agent_loop.arithmetic import LONGEST, worked_out
from tests.agents.tools.hands import Hands


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("(2+3)*4", "20"), (" 7 // 2 ", "3"), ("7 / 2", "3.5"), ("7 % 3", "1"), ("2 ** 10", "1024"), ("-3 + +5", "2"), ("2 ** -1", "0.5"),
        ("-2 ** 2", "-4"), ("1_000 * 0x10", "16000"), ("10 ** 30 + 1", "1" + "0" * 29 + "1"), ("0.1 + 0.2", "0.30000000000000004"),
        ("(-8) ** 3", "-512"), ("1 ** 10 ** 9", "1"), ("(0 - 1) ** 10 ** 9", "1"), ("2 ** 13_000 // 2 ** 12_999", "2"),
        ("(1 +\n2)", "3"), ("2.5e3", "2500.0"), ("(" * 50 + "1" + ")" * 50, "1"),
    ],
)  # fmt: skip
async def test_plain_arithmetic_is_worked_out(hands: Hands, expression: str, result: str) -> None:
    assert (await hands.call("calculate", expression=expression)).output == result


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("1/0", "Division by zero"), ("1 // 0", "Division by zero"), ("5 % 0.0", "Division by zero"), ("0 ** -1", "Division by zero"),
        ("abs(-1)", "Unsupported expression syntax: Call"), ("x + 1", "Unsupported expression syntax: Name"),
        ("(1).real", "Unsupported expression syntax: Attribute"), ("'a' * 3", "Unsupported expression syntax: Constant"),
        ("True + 1", "Unsupported expression syntax: Constant"), ("1j", "Unsupported expression syntax: Constant"),
        ("... ", "Unsupported expression syntax: Constant"), ("None", "Unsupported expression syntax: Constant"),
        ("1 < 2", "Unsupported expression syntax: Compare"), ("1 | 2", "Unsupported expression syntax: BitOr"),
        ("1 << 9999999", "Unsupported expression syntax: LShift"), ("~1", "Unsupported expression syntax: Invert"),
        ("not 1", "Unsupported expression syntax: Not"), ("[1]", "Unsupported expression syntax: List"),
        ("1 if 1 else 2", "Unsupported expression syntax: IfExp"), ("(lambda: 1)()", "Unsupported expression syntax: Call"),
        ("(1, 2)", "Unsupported expression syntax: Tuple"), ("(x := 1)", "Unsupported expression syntax: NamedExpr"),
        ("2 +", "no arithmetic expression"), ("1; 2", "no arithmetic expression"), ("import os", "no arithmetic expression"),
        ("1\0", "no arithmetic expression"), ("", "is empty"), ("  ", "is empty"),
        ("9 ** 9 ** 9", "too large"), ("2 ** 100000000", "too large"), ("10 ** 4000 * 10 ** 4000", "too large"),
        ("(-7) ** 99999999", "too large"), ("10.0 ** 400", "too large"), ("10 ** 400 / 3", "too large"), ("10 ** 400 * 1.0", "too large"),
        ("1e999", "no finite number"), ("1e308 * 10", "no finite number"), ("1e999 - 1e999", "no finite number"),
        ("(-8) ** 0.5", "no real number"), ("1" * (LONGEST + 1), "1001 characters"),
        ("(" * 400 + "1" + ")" * 400, "no arithmetic expression|nested too deeply"),
    ],
)  # fmt: skip
async def test_what_has_no_result_is_told_why(hands: Hands, expression: str, said: str) -> None:
    with pytest.raises(ToolError, match=said):
        worked_out(expression)
    result = await hands.call("calculate", expression=expression)
    assert (result.error or "").startswith("Tool execution error: ")
    assert result.output == ""


def outcome(expression: str) -> str:
    try:
        return str(worked_out(expression))
    except ToolError as refused:
        return str(refused)


@given(st.text(alphabet="0123456789.+-*/%() e", max_size=60))
def test_any_expression_ends_soon_and_in_words(expression: str) -> None:
    assert outcome(expression)


def test_many_signs_are_no_fault() -> None:
    assert re.fullmatch("1|.* nested too deeply.", outcome("-" * (LONGEST - 2) + "1"))


async def test_the_time_is_told_in_utc_to_the_microsecond(hands: Hands) -> None:
    told = (await hands.call("get_current_time")).output
    assert told.endswith("+00:00")
    assert len(told) == len("2026-02-10T12:34:56.123456+00:00")
    assert timedelta(0) <= datetime.now(UTC) - datetime.fromisoformat(told) < timedelta(minutes=1)
