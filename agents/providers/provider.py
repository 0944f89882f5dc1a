"""The port to a model, and the values that cross it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from agents.events import Attachment, Part, ProviderFailed, Usage


@dataclass(frozen=True)
class UserMessage:
    """What people (or the engine, for a summary) say to the model.

    `answers`: the results that the text tells, where a protocol says results in words; a script may look at them. `guides`: a workflow
    says it, of how to go on; a script does not take it for a new task.
    """

    text: str
    answers: tuple[ToolMessage, ...] = ()
    guides: bool = False


@dataclass(frozen=True)
class AssistantMessage:
    """An earlier reply, as the model gave it. `made`: no model spoke, a workflow made these calls. `stop_reason` as in AgentSpoke."""

    parts: tuple[Part, ...]
    made: bool = False
    stop_reason: Literal["", "continue", "done", "fail"] = ""


@dataclass(frozen=True)
class ToolMessage:
    """The result of one call. Contract: every call of an AssistantMessage is answered by one, in the order of the calls.

    `images` are shown to models that see; to others only `text` is said.
    """

    call_id: str
    tool: str
    text: str
    failed: bool = False
    images: tuple[Attachment, ...] = ()


Message = UserMessage | AssistantMessage | ToolMessage


class Transcript:
    """The conversation as the model reads it: only ever appended to.

    A provider may keep what it made of the first messages (weakly, by this object's identity) and only translate those
    behind them. A compaction begins a new Transcript.
    """

    def __init__(self, messages: Sequence[Message] = ()) -> None:
        self.messages: list[Message] = list(messages)

    def append(self, message: Message) -> None:
        self.messages.append(message)


@dataclass(frozen=True)
class ToolDefinition:
    """A tool as the model is told of it; `parameters` is a JSON Schema object."""

    name: str
    description: str
    parameters: dict[str, Any]
    strict: bool = False


@dataclass(frozen=True)
class Prompt:
    """One request. `system` and `tools` stay the same from step to step, so that each request is a prefix of the next."""

    model: str
    system: str
    transcript: Transcript
    tools: tuple[ToolDefinition, ...] = ()
    temperature: float | None = None
    max_tokens: int | None = None


@dataclass(frozen=True)
class Grew:
    """A piece of the streaming reply. `part` counts from 0 in the order of the final parts.

    `call_id` and `tool` are set for kind "call" only; there, `text` is raw argument JSON.
    """

    kind: Literal["text", "reasoning", "call"]
    part: int
    text: str
    call_id: str = ""
    tool: str = ""


@dataclass(frozen=True)
class Failed:
    """The request failed. With `retry_in` set the provider waits that many seconds and tries again by itself; more follows."""

    kind: Any  # ProviderFailed.kind
    message: str
    status: int | None = None
    attempt: int = 1
    retry_in: float | None = None


@dataclass(frozen=True)
class Ended:
    """The reply is whole. `finish` as in AgentSpoke ("cut" when the stream broke off after it had begun).

    The last three are a protocol's: what the reply says of the task, and what was wrong with it.
    """

    parts: tuple[Part, ...]
    finish: Literal["stop", "calls", "length", "refused", "cut"]
    usage: Usage = field(default_factory=Usage)
    model: str = ""
    stop_reason: Literal["", "continue", "done", "fail"] = ""
    unreadable: str = ""
    """Why the reply is none in the session's protocol; its parts are then its words as they came."""
    correction: str = ""
    """What the model is to read in that case."""


Delta = Grew | Failed | Ended


class Provider(Protocol):
    """A source of replies.

    Contract: `ask` never raises but CancelledError; it yields Grew and Failed(retry_in=…) as they come, and last exactly one
    of Ended or Failed(retry_in=None). Closing the iterator early drops the connection at once. After a
    Failed(retry_in=…) parts count from 0 again.
    """

    name: str

    @property
    def context_window(self) -> int:
        """Tokens that a request and its reply may have together."""

    def ask(self, prompt: Prompt) -> AsyncGenerator[Delta, None]: ...


__all__ = [
    "AssistantMessage", "Delta", "Ended", "Failed", "Grew", "Message", "Part", "Prompt", "Provider", "ProviderFailed",
    "ToolDefinition", "ToolMessage", "Transcript", "Usage", "UserMessage",
]  # fmt: skip
