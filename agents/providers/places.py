"""Where a script stands: a fold of the transcript alone, so that another worker goes on at the same place."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from agents.events import Part
from agents.providers.provider import AssistantMessage, Message, ToolMessage, Transcript, UserMessage
from agents.providers.script import Scenario, Script, Turn
from agents.providers.sight import TOKENS


@dataclass(frozen=True)
class Cue:
    """The turn that comes next. `place` is the scenario's place after it, None for an aside or the script's end."""

    turn: Turn
    place: int | None
    variables: Mapping[str, str]


@dataclass
class Place:
    """What of a transcript has been seen so far. `places` counts the turns played, by scenario."""

    script: Script
    seen: int = 0
    characters: int = 0
    messages: int = 0
    replies: int = 0
    user: str = ""
    tool: str = ""
    output: str = ""
    failed: bool = False
    last: str = ""
    scenario: int | None = None
    places: dict[int, int] = field(default_factory=dict)

    def follow(self, transcript: Transcript) -> Place:
        """Catch up with what was appended since."""
        for message in transcript.messages[self.seen :]:
            self._see(message)
            self.seen += 1
        return self

    def _see(self, message: Message) -> None:
        match message:
            case UserMessage(answers=answers) if answers:
                for answer in answers:
                    self._see(answer)
            case UserMessage(text, guides=True):
                self.characters += len(text)
                self._be_guided(text)
            case UserMessage(text):
                self.characters += len(text)
                self._be_told(text)
            case ToolMessage():
                self.tool, self.output, self.failed, self.last = message.tool, message.text, message.failed, "tool"
                self.characters += len(message.text) + 4 * TOKENS * len(message.images)
            case AssistantMessage(made=True):
                pass
            case AssistantMessage(parts):
                self._reply(parts)

    def _reply(self, parts: Sequence[Part]) -> None:
        """A reply was played: its turn is behind us."""
        place = self.cue().place
        if place is not None and self.scenario is not None:
            self.places[self.scenario] = place
        self.replies += 1
        self.characters += sum(len(getattr(part, "text", "") or getattr(part, "arguments", "")) for part in parts)

    def _be_told(self, text: str) -> None:
        """Go over to the scenario for what people say; none where nothing fits it."""
        self.user, self.last, self.failed, self.replies = text, "user", False, 0
        self.messages += 1
        for_people = ((number, each) for number, each in enumerate(self.script.scenarios) if each.is_for_people)
        self._go_to(next((number for number, each in for_people if _search(each.match, self.user) is not None), None))

    def _be_guided(self, text: str) -> None:
        """Go over to the scenario for this guidance, if there is one."""
        guided = ((number, each.guide) for number, each in enumerate(self.script.scenarios) if each.guide is not None)
        chosen = next((number for number, guide in guided if _search(guide, text) is not None), None)
        if chosen is not None:
            self.last, self.failed = "user", False
            self._go_to(chosen)

    def _go_to(self, scenario: int | None) -> None:
        self.scenario = scenario
        if scenario is not None and self.script.scenarios[scenario].restart:
            self.places[scenario] = 0

    def cue(self) -> Cue:
        """What is played next."""
        if self.scenario is None:
            return Cue(self.script.end, None, self._variables(self.script.end))
        scenario = self.script.scenarios[self.scenario]
        for aside in scenario.asides:
            if (found := self._fits(aside)) is not None:
                return Cue(aside, None, found)
        return self._in_order(scenario) or Cue(self.script.end, None, self._variables(self.script.end))

    def _in_order(self, scenario: Scenario) -> Cue | None:
        turns, start = scenario.written_out, self.places.get(self.scenario or 0, 0)
        for number in chain(range(start, len(turns)), range(start if scenario.loop else 0)):
            if (found := self._fits(turns[number])) is not None:
                return Cue(turns[number], number + 1, {**found, "n": str(number + 1)})
        return None

    def _fits(self, turn: Turn) -> dict[str, str] | None:
        """The turn's variables if its condition holds, else None."""
        when = turn.when
        exact = ((when.last, self.last), (when.failed, self.failed), (when.turn, self.replies), (when.messages, self.messages))
        if any(wanted is not None and wanted != actual for wanted, actual in exact):
            return None
        variables = self._variables(turn)
        of_tool = self.last == "tool"
        for pattern, text, there in ((when.user, self.user, True), (when.tool, self.tool, of_tool), (when.output, self.output, of_tool)):
            found = {} if pattern is None else _search(pattern, text)
            if found is None or (pattern is not None and not there):
                return None
            variables |= found
        return variables

    def _variables(self, turn: Turn) -> dict[str, str]:
        match = self.script.scenarios[self.scenario].match if self.scenario is not None else ""
        taken = ((match, self.user), (turn.take.user, self.user), (turn.take.output, self.output))
        variables = {"user": self.user, "output": self.output, "tool": self.tool}
        for pattern, text in taken:
            variables |= _search(pattern or "", text) or {}
        return variables


def _search(pattern: str, text: str) -> dict[str, str] | None:
    """The named groups of the first place that fits, or None."""
    found = re.search(pattern, text, re.IGNORECASE)
    return None if found is None else {name: value or "" for name, value in found.groupdict().items()}
