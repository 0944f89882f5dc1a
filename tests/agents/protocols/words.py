"""A script whose calls are said in the words of a protocol: what a model without function calling would have said."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import yaml

from agents.events import Call, Text
from agents.providers.script import ScriptedPart, Turn, load_script
from tests.agents.protocols.reading import speech


def in_words(source: str, protocol: str) -> str:
    """The script of this file or text, as YAML. With tags a turn of several calls becomes as many turns."""
    script = load_script(source).model_dump(mode="json", exclude_unset=True)
    for scenario in script["scenarios"]:
        scenario["turns"] = [said for turn in scenario["turns"] for said in _turns(Turn.model_validate(turn), protocol)]
    return yaml.safe_dump(script, allow_unicode=True, width=1000)


def _turns(turn: Turn, protocol: str) -> Iterator[dict[str, Any]]:
    written = [part.written({}) for part in turn.parts if part.text is not None or part.call is not None]
    words = "\n\n".join(part.text for part in written if isinstance(part, Text))
    calls = [part for part in written if isinstance(part, Call)]
    replies = [calls] if protocol == "json" or not calls else [[call] for call in calls]
    for number, each in enumerate(replies):
        said = speech(protocol).reply(words if number == 0 else "", each, "continue" if calls else "done")
        yield _turn(turn, said) if number == 0 else {"parts": [{"text": said}]}


def _turn(turn: Turn, said: str) -> dict[str, Any]:
    """The turn with all its words and calls in one part, behind its thoughts and waits."""
    others = [part for part in turn.parts if part.text is None and part.call is None]
    parts = [*others, ScriptedPart(text=said)]
    return {
        **turn.model_dump(mode="json", exclude_unset=True),
        "parts": [part.model_dump(mode="json", exclude_unset=True) for part in parts],
    }
