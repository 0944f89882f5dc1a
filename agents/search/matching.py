"""Which lines of files and of other texts a regular expression matches, as ripgrep in the sandbox finds them."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from time import monotonic
from typing import Any

from agents.reading.texts import Text
from agents.sandboxes.sandbox import Sandbox
from agents.search.ripgrep import SECONDS, Room, ripgrep

LARGEST = 4 * 2**20
"""Bytes of a file or text; larger ones are not searched."""
OUTPUT = 64 * 2**20
"""Bytes of answer that one run may give, more than any one file can cause."""
AT_ONCE = 4
GROUP, MOST_TEXTS, GROUP_OUTPUT = 2 * 2**20, 2000, 16 * 2**20
"""Characters of several texts that are searched as one, how many they are, and bytes of answer that they may give."""
MOST_MATCHES = 2000
"""Collected in all; what lies behind them is not looked for."""
LONGEST_PATTERN = 10_000
OTHERWISE = "The search could not be made"
RAN_AWAY = "PCRE2: error matching"
"""What ripgrep says where a pattern took too many steps."""
_LINE_END = re.compile(r"\\.|\[\^?\]?|\]|\n", re.DOTALL)
_SPREAD = re.compile(r"\(\?[a-zA-Z]*x")


@dataclass(frozen=True)
class Match:
    """Lines `first` to `last`, counted from 1, that belong to matches; `line` is how the first of them reads."""

    first: int
    last: int
    line: str = ""


@dataclass
class Hits:
    """The matches of one file in their order, or of a `text` that is none; `more` when there are others behind them."""

    path: str
    matches: list[Match] = field(default_factory=list)
    more: bool = False
    text: Text | None = None


@dataclass(frozen=True)
class Regex:
    """A pattern as ripgrep understands it. At most `most` matching lines of each file are wanted.

    `backtracking` takes the other syntax, with lookaround and references; its steps are counted, so that it cannot run away.
    """

    pattern: str
    ignore_case: bool = False
    most: int = 20
    backtracking: bool = False

    @property
    def over_lines(self) -> bool:
        """Whether a match may reach from one line to the next."""
        return "\n" in self.pattern or "\\n" in self.pattern

    def arguments(self) -> list[str]:
        options = ["--json", "--no-ignore", f"--max-count={self.most + 1}", f"--regexp={any_line_end(self.pattern)}"]
        options += ["--ignore-case"] if self.ignore_case else []
        options += ["--multiline"] if self.over_lines else []
        options += ["--pcre2", "--messages"] if self.backtracking else ["--crlf"]
        return options


def any_line_end(pattern: str) -> str:
    """The pattern with every line end in it, but for those in brackets, also fitting the "\\r\\n" of other systems.

    Where blanks mean nothing, `(?x)`, line ends stay, and one more keeps a comment from swallowing what ripgrep puts behind it.
    """
    depth = 0
    spread = _SPREAD.match(pattern) is not None

    def put(found: re.Match[str]) -> str:
        nonlocal depth
        word = found[0]
        depth += word.startswith("[") - (word == "]" and depth > 0)
        spelt = word == r"\n" or (word == "\n" and not spread)
        return r"(?:\r?\n)" if spelt and not depth else word

    return _LINE_END.sub(put, pattern) + "\n" * spread


async def in_files(sandbox: Sandbox, regex: Regex, paths: Sequence[str], seconds: float = SECONDS) -> tuple[list[Hits], bool]:
    """The hits in these files, in their order, without binary ones; False with them when time or room ran out.

    Paths are relative to the workspace, a few thousand at most. Raises ToolError for a pattern that ripgrep does not understand.
    """
    listener = _Listener(regex.most)
    arguments = [*regex.arguments(), "--", *(f"./{path}" for path in paths)]
    answer = await ripgrep(sandbox, arguments, listener.take, room=Room(OUTPUT, seconds))
    if answer.code == 2 and (not listener.heard or RAN_AWAY in answer.complaint):
        answer.require(OTHERWISE)
    if answer.code is None and len(paths) == 1 and listener.unfinished.matches:
        return [replace(listener.unfinished, more=True)], False
    order = {path: place for place, path in enumerate(paths)}
    return sorted(listener.found, key=lambda hits: order.get(hits.path, 0)), answer.code is not None and not answer.timed_out


async def in_texts(sandbox: Sandbox, regex: Regex, texts: Sequence[Text]) -> list[Hits]:
    """The hits in each text, in their order; lines end with "\n". Raises ToolError as `in_files`.

    The answer has fewer than there are texts (but one at least) when there were enough matches, or no more time.
    """
    found = await (_each if regex.over_lines else _together)(sandbox, regex, [text.text for text in texts])
    return [replace(hits, path=text.label, text=text) for hits, text in zip(found, texts, strict=False)]


async def _each(sandbox: Sandbox, regex: Regex, texts: Sequence[str]) -> list[Hits]:
    """The first by itself: a wrong pattern is told once."""
    found = [await _in_text(sandbox, regex, text) for text in texts[:1]]
    until = monotonic() + SECONDS
    while len(found) < len(texts) and not _enough(found, until):
        few = texts[len(found) : len(found) + AT_ONCE]
        found += await asyncio.gather(*(_in_text(sandbox, regex, text) for text in few))
    return found


async def _together(sandbox: Sandbox, regex: Regex, texts: Sequence[str]) -> list[Hits]:
    """Many searched at once: no match can reach from one into the next."""
    found: list[Hits] = []
    until = monotonic() + SECONDS
    for some in _groups(texts):
        if found and _enough(found, until):
            break
        found += await _at_once(sandbox, regex, some)
    return found


def _enough(found: Sequence[Hits], until: float) -> bool:
    return monotonic() > until or sum(len(hits.matches) for hits in found) > MOST_MATCHES


def _groups(texts: Sequence[str]) -> Iterator[list[str]]:
    group, size = list[str](), 0
    for text in texts:
        if group and (size + len(text) > GROUP or len(group) == MOST_TEXTS):
            yield group
            group, size = [], 0
        group.append(text)
        size += len(text)
    if group:
        yield group


async def _at_once(sandbox: Sandbox, regex: Regex, texts: Sequence[str]) -> list[Hits]:
    """By halves where the answer for all is too long."""
    if len(texts) == 1:
        return [await _in_text(sandbox, regex, texts[0])]
    starts = [0, *accumulate(map(_count, texts))]
    everything = "".join(text if text.endswith("\n") or not text else f"{text}\n" for text in texts).removesuffix("\n")
    together = await _in_text(sandbox, replace(regex, most=max(starts[-1], 1)), everything, GROUP_OUTPUT)
    if together.more:
        half = len(texts) // 2
        return [*await _at_once(sandbox, regex, texts[:half]), *await _at_once(sandbox, regex, texts[half:])]
    found = [Hits("") for _ in texts]
    for match in together.matches:
        place = bisect_right(starts, match.first - 1) - 1
        _add(found[place], Match(match.first - starts[place], match.last - starts[place], match.line), regex.most)
    return found


async def _in_text(sandbox: Sandbox, regex: Regex, text: str, output: int = OUTPUT) -> Hits:
    """There are `more` also where the answer is so long that it was cut."""
    if not text:
        return Hits("")
    listener = _Listener(regex.most)
    arguments = [*regex.arguments(), "--text", "--encoding=none", "--", "-"]
    data = await asyncio.to_thread(f"{text}\n".encode, "utf-8", "replace")
    answer = await ripgrep(sandbox, arguments, listener.take, room=Room(output), stdin=data)
    answer.require(OTHERWISE)
    if answer.code is None:
        return replace(listener.unfinished, more=True)
    return listener.found[0] if listener.found else Hits("")


def shown_lines(text: str) -> list[str]:
    """The lines of a text; what stands behind its last "\\n" is one only if there is something."""
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]


def _count(text: str) -> int:
    """How many lines `shown_lines` would give."""
    return text.count("\n") + (not text.endswith("\n") and text != "")


class _Listener:
    """Hears what `rg --json` says of file after file."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.unfinished = Hits("")
        """The hits of the file that is being told of, or was last."""
        self.heard = False
        self.found: list[Hits] = []

    def take(self, line: str) -> bool:
        said = json.loads(line)
        self.heard = True
        match said["type"], said["data"]:
            case "begin", data:
                self.unfinished = Hits(_words(data["path"]).removeprefix("./"))
            case "match", data:
                _add(self.unfinished, _match(data), self._most)
            case "end", data if data["binary_offset"] is None and self.unfinished.matches:
                self.found.append(self.unfinished)
        return True


def _add(hits: Hits, match: Match, most: int) -> None:
    hits.more = len(hits.matches) >= most
    if not hits.more:
        hits.matches.append(match)


def _match(data: dict[str, Any]) -> Match:
    lines = _words(data["lines"]).removesuffix("\n")
    first = int(data["line_number"])
    return Match(first, first + lines.count("\n"), lines.partition("\n")[0])


def _words(given: dict[str, str]) -> str:
    return given["text"] if "text" in given else os.fsdecode(base64.b64decode(given["bytes"]))
