"""Finding internal URLs in a shell command, and which quotes they stand in."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from agents.resources.router import SCHEMES

Quotes = Literal["", "'", '"', "$'"]

_BARE = r"""[^\s'"`;|&<>(){}\[\]$*?\\,]*"""
_URL = rf"(?P<url>(?<![\w.:/+-])(?:vault://\w*|(?:{'|'.join(SCHEMES)})://{_BARE}))"
URL = re.compile(_URL)
WITHIN: dict[Quotes, re.Pattern[str]] = {
    "": re.compile(rf"\\.|\$'|'|\"|(?:(?<=\s)|\A)#[^\n]*|{_URL}", re.DOTALL),
    "'": re.compile(rf"'|{_URL}"),
    '"': re.compile(rf"\\.|\"|{_URL}", re.DOTALL),
    "$'": re.compile(rf"\\.|'|{_URL}", re.DOTALL),
}
"""What matters in each kind of quotes: what opens or closes some, and URLs. A comment is passed over."""
OPENING: dict[str, Quotes] = {"'": "'", '"': '"', "$'": "$'"}
CLOSING: dict[Quotes, str] = {"'": "'", '"': '"', "$'": "'"}


@dataclass(frozen=True)
class Mention:
    """Where a URL stands in the text, and within which quotes of the shell's."""

    url: str
    start: int
    end: int
    quotes: Quotes = ""


def in_command(command: str) -> Iterator[Mention]:
    """As the shell reads its line; only what stands in a here-document is taken for plain words."""
    quotes: Quotes = ""
    at = 0
    while found := WITHIN[quotes].search(command, at):
        at = found.end()
        if found["url"]:
            yield Mention(found["url"], found.start(), at, quotes)
        elif quotes == "":
            quotes = OPENING.get(found[0], "")
        elif found[0] == CLOSING[quotes]:
            quotes = ""


def in_value(text: str) -> Iterator[Mention]:
    """Where no shell comes between."""
    for found in URL.finditer(text):
        yield Mention(found["url"], found.start(), found.end())


def quoted(path: str, quotes: Quotes) -> str:
    """The path as it must be written within these quotes to come out as it is."""
    if quotes == "":
        return shlex.quote(path)
    if quotes == '"':
        return re.sub(r'(["\\$`])', r"\\\1", path)
    return path.replace("'", "'\\''") if quotes == "'" else re.sub(r"(['\\])", r"\\\1", path)
