"""The reply that is being streamed, and the facts it ends in."""

from __future__ import annotations

import uuid

from agents import events as e
from agents.agent import Agent
from agents.providers.provider import Ended, Failed, Grew


class Reply:
    """The reply that is being streamed: where each part stands, and what is to be kept of it if it is stopped."""

    def __init__(self) -> None:
        self.reply_id = uuid.uuid4().hex
        self.parts: dict[int, str] = {}
        self.kinds: dict[int, str] = {}
        self.over = False

    def grow(self, more: Grew) -> e.AnyNote:
        at = len(self.parts.get(more.part, ""))
        self.parts[more.part] = self.parts.get(more.part, "") + more.text
        self.kinds[more.part] = more.kind
        if more.kind == "call":
            return e.CallGrew(
                reply_id=self.reply_id, part=more.part, call_id=more.call_id, tool=more.tool, at=at, text=more.text
            )  # fmt: skip
        note = e.TextGrew if more.kind == "text" else e.ReasoningGrew
        return note(reply_id=self.reply_id, part=more.part, at=at, text=more.text)

    def ended(self, agent: Agent, end: Ended, seconds: float) -> e.AgentSpoke:
        return e.AgentSpoke(
            reply_id=self.reply_id, parts=end.parts, finish=end.finish, usage=end.usage, seconds=round(seconds, 3),
            provider=agent.provider.name, model=end.model or agent.model,
        )  # fmt: skip

    def stopped(self, agent: Agent, seconds: float) -> e.AgentSpoke:
        """What was said so far. Half a call is no call, and half a thought cannot be sent back: only words are kept."""
        parts = tuple(e.Text(text=text) for part, text in sorted(self.parts.items()) if self.kinds[part] == "text" and text)
        return e.AgentSpoke(
            reply_id=self.reply_id, parts=parts, finish="stopped", seconds=round(seconds, 3),
            provider=agent.provider.name, model=agent.model,
        )  # fmt: skip


def failure(reply_id: str, failed: Failed) -> e.ProviderFailed:
    return e.ProviderFailed(
        reply_id=reply_id, kind=failed.kind, message=failed.message, status=failed.status, attempt=failed.attempt,
        retry_in=failed.retry_in,
    )  # fmt: skip
