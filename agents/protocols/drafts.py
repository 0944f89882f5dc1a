"""The actions of a JSON reply while they are written: which tool, which arguments, and which sections their contents come from."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from agents.protocols.scanner import Token, said
from agents.protocols.sections import NAME, Section

_BEGINNING = "FILE_CONTENT_#"


@dataclass
class Draft:
    """One action. `arguments` is its JSON in the order it was written; a number stands for the section of that number."""

    tool: str = ""
    named: bool = False
    arguments: list[str | int] = field(default_factory=list)
    sections: list[int] = field(default_factory=list)
    """The numbers among the arguments."""
    _name: list[str] = field(default_factory=list)
    _string: str | None = None
    """A string that may yet be a section's name, without its quotes."""
    _told: int = 0
    _opened: bool = False
    _read: int = 0

    def name(self, token: Token) -> None:
        """Take in a token of the tool's name; with the closing quote it is known."""
        if token.kind == "piece":
            self._name.append(said(token.text))
        elif token.kind == "shut":
            self.tool, self.named = "".join(self._name).strip(), True

    def argue(self, token: Token, is_name: bool) -> None:
        """Take in a token of the arguments. `is_name`: it is part of a key."""
        if token.kind == "open" and not is_name:
            self._string = ""
        elif self._string is None:
            self.arguments.append(token.text)
        elif token.kind == "shut":
            self._shut(self._string)
        else:
            self._string += token.text
            if not _may_be_name(self._string):
                self.arguments.append(f'"{self._string}')
                self._string = None

    def _shut(self, string: str) -> None:
        self._string = None
        if found := NAME.fullmatch(string):
            self.arguments.append(int(found[1]))
            self.sections.append(int(found[1]))
        else:
            self.arguments.append(f'"{string}"')

    def end(self) -> None:
        """The action is whole; one without arguments has none."""
        if not self.arguments:
            self.arguments.append("{}")

    def due(self, sections: Mapping[int, Section]) -> Iterator[str]:
        """The JSON text that can be told by now and was not before. A section's body is told as it grows."""
        while self._told < len(self.arguments):
            each = self.arguments[self._told]
            if isinstance(each, str):
                yield each
            else:
                section = sections.get(each)
                if section is None:
                    return
                yield from self._body(section)
                if not section.closed:
                    return
                yield '"'
            self._told, self._opened, self._read = self._told + 1, False, 0

    def _body(self, section: Section) -> Iterator[str]:
        if not self._opened:
            self._opened = True
            yield '"'
        new, self._read = section.pieces[self._read :], len(section.pieces)
        yield from map(inside, new)


def inside(text: str) -> str:
    """The text as it stands inside a JSON string."""
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _may_be_name(text: str) -> bool:
    return _BEGINNING.startswith(text) or NAME.fullmatch(text) is not None
