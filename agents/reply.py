"""The reply that is being streamed, and the facts it ends in."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import itemgetter

from agents import events as e
from agents.agent import Agent
from agents.history import History
from agents.pieces import well_formed
from agents.providers.provider import Ended, Failed, Grew

MOST_CORRECTIONS = 2
"""How often in a row a model is told that its reply could not be read."""
TOO_MANY_UNREADABLE = Failed(
    "malformed",
    f"The model's replies could not be read, {MOST_CORRECTIONS + 1} times in a row; each time it was told what was wrong. "
    "Send a message to try again, or choose another protocol or model for the session.",
)
CALL_ID = re.compile(r"[\w.:-]{1,100}", re.ASCII)


@dataclass
class Growing:
    """A part of the reply as far as it has come."""

    kind: str
    pieces: list[str] = field(default_factory=list)
    length: int = 0
    """In characters."""


class Reply:
    """The reply that is being streamed: where each part stands, and what is to be kept of it if it is stopped.

    `read_to` is the last entry that the model has read.
    """

    def __init__(self, read_to: int) -> None:
        self.read_to = read_to
        self.reply_id = uuid.uuid4().hex
        self.parts: dict[int, Growing] = {}
        self.over = False

    def grow(self, more: Grew) -> e.AnyNote:
        text, part = well_formed(more.text), self.parts.setdefault(more.part, Growing(more.kind))
        at = part.length
        part.pieces.append(text)
        part.length += len(text)
        if more.kind == "call":
            return e.CallGrew(
                reply_id=self.reply_id, part=more.part, call_id=well_formed(more.call_id), tool=well_formed(more.tool), at=at, text=text
            )  # fmt: skip
        note = e.TextGrew if more.kind == "text" else e.ReasoningGrew
        return note(reply_id=self.reply_id, part=more.part, at=at, text=text)

    def ended(self, agent: Agent, history: History, end: Ended, seconds: float) -> list[e.AnyFact]:
        """The whole reply, and a word about it where it says nothing or could not be read."""
        spoke = e.AgentSpoke(
            reply_id=self.reply_id, parts=tuple(kept(end.parts, history.call_ids)), finish=end.finish, usage=end.usage,
            seconds=round(seconds, 3), provider=agent.provider.name, model=end.model or agent.model, read_to=self.read_to,
            stop_reason=end.stop_reason,
        )  # fmt: skip
        if end.unreadable:
            return [spoke, e.ReplyRefused(reply_id=self.reply_id, reason=well_formed(end.unreadable), told=well_formed(end.correction))]
        said = any(isinstance(part, e.Call) or (isinstance(part, e.Text) and part.text.strip()) for part in spoke.parts)
        return [spoke] if said else [spoke, e.NoticeGiven(level="warning", text="The model's reply was empty.")]

    def stopped(self, agent: Agent, seconds: float) -> e.AgentSpoke:
        """What was said so far. Half a call is no call, and half a thought cannot be sent back: only words are kept."""
        said = ("".join(part.pieces) for _, part in sorted(self.parts.items(), key=itemgetter(0)) if part.kind == "text")
        parts = tuple(e.Text(text=text) for text in said if text)
        return e.AgentSpoke(
            reply_id=self.reply_id, parts=parts, finish="stopped", seconds=round(seconds, 3),
            provider=agent.provider.name, model=agent.model, read_to=self.read_to,
        )  # fmt: skip


def kept(parts: tuple[e.Part, ...], known: set[str]) -> Iterator[e.Part]:
    """The parts as the log keeps them: text that can be kept, and each call under an id that no other call of the session has."""
    taken = set(known)
    for part in parts:
        if isinstance(part, e.Call):
            call_id = _own_id(part.call_id, taken)
            taken.add(call_id)
            yield part.model_copy(
                update={"call_id": call_id, "tool": well_formed(part.tool), "arguments": well_formed(part.arguments)}
            )  # fmt: skip
        else:
            yield part.model_copy(update={"text": well_formed(part.text)})


def _own_id(call_id: str, taken: set[str]) -> str:
    """Approvals, results and questions name their call by it, and models number their calls as they like."""
    base = call_id if CALL_ID.fullmatch(call_id) else f"call_{uuid.uuid4().hex[:20]}"
    fresh, number = base, 2
    while fresh in taken:
        fresh, number = f"{base}_{number}", number + 1
    return fresh


def failure(reply_id: str, failed: Failed) -> e.ProviderFailed:
    return e.ProviderFailed(
        reply_id=reply_id, kind=failed.kind, message=well_formed(failed.message), status=failed.status, attempt=failed.attempt,
        retry_in=failed.retry_in,
    )  # fmt: skip
