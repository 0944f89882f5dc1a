"""The words around a call: shown as they come, but for the fence that a model puts around its call."""

from __future__ import annotations

import re

FENCE = re.compile(r"`{1,2}|```[\w+-]{0,20}")
_RUN = re.compile(r"\s+|\S+")


class Prose:
    """Text before a call, or of a reply without one. Blank ends are left out; a line that may be a fence is held until more is known."""

    def __init__(self) -> None:
        self.begun = False
        self.fenced = False
        """Whether a fence was opened right before the call."""
        self._held: list[str] = []
        self._word = ""
        self._starts = True
        """Whether what comes next begins a line."""
        self._inside = False
        """Whether a block of code is open in what was shown."""

    @property
    def bare(self) -> bool:
        """Whether nothing was said so far, unless a fence was opened."""
        return not self.begun and not (self._word and len(self._word) < 3)

    def feed(self, text: str) -> str:
        """What of it can be shown by now, with what was held back before."""
        shown: list[str] = []
        for run in _RUN.findall(text):
            if run.isspace():
                self._hold(run)
            else:
                shown += self._say(run)
        return "".join(shown)

    def _hold(self, blank: str) -> None:
        if self._word:
            self._held.append(self._word)
            self._word = ""
        self._starts = self._starts or "\n" in blank
        if self.begun or self._held:
            self._held.append(blank)

    def _say(self, run: str) -> list[str]:
        word = self._word + run
        if self._starts and FENCE.fullmatch(word):
            self._word = word
            return []
        shown = [*self._held, word]
        fences = sum(each.startswith("```") for each in self._held) + (self._starts and word.startswith("```"))
        self._inside = self._inside != bool(fences % 2)
        self.begun, self._starts, self._held, self._word = True, False, [], ""
        return shown

    def call_begins(self) -> str:
        """What is still to be shown of the words before: the last fence held back is the call's own, unless it closes one."""
        held = [*self._held, self._word]
        fences = [place for place, each in enumerate(held) if each.startswith("```")]
        self.fenced = bool(fences) and self._inside == (len(fences) % 2 == 0)
        self._held, self._word = held[: fences[-1]] if self.fenced else held if fences else [], ""
        return self.rest()

    def rest(self) -> str:
        """What is left to show at the reply's end."""
        rest = "".join([*self._held, self._word]).rstrip()
        self._held, self._word = [], ""
        return rest


def behind(text: str, fenced: bool) -> str:
    """The words behind a call, without the line that closes its fence."""
    text = text.strip()
    return text[3:].strip() if fenced and re.match(r"```\s*(\n|$)", text) else text
