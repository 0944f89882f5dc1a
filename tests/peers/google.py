"""Google's streamGenerateContent with alt=sse."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from typing import Any

from agents.events import Usage
from agents.providers.provider import AssistantMessage, Message, ToolMessage, UserMessage
from agents.providers.script import ScriptedError
from tests.peers.wire import Reply, Said, event

FINISH = {"stop": "STOP", "calls": "STOP", "length": "MAX_TOKENS", "refused": "SAFETY"}


class GoogleReply:
    def __init__(self, model: str) -> None:
        self.model = model
        self.malformed = False

    def start(self) -> bytes:
        return b""

    def part(self, said: Said, size: int) -> Iterator[bytes]:
        if said.call is not None:
            yield self._call(said)
            return
        for piece in said.pieces(size):
            yield self._chunk([{"text": piece, "thought": True} if said.kind == "reasoning" else {"text": piece}])

    def _call(self, said: Said) -> bytes:
        """Calls come whole; arguments that are no JSON object end the reply as MALFORMED_FUNCTION_CALL, or break off."""
        assert said.call is not None
        try:
            arguments = json.loads(said.text)
        except ValueError:
            self.malformed = True
            return b"" if said.whole else b'data: {"candidates": [{"content": {"parts": [{"functionCall": {"name": "'
        signature = base64.b64encode(f"signed:{said.call.tool}".encode()).decode()
        return self._chunk(
            [{"functionCall": {"id": said.call.id, "name": said.call.tool, "args": arguments}, "thoughtSignature": signature}]
        )

    def error(self, error: ScriptedError) -> bytes:
        return event({"error": {"code": error.status or 503, "message": error.message, "status": "UNAVAILABLE"}})

    def end(self, finish: str, usage: Usage) -> bytes:
        counted = {
            "promptTokenCount": usage.input,
            "candidatesTokenCount": usage.output - usage.reasoning,
            "thoughtsTokenCount": usage.reasoning,
            "cachedContentTokenCount": usage.cache_read,
            "totalTokenCount": usage.input + usage.output,
        }
        return self._chunk([{"text": ""}], "MALFORMED_FUNCTION_CALL" if self.malformed else FINISH[finish], counted)

    def _chunk(self, parts: list[dict[str, Any]], finish: str | None = None, usage: dict[str, Any] | None = None) -> bytes:
        candidate: dict[str, Any] = {"content": {"parts": parts, "role": "model"}, "index": 0}
        if finish:
            candidate["finishReason"] = finish
        chunk: dict[str, Any] = {"candidates": [candidate], "modelVersion": self.model, "responseId": "r1"}
        return event({**chunk, "usageMetadata": usage} if usage else chunk)


class Google:
    def messages(self, body: dict[str, Any]) -> list[Message]:
        return [read for content in body["contents"] for read in _read(content)]

    def reply(self, model: str) -> Reply:
        return GoogleReply(model)

    def refusal(self, error: ScriptedError, status: int) -> dict[str, Any]:
        return {"error": {"code": status, "message": error.message, "status": "ERROR"}}


def _read(content: dict[str, Any]) -> Iterator[Message]:
    if content["role"] == "model":
        yield AssistantMessage(())
        return
    for part in content["parts"]:
        if "functionResponse" in part:
            answer = part["functionResponse"]
            said = answer["response"]
            yield ToolMessage(answer.get("id", ""), answer["name"], str(said.get("output", said.get("error", ""))), "error" in said)
        elif "text" in part:
            yield UserMessage(part["text"])
