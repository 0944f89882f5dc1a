"""The programs a command line would start, roughly: for telling what it is, never for running it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from functools import lru_cache


def listed(words: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(words.split())


FRAGMENTS = re.compile(r"(?:[;&|\n(){}`]|\$\()+")
ASSIGNED = re.compile(r"\w+\+?=")
KEYWORDS = listed("! { if then else elif do while until time command builtin exec nohup")
WRAPPERS: dict[str, frozenset[str]] = {
    "sudo": listed("-u -g -h -p -C -T -D -R --user --group"),
    "doas": frozenset(("-u", "-C")),
    "env": frozenset(("-u", "--unset", "-C", "--chdir", "-S")),
    "nice": frozenset(("-n",)),
    "ionice": frozenset(("-c", "-n", "-p")),
    "stdbuf": frozenset(("-i", "-o", "-e")),
    "timeout": frozenset(("-k", "-s", "--signal", "--kill-after")),
    "xargs": listed("-I -n -P -L -d -a -E -s"),
    "setsid": frozenset(),
    "watch": frozenset(("-n", "--interval")),
    "strace": frozenset(("-e", "-o", "-p")),
}
"""Programs that start the one named behind them, and which of their options take a value."""
OPERANDS = {"timeout": 1}
"""How many words of its own a wrapper has before that program."""
SHELLS = listed("sh bash dash zsh ksh ash")
DEEPEST = 4
"""How many shells within shells are looked into."""


def programs(line: str, depth: int = 0) -> list[list[str]]:
    """The argument list of every program the line seems to start, wrappers taken off and `sh -c` looked into."""
    return [list(argv) for argv in _programs(line, depth)]


@lru_cache(maxsize=32)
def _programs(line: str, depth: int) -> tuple[tuple[str, ...], ...]:
    """Kept for a while: of one call the line is asked about a dozen times."""
    return tuple(tuple(argv) for fragment in _fragments(line) for argv in _unwrapped(fragment, depth) if argv)


def _fragments(line: str) -> Iterator[list[str]]:
    """Words of each simple command. Text in quotes stays one word, and what it would start as a substitution comes as well."""
    for piece in _split(line.replace("\\\n", " ")):
        try:
            words = shlex.split(piece, comments=True)
        except ValueError:  # a quote nobody closed
            words = piece.split()
        if words:
            yield words


def _split(line: str) -> Iterator[str]:
    current, quote, at = "", "", 0
    while at < len(line):
        step = 2 if line[at] == "\\" and quote != "'" else 1
        letter, at = line[at : at + step], at + step
        if not quote and (found := FRAGMENTS.match(line, at - step)):
            yield current
            current, at = "", found.end()
            continue
        if letter in ("'", '"') and quote in ("", letter):
            quote = "" if quote else letter
        current += letter
    yield current
    for inner in re.findall(r"\$\(([^()]*)\)|`([^`]*)`", line):  # also those within double quotes
        yield from inner


def _unwrapped(words: list[str], depth: int) -> Iterator[list[str]]:
    while words:
        name = base(words[0])
        if words[0] in KEYWORDS or ASSIGNED.match(words[0]):
            words = words[1:]
        elif name in WRAPPERS:
            words = _behind(words, name)
        elif name in SHELLS and (script := _script(words)) and depth < DEEPEST:
            yield from programs(script, depth + 1)
            return
        else:
            yield words
            return


def _behind(words: list[str], wrapper: str) -> list[str]:
    """What stands behind a wrapper's own options and operands."""
    rest = words[1:]
    while rest and rest[0].startswith("-"):
        rest = rest[2:] if rest[0] in WRAPPERS[wrapper] else rest[1:]
    return rest[OPERANDS.get(wrapper, 0) :]


def _script(words: list[str]) -> str:
    """What a shell is given with -c, "" where it is not."""
    flagged = next((at for at, word in enumerate(words) if re.fullmatch(r"-[a-z]*c[a-z]*", word)), None)
    return words[flagged + 1] if flagged is not None and flagged + 1 < len(words) else ""


def base(program: str) -> str:
    """The program's name without the folder it lies in."""
    return program.rpartition("/")[2]
