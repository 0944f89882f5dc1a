"""Asking a provider in tests, and the conversation that grows from it."""

from __future__ import annotations

from agents.events import Call
from agents.providers.provider import (
    AssistantMessage,
    Delta,
    Ended,
    Failed,
    Prompt,
    Provider,
    ToolDefinition,
    ToolMessage,
    Transcript,
    UserMessage,
)

SCHEMA = {"type": "object", "properties": {"file_path": {"type": "string"}}, "required": ["file_path"], "additionalProperties": False}
TOOLS = (ToolDefinition("read", "Read a file.", SCHEMA), ToolDefinition("bash", "Run a command.", SCHEMA))


async def deltas(provider: Provider, transcript: Transcript, model: str = "m") -> list[Delta]:
    """Everything the provider yields for this transcript."""
    return [delta async for delta in provider.ask(Prompt(model, "You are careful.", transcript, TOOLS))]


async def ended(provider: Provider, transcript: Transcript, model: str = "m") -> Ended:
    """The reply, which must not fail; it is not appended."""
    last = (await deltas(provider, transcript, model))[-1]
    assert isinstance(last, Ended), last
    return last


async def failed(provider: Provider, transcript: Transcript, model: str = "m") -> Failed:
    """The failure the request must end in."""
    last = (await deltas(provider, transcript, model))[-1]
    assert isinstance(last, Failed), last
    assert last.retry_in is None
    return last


def answer(transcript: Transcript, reply: Ended, output: str = "fine", *, failed: bool = False) -> None:
    """Append the reply and a result for each of its calls."""
    transcript.append(AssistantMessage(reply.parts))
    for part in reply.parts:
        if isinstance(part, Call):
            transcript.append(ToolMessage(part.call_id, part.tool, output, failed))


def said(*texts: str) -> Transcript:
    """A conversation of user messages."""
    return Transcript([UserMessage(text) for text in texts])
