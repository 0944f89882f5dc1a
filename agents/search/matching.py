"""Which lines of files and of other texts a regular expression matches, as ripgrep in the sandbox finds them."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Any

from agents.reading.texts import Text
from agents.sandboxes.sandbox import Sandbox
from agents.search.ripgrep import SECONDS, Room, ripgrep

LARGEST = 4 * 2**20
"""Bytes of a file or text; larger ones are not searched."""
OUTPUT = 64 * 2**20
"""Bytes of answer that one run may give, more than any one file can cause."""
AT_ONCE = 4
LONGEST_PATTERN = 10_000
OTHERWISE = "The search could not be made"
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
    """A pattern as ripgrep understands it. At most `most` matching lines of each file are wanted."""

    pattern: str
    ignore_case: bool = False
    most: int = 20

    @property
    def over_lines(self) -> bool:
        """Whether a match may reach from one line to the next."""
        return "\n" in self.pattern or "\\n" in self.pattern

    def arguments(self) -> list[str]:
        options = ["--json", "--no-ignore", "--crlf", f"--max-count={self.most + 1}", f"--regexp={any_line_end(self.pattern)}"]
        options += ["--ignore-case"] if self.ignore_case else []
        options += ["--multiline"] if self.over_lines else []
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
    if answer.code == 2 and not listener.heard:
        answer.require(OTHERWISE)
    order = {path: place for place, path in enumerate(paths)}
    return sorted(listener.found, key=lambda hits: order.get(hits.path, 0)), answer.code is not None and not answer.timed_out


async def in_texts(sandbox: Sandbox, regex: Regex, texts: Sequence[Text]) -> list[Hits]:
    """The hits in each text, in their order; lines end with "\\n". Raises ToolError as `in_files`."""
    found = await (_each if regex.over_lines else _together)(sandbox, regex, [text.text for text in texts])
    return [replace(hits, path=text.label, text=text) for hits, text in zip(found, texts, strict=True)]


async def _each(sandbox: Sandbox, regex: Regex, texts: Sequence[str]) -> list[Hits]:
    """The first by itself: a wrong pattern is told once."""
    room = asyncio.Semaphore(AT_ONCE)

    async def one(text: str) -> Hits:
        async with room:
            return await _in_text(sandbox, regex, text)

    return [*[await one(text) for text in texts[:1]], *await asyncio.gather(*map(one, texts[1:]))]


async def _together(sandbox: Sandbox, regex: Regex, texts: Sequence[str]) -> list[Hits]:
    """All searched at once: no match can reach from one into the next."""
    starts = [0, *accumulate(len(shown_lines(text)) for text in texts)]
    everything = "\n".join(line for text in texts for line in shown_lines(text))
    together = await _in_text(sandbox, replace(regex, most=max(starts[-1], 1)), everything)
    found = [Hits("") for _ in texts]
    for match in together.matches:
        place = bisect_right(starts, match.first - 1) - 1
        _add(found[place], Match(match.first - starts[place], match.last - starts[place], match.line), regex.most)
    return found


async def _in_text(sandbox: Sandbox, regex: Regex, text: str) -> Hits:
    if not text:
        return Hits("")
    listener = _Listener(regex.most)
    arguments = [*regex.arguments(), "--text", "--encoding=none", "--", "-"]
    answer = await ripgrep(sandbox, arguments, listener.take, room=Room(OUTPUT), stdin=f"{text}\n".encode("utf-8", "replace"))
    answer.require(OTHERWISE)
    return listener.found[0] if listener.found else Hits("")


def shown_lines(text: str) -> list[str]:
    """The lines of a text; what stands behind its last "\\n" is one only if there is something."""
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]


class _Listener:
    """Hears what `rg --json` says of file after file."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._hits = Hits("")
        self.heard = False
        self.found: list[Hits] = []

    def take(self, line: str) -> bool:
        said = json.loads(line)
        self.heard = True
        match said["type"], said["data"]:
            case "begin", data:
                self._hits = Hits(_words(data["path"]).removeprefix("./"))
            case "match", data:
                _add(self._hits, _match(data), self._most)
            case "end", data if data["binary_offset"] is None and self._hits.matches:
                self.found.append(self._hits)
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
