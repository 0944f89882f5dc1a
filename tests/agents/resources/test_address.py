"""Taking internal URLs apart, and finding them in commands."""

from __future__ import annotations

import subprocess

import pytest

from agents.errors import ToolError
from agents.resources.address import LONGEST, parse, scheme_of
from agents.resources.mentions import Quotes, in_command, in_value, quoted


@pytest.mark.parametrize(
    ("path", "scheme"),
    [
        ("skill://a", "skill"),
        (" SKILL://a", "skill"),
        ("vault://", "vault"),
        ("x-y+z.1://a", "x-y+z.1"),
        ("http://a", ""),
        ("HTTPS://a", ""),
        ("src/a.py", ""),
        ("C:\\a", ""),
        ("://a", ""),
        ("src/skill://a", ""),
        ("1a://b", ""),
    ],
)
def test_only_what_begins_with_a_scheme_is_an_internal_url(path: str, scheme: str) -> None:
    assert scheme_of(path) == scheme


def test_percent_signs_are_read_once_and_queries_only_where_there_are_some() -> None:
    assert parse("local://a%20b%2525.txt").path == "a b%25.txt"
    assert parse("local://a?b.txt").path == "a?b.txt"
    assert parse("issue://?state=all").query == {"state": "all"}
    assert parse("skill://").is_root
    assert parse("skill:///").is_root
    assert parse("mcp://notes/file:///a%20b?c#d").rest == "notes/file:///a%20b?c#d"


@pytest.mark.parametrize(
    "url",
    [
        "skill://a/../b",
        "skill://a/%2e%2e/b",
        "skill://a/%2E./b",
        "skill://..",
        "skill://a\\..\\b",
        "skill://a/..%2fb",
        "rule://a/../../etc/passwd",
    ],
)
def test_no_name_climbs_however_it_is_spelled(url: str) -> None:
    with pytest.raises(ToolError, match="leaves what it names"):
        _ = parse(url).parts


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("skill://a%00b", "control characters"),
        ("skill://a%0ab", "control characters"),
        ("skill://a\nb", "control characters"),
        ("skill://%ff", "not valid UTF-8"),
        ("skill://user:pass@name", "no user or password"),
        ("artifact://me@3", "no user or password"),
        (f"skill://{'a' * LONGEST}", "more than"),
        ("just/a/path", "no internal address"),
        ("http://example.org", "no internal address"),
    ],
)
def test_odd_addresses_are_told_what_is_wrong_with_them(url: str, said: str) -> None:
    with pytest.raises(ToolError, match=said):
        parse(url)


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("cat local://a.txt", [("local://a.txt", "")]),
        ("cat 'local://a' \"local://b\" local://c", [("local://a", "'"), ("local://b", '"'), ("local://c", "")]),
        ("cat local://a.txt;ls skill://x|wc", [("local://a.txt", ""), ("skill://x", "")]),
        ("curl https://x.example/local://a", []),
        ("echo mylocal://a", []),
        ("echo hi # don't local://a\ncat local://b", [("local://b", "")]),
        ("echo it\\'s local://b", [("local://b", "")]),
        ('echo "it\'s $(cat local://b)"', [("local://b", '"')]),
        ("echo $'it\\'s local://b'", [("local://b", "$'")]),
        ("X=vault://TOKEN,y", [("vault://TOKEN", "")]),
        ("cat local://src/*.py", [("local://src/", "")]),
        ("echo unknown://a", []),
        ("echo 'open local://a", [("local://a", "'")]),
    ],
)
def test_urls_are_found_in_commands_with_the_quotes_they_stand_in(command: str, found: list[tuple[str, str]]) -> None:
    assert [(one.url, one.quotes) for one in in_command(command)] == found


def test_in_values_quotes_mean_nothing() -> None:
    assert [(one.url, one.quotes) for one in in_value("it's vault://A local://b")] == [("vault://A", ""), ("local://b", "")]


@pytest.mark.parametrize("path", ["plain", "a b", "it's", 'say "x"', "$HOME", "`id`", "back\\slash", "a'b\"c$d`e\\f", "!x"])
def test_a_quoted_path_comes_out_of_a_real_shell_as_it_is(path: str) -> None:
    ways: list[tuple[Quotes, str, str]] = [("", "", ""), ('"', '"', '"'), ("'", "'", "'"), ("$'", "$'", "'")]
    commands = [f"printf %s {opened}{quoted(path, quotes)}{closed}" for quotes, opened, closed in ways]
    printed = [subprocess.run(["bash", "-c", one], capture_output=True, text=True, check=True).stdout for one in commands]
    assert printed == [path] * 4
