"""Anthropic's messages, streamed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agents.events import Usage
from agents.providers.provider import AssistantMessage, Message, ToolMessage, UserMessage
from agents.providers.script import ScriptedError
from tests.peers.wire import Reply, Said, event

FINISH = {"stop": "end_turn", "calls": "tool_use", "length": "max_tokens", "refused": "refusal"}
ERRORS = {"overloaded": "overloaded_error", "rate_limit": "rate_limit_error", "auth": "authentication_error", "other": "api_error"}


class AnthropicReply:
    def __init__(self, model: str) -> None:
        self.model = model
        self.blocks = 0

    def start(self) -> bytes:
        usage = {"input_tokens": 0, "output_tokens": 1, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0}
        message = {"id": "msg_1", "type": "message", "role": "assistant", "model": self.model, "content": [], "usage": usage}
        unfinished = {"stop_reason": None, "stop_sequence": None}
        started = event({"type": "message_start", "message": {**message, **unfinished}}, "message_start")
        return started + event({"type": "ping"}, "ping")

    def part(self, said: Said, size: int) -> Iterator[bytes]:
        block, field, kind = self._block(said)
        yield self._event("content_block_start", content_block=block)
        for piece in said.pieces(size):
            yield self._event("content_block_delta", delta={"type": kind, field: piece})
        if said.kind == "reasoning":
            yield self._event("content_block_delta", delta={"type": "signature_delta", "signature": f"signed:{len(said.text)}"})
        if said.whole:
            yield self._event("content_block_stop")
            self.blocks += 1

    def _block(self, said: Said) -> tuple[dict[str, Any], str, str]:
        if said.call is not None:
            tool_use = {"type": "tool_use", "id": said.call.id, "name": said.call.tool, "input": {}}
            return tool_use, "partial_json", "input_json_delta"
        if said.kind == "text":
            return {"type": "text", "text": ""}, "text", "text_delta"
        return {"type": "thinking", "thinking": "", "signature": ""}, "thinking", "thinking_delta"

    def _event(self, name: str, **more: Any) -> bytes:
        return event({"type": name, "index": self.blocks, **more}, name)

    def error(self, error: ScriptedError) -> bytes:
        return event({"type": "error", "error": {"type": ERRORS.get(error.kind, "api_error"), "message": error.message}}, "error")

    def end(self, finish: str, usage: Usage) -> bytes:
        counted = {
            "input_tokens": usage.input - usage.cache_read - usage.cache_write,
            "output_tokens": usage.output,
            "cache_read_input_tokens": usage.cache_read,
            "cache_creation_input_tokens": usage.cache_write,
        }
        delta = {"stop_reason": FINISH[finish], "stop_sequence": None}
        return event({"type": "message_delta", "delta": delta, "usage": counted}, "message_delta") + event(
            {"type": "message_stop"}, "message_stop"
        )


class Anthropic:
    def messages(self, body: dict[str, Any]) -> list[Message]:
        names = {block["id"]: block["name"] for block in _blocks(body, "tool_use")}
        return [read for message in body["messages"] for read in _read(message, names)]

    def reply(self, model: str) -> Reply:
        return AnthropicReply(model)

    def refusal(self, error: ScriptedError, status: int) -> dict[str, Any]:
        return {"type": "error", "error": {"type": ERRORS.get(error.kind, "invalid_request_error"), "message": error.message}}


def _blocks(body: dict[str, Any], kind: str) -> Iterator[dict[str, Any]]:
    for message in body["messages"]:
        if isinstance(message["content"], list):
            yield from (block for block in message["content"] if block["type"] == kind)


def _read(message: dict[str, Any], names: dict[str, str]) -> Iterator[Message]:
    content = message["content"]
    if message["role"] == "assistant":
        yield AssistantMessage(())
    elif isinstance(content, str):
        yield UserMessage(content)
    else:
        for block in content:
            if block["type"] == "tool_result":
                name = names.get(block["tool_use_id"], "")
                yield ToolMessage(block["tool_use_id"], name, _text(block["content"]), block.get("is_error", False))
            elif block["type"] == "text":
                yield UserMessage(block["text"])


def _text(content: str | list[dict[str, Any]]) -> str:
    return content if isinstance(content, str) else "".join(block.get("text", "") for block in content)
