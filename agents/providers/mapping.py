"""How our messages are written for each vendor: one JSON fragment a message, made once and kept.

A fragment depends on its message alone, so that the same transcript is the same bytes in every worker. The results of
one reply's calls are one fragment where the vendor wants them in one message.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Protocol

from agents.events import Call, Part, Reasoning, Text
from agents.providers.provider import AssistantMessage, Message, ToolMessage, UserMessage

NOTHING = "(nothing)"
"""Said in place of a message that is empty, which vendors refuse."""
UNSIGNED = "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="
"""Google's documented stand-in ("skip_thought_signature_validator") for a call that another vendor's model made."""


class Dialect(Protocol):
    """One vendor's way of writing messages. `placeholder` is how the library writes a lone user message `{marker}`."""

    placeholder: str

    def write(self, messages: Sequence[Message]) -> Iterator[dict[str, Any]]: ...


class OpenAIDialect:
    placeholder = '{{"role":"user","content":"{marker}"}}'

    def write(self, messages: Sequence[Message]) -> Iterator[dict[str, Any]]:
        for message in messages:
            match message:
                case UserMessage(text):
                    yield {"role": "user", "content": text}
                case AssistantMessage(parts):
                    yield self._reply(parts)
                case ToolMessage():
                    yield {"role": "tool", "tool_call_id": message.call_id, "content": _marked(message)}

    def _reply(self, parts: Sequence[Part]) -> dict[str, Any]:
        """Reasoning is not sent back: chat completions have no place for it."""
        said = "".join(part.text for part in parts if isinstance(part, Text))
        calls = [
            {"id": part.call_id, "type": "function", "function": {"name": part.tool, "arguments": _object_text(part.arguments)}}
            for part in parts
            if isinstance(part, Call)
        ]
        if calls:
            return {"role": "assistant", "content": said or None, "tool_calls": calls}
        return {"role": "assistant", "content": said or NOTHING}


class AnthropicDialect:
    placeholder = '{{"role":"user","content":[{{"text":"{marker}","type":"text"}}]}}'

    def write(self, messages: Sequence[Message]) -> Iterator[dict[str, Any]]:
        for kind, group in groupby(messages, type):
            if kind is ToolMessage:
                yield {"role": "user", "content": [self._result(result) for result in group if isinstance(result, ToolMessage)]}
                continue
            for message in group:
                if isinstance(message, UserMessage):
                    yield {"role": "user", "content": [{"type": "text", "text": message.text or NOTHING}]}
                elif isinstance(message, AssistantMessage):
                    blocks = [block for part in message.parts if (block := self._block(part))]
                    yield {"role": "assistant", "content": blocks or [{"type": "text", "text": NOTHING}]}

    def _result(self, message: ToolMessage) -> dict[str, Any]:
        result = {"type": "tool_result", "tool_use_id": _plain_id(message.call_id), "content": message.text or NOTHING}
        return {**result, "is_error": True} if message.failed else result

    def _block(self, part: Part) -> dict[str, Any] | None:
        """Thinking goes back only with the signature Anthropic gave it."""
        match part:
            case Text(text=text):
                return {"type": "text", "text": text} if text.strip() else None
            case Call():
                return {"type": "tool_use", "id": _plain_id(part.call_id), "name": part.tool, "input": _object(part.arguments)}
            case Reasoning() if part.signature and part.extras.get("vendor") == "anthropic":
                if part.extras.get("redacted"):
                    return {"type": "redacted_thinking", "data": part.signature}
                return {"type": "thinking", "thinking": part.text, "signature": part.signature}
        return None


class GoogleDialect:
    placeholder = '{{"parts": [{{"text": "{marker}"}}], "role": "user"}}'

    def write(self, messages: Sequence[Message]) -> Iterator[dict[str, Any]]:
        for kind, group in groupby(messages, type):
            if kind is ToolMessage:
                yield {"role": "user", "parts": [self._result(result) for result in group if isinstance(result, ToolMessage)]}
                continue
            for message in group:
                if isinstance(message, UserMessage):
                    yield {"role": "user", "parts": [{"text": message.text or NOTHING}]}
                elif isinstance(message, AssistantMessage):
                    yield {"role": "model", "parts": list(self._parts(message.parts)) or [{"text": NOTHING}]}

    def _result(self, message: ToolMessage) -> dict[str, Any]:
        response = {"error" if message.failed else "output": message.text}
        return {"functionResponse": {"id": message.call_id, "name": message.tool, "response": response}}

    def _parts(self, parts: Sequence[Part]) -> Iterator[dict[str, Any]]:
        """A thought's signature belongs to the part behind it; the first call of a reply must carry one."""
        carried, signed = "", False
        for part in parts:
            own = part.extras if isinstance(part, Call | Reasoning) and part.extras.get("vendor") == "google" else {}
            signature = str(own.get("thought_signature", "")) or carried
            carried = ""
            match part:
                case Text(text=text) if text:
                    yield _signed({"text": text}, signature)
                case Reasoning(text=text) if own:
                    carried = part.signature
                    if text:
                        yield _signed({"text": text, "thought": True}, signature)
                case Call():
                    call = {"functionCall": {"id": part.call_id, "name": part.tool, "args": _object(part.arguments)}}
                    yield _signed(call, signature or ("" if signed else UNSIGNED))
                    signed = True


DIALECTS: Mapping[str, Dialect] = {"openai": OpenAIDialect(), "anthropic": AnthropicDialect(), "google": GoogleDialect()}


def fragment(value: dict[str, Any]) -> bytes:
    """The message as JSON. Half a surrogate pair, which a model can write but UTF-8 cannot, becomes "?"."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def _signed(part: dict[str, Any], signature: str) -> dict[str, Any]:
    return {**part, "thoughtSignature": signature} if signature else part


def _marked(message: ToolMessage) -> str:
    if message.failed and not message.text.startswith("Error"):
        return f"Error: {message.text}"
    return message.text


def _object_text(arguments: str) -> str:
    """The raw arguments where they are a JSON object, else the object that stands for them."""
    value = _object(arguments)
    return arguments if MALFORMED not in value and arguments.strip() else fragment(value).decode()


def _object(arguments: str) -> dict[str, Any]:
    """The arguments as an object. What does not parse is handed back as a string inside one, so that the model sees it."""
    if not arguments.strip():
        return {}
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        return {MALFORMED: arguments}
    return value if isinstance(value, dict) else {MALFORMED: arguments}


MALFORMED = "malformed_arguments"


def _plain_id(call_id: str) -> str:
    """Anthropic takes letters, digits, "_" and "-" only; other vendors' ids may hold more."""
    return re.sub(r"[^a-zA-Z0-9_-]", "_", call_id)
