"""Where in a JSON value a token stands, as far as a reply's form goes."""

from __future__ import annotations

from dataclasses import dataclass, field

from agents.protocols.scanner import Token, said


@dataclass
class _Level:
    """An object or a list on the way. `key` is the place within it that is being written."""

    is_object: bool
    key: str | int = ""
    naming: bool = True
    """Whether the next string is a key."""
    name: list[str] = field(default_factory=list)


class Walk:
    """Follows tokens. `path` holds the keys and numbers from the top to the value that the last token belongs to."""

    def __init__(self) -> None:
        self._levels: list[_Level] = []
        self.naming = False
        """Whether the last token was part of a key."""

    @property
    def path(self) -> tuple[str | int, ...]:
        """Of four levels at most; a reply's form has no more of its own."""
        return tuple(level.key for level in self._levels[:4])

    @property
    def depth(self) -> int:
        return len(self._levels)

    def step(self, token: Token) -> None:
        level = self._levels[-1] if self._levels else None
        self.naming = level is not None and level.is_object and level.naming and token.kind in ("open", "piece", "shut")
        if token.kind == "sign":
            self._sign(token.text, level)
        elif self.naming and level is not None:
            self._name(token, level)

    def _sign(self, sign: str, level: _Level | None) -> None:
        if sign in "{[":
            self._levels.append(_Level(sign == "{", "" if sign == "{" else 0))
        elif sign in "}]":
            self._levels.pop()
        elif level is not None and sign == "," and isinstance(level.key, int):
            level.key += 1
        elif level is not None and sign == ",":
            level.key, level.naming = "", True
        elif level is not None:
            level.naming = False

    def _name(self, token: Token, level: _Level) -> None:
        if token.kind == "open":
            level.name = []
        elif token.kind == "piece":
            level.name.append(said(token.text))
        else:
            level.key = "".join(level.name)
