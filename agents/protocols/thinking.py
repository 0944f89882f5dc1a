"""Thoughts that a model writes into its words, between `<think>` and `</think>` at the reply's beginning."""

from __future__ import annotations

import re

_OPENS = re.compile(r"\s{0,200}<think(?:ing)?>")
_MAY_OPEN = re.compile(r"\s{0,200}(?:<(?:t(?:h(?:i(?:n(?:k(?:i(?:n(?:g)?)?)?)?)?)?)?)?)?")
_SHUTS = re.compile(r"</think(?:ing)?>")
_MAY_SHUT = re.compile(r"<(?:/(?:t(?:h(?:i(?:n(?:k(?:i(?:n(?:g)?)?)?)?)?)?)?)?)?\Z")


class Thinking:
    """Takes the thoughts out of a reply. `open` while they have not ended."""

    def __init__(self) -> None:
        self.open = False
        self._over = False
        self._begins = False
        self._held = ""

    def feed(self, text: str) -> tuple[str, str]:
        """(thoughts, words) of the text and of what was held back before."""
        if self._over:
            return "", text
        text, self._held = self._held + text, ""
        if not self.open:
            if _MAY_OPEN.fullmatch(text):
                self._held = text
                return "", ""
            found = _OPENS.match(text)
            if found is None:
                self._over = True
                return "", text
            self.open, self._begins, text = True, True, text[found.end() :]
        if self._begins and text:
            self._begins, text = False, text[1:] if text[0].isspace() else text  # one blank behind the tag belongs to it
        return self._think(text)

    def _think(self, text: str) -> tuple[str, str]:
        if found := _SHUTS.search(text):
            self.open, self._over = False, True
            return text[: found.start()], text[found.end() :]
        if found := _MAY_SHUT.search(text):
            self._held = text[found.start() :]
            return text[: found.start()], ""
        return text, ""

    def rest(self) -> tuple[str, str]:
        """What was held back, at the reply's end."""
        held, self._held = self._held, ""
        return (held, "") if self.open else ("", held)
