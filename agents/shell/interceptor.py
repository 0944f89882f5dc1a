"""Commands that do by hand what a tool does better: which tool that is, and why to take it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass
from itertools import takewhile

TO_NOWHERE = re.compile(r">{1,2}\s*(?:&|/dev/\w)")
"""Redirections that put nothing into a file."""


@dataclass(frozen=True)
class _Rule:
    """`applies` is given what stands behind the match."""

    tool: str
    begins: re.Pattern[str]
    advice: str
    applies: Callable[[str], bool] = bool


def _has(options: str) -> Callable[[str], bool]:
    option = re.compile(options)
    return lambda rest: any(option.fullmatch(word) for word in _own_words(rest))


def _own_words(rest: str) -> list[str]:
    """The words of the simple command, as the shell parts them; roughly, where a quote is never closed."""
    lexer = shlex.shlex(rest, posix=True, punctuation_chars="|&;\n")
    lexer.whitespace, lexer.whitespace_split, lexer.commenters = " \t\r", True, ""
    try:
        return list(takewhile(lambda word: not word or word.strip("|&;\n"), lexer))
    except ValueError:
        return rest.split()


def _into_file(rest: str) -> bool:
    """Whether the simple command goes on with an unquoted redirection into a file."""
    quote, at = "", 0
    while at < len(rest) and (quote or rest[at] not in "|;\n"):
        letter = rest[at]
        if letter == "\\" and quote != "'":
            at += 1
        elif letter in "'\"" and quote in ("", letter):
            quote = "" if quote else letter
        elif letter == ">" and not quote:
            nowhere = TO_NOWHERE.match(rest, at)
            if nowhere is None:
                return bool(rest[at:].strip("> \t\n"))
            at = nowhere.end()
        elif letter == "&" and not quote and rest[at + 1 : at + 2] != ">":
            return False
        at += 1
    return False


RULES = (
    _Rule("write", re.compile(r"(?:echo|printf)\b|cat(?=\s*(?:<<|>))"), "use write to put text into a file", _into_file),
    _Rule("read", re.compile(r"(?:cat|head|tail|less|more)\s+(?=\S)"), "use read to see a file or a part of it"),
    _Rule("search", re.compile(r"(?:grep|rg|ripgrep|ag|ack)\s+(?=\S)"), "use search to look for text"),
    _Rule(
        "find",
        re.compile(r"(?:find|fd|locate)\s"),
        "use find to look for files by name",
        _has(r"(?:-name|-iname|-type|--type|-glob|--glob)(?:=.*)?"),
    ),
    _Rule("edit", re.compile(r"sed\s"), "use edit to change a file", _has(r"-[bEnrsuz]*i.*|--in-place.*")),
    _Rule("edit", re.compile(r"perl\s"), "use edit to change a file", _has(r"-[acflnpstTuUvwWX0-9]*i.*")),
    _Rule("edit", re.compile(r"g?awk\s+(?:\S+\s+)?-i\s*inplace\b"), "use edit to change a file"),
)


def advice(forms: Iterable[str], tools: Container[str]) -> str:
    """What to do instead of the first form that begins like a tool there is; "" where none does."""
    for form in forms:
        line = form.strip()
        for rule in RULES:
            begin = rule.begins.match(line) if rule.tool in tools else None
            if begin and rule.applies(line[begin.end() :]):
                return rule.advice
    return ""
