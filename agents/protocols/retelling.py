"""The conversation as a model reads it that calls its tools in words: its calls in the protocol's form, their results as messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from agents.events import Call, Reasoning, Text
from agents.protocols.reader import Speech
from agents.providers.provider import AssistantMessage, ToolMessage, Transcript, UserMessage
from agents.providers.sight import told


class Retold:
    """A transcript in a protocol's words. It only grows, and what was told once is never told otherwise: requests stay prefixes."""

    def __init__(self, speech: Speech) -> None:
        self.speech = speech
        self.transcript = Transcript()
        self._seen = 0
        self._calls: list[str] = []
        """Ids of the last reply's calls, in order."""

    def follow(self, transcript: Transcript) -> Retold:
        """Catch up with what was appended since."""
        new, self._seen = transcript.messages[self._seen :], len(transcript.messages)
        for kind, group in groupby(new, type):
            if kind is ToolMessage:
                self.transcript.append(self._results([message for message in group if isinstance(message, ToolMessage)]))
                continue
            for message in group:
                self.transcript.append(self._reply(message) if isinstance(message, AssistantMessage) else message)
        return self

    def _reply(self, message: AssistantMessage) -> AssistantMessage:
        calls = [part for part in message.parts if isinstance(part, Call)]
        self._calls = [call.call_id for call in calls]
        words = "\n\n".join(part.text for part in message.parts if isinstance(part, Text) and part.text)
        thoughts = tuple(part for part in message.parts if isinstance(part, Reasoning))
        said = self.speech.reply(words, calls, message.stop_reason) if calls or message.stop_reason else words
        return replace(message, parts=(*thoughts, Text(text=said)))

    def _results(self, results: Sequence[ToolMessage]) -> UserMessage:
        return UserMessage("\n\n".join(map(self._result, results)), tuple(results))

    def _result(self, result: ToolMessage) -> str:
        """A result under its heading. Which of several calls it belongs to is told by number, as the calls stood in the reply."""
        number = self._calls.index(result.call_id) + 1 if result.call_id in self._calls else 0
        which = f" (call {number} of {len(self._calls)})" if number and len(self._calls) > 1 else ""
        return f"[Result of {result.tool}{which}{': failed' if result.failed else ''}]\n{told(result, ())}"
