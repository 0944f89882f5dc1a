"""OpenAI's chat completions, streamed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agents.events import Usage
from agents.providers.provider import AssistantMessage, Message, ToolMessage, UserMessage
from agents.providers.script import ScriptedError
from tests.peers.wire import Reply, Said, event

FINISH = {"stop": "stop", "calls": "tool_calls", "length": "length", "refused": "content_filter"}


class OpenAIReply:
    def __init__(self, model: str) -> None:
        self.model = model
        self.calls = 0

    def start(self) -> bytes:
        return self._chunk({"role": "assistant", "content": ""})

    def part(self, said: Said, size: int) -> Iterator[bytes]:
        if said.call is None:
            field = "content" if said.kind == "text" else "reasoning_content"
            for piece in said.pieces(size):
                yield self._chunk({field: piece})
            return
        number, self.calls = self.calls, self.calls + 1
        begun = {"index": number, "id": said.call.id, "type": "function", "function": {"name": said.call.tool, "arguments": ""}}
        yield self._chunk({"tool_calls": [begun]})
        for piece in said.pieces(size):
            yield self._chunk({"tool_calls": [{"index": number, "function": {"arguments": piece}}]})

    def error(self, error: ScriptedError) -> bytes:
        return event({"error": {"message": error.message, "type": "server_error", "code": error.kind}})

    def end(self, finish: str, usage: Usage) -> bytes:
        counted = {
            "prompt_tokens": usage.input,
            "completion_tokens": usage.output,
            "total_tokens": usage.input + usage.output,
            "prompt_tokens_details": {"cached_tokens": usage.cache_read},
            "completion_tokens_details": {"reasoning_tokens": usage.reasoning},
        }
        return self._chunk({}, FINISH[finish]) + self._chunk(None, usage=counted) + b"data: [DONE]\n\n"

    def _chunk(self, delta: dict[str, Any] | None, finish: str | None = None, usage: dict[str, Any] | None = None) -> bytes:
        choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
        chunk = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1700000000, "model": self.model, "choices": choices}
        return event({**chunk, "usage": usage})


class OpenAI:
    def messages(self, body: dict[str, Any]) -> list[Message]:
        calls = (call for message in body["messages"] for call in message.get("tool_calls") or ())
        names = {call["id"]: call["function"]["name"] for call in calls}
        return [read for message in body["messages"] if (read := _read(message, names))]

    def reply(self, model: str) -> Reply:
        return OpenAIReply(model)

    def refusal(self, error: ScriptedError, status: int) -> dict[str, Any]:
        code = "context_length_exceeded" if error.kind == "context" else error.kind
        return {"error": {"message": error.message, "type": "error", "param": None, "code": code}}


def _read(message: dict[str, Any], names: dict[str, str]) -> Message | None:
    match message["role"]:
        case "user" if isinstance(message["content"], str):
            return UserMessage(message["content"])  # else it is the images of the results before it
        case "assistant":
            return AssistantMessage(())
        case "tool":
            return ToolMessage(message["tool_call_id"], names[message["tool_call_id"]], message["content"])
    return None
