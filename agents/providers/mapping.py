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

from agents.events import Attachment, Call, Part, Reasoning, Text
from agents.providers.provider import AssistantMessage, Message, ToolMessage, UserMessage
from agents.providers.sight import shown, told

NOTHING = "(nothing)"
"""Said in place of a message that is empty, which vendors refuse."""
UNSIGNED = "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="
"""Google's documented stand-in ("skip_thought_signature_validator") for a call that another vendor's model made."""


class Dialect(Protocol):
    """One vendor's way of writing messages. `placeholder` is how the library writes a lone user message `{marker}`.

    A model that sees none is sent no `images`: it is told that there are some.
    """

    placeholder: str

    def write(self, messages: Sequence[Message], images: bool = True) -> Iterator[dict[str, Any]]: ...


class OpenAIDialect:
    """Results of calls are text alone here; their images come in a message behind them."""

    placeholder = '{{"role":"user","content":"{marker}"}}'
    types = frozenset({"image/png", "image/jpeg", "image/webp", "image/gif"})

    def write(self, messages: Sequence[Message], images: bool = True) -> Iterator[dict[str, Any]]:
        for kind, group in groupby(messages, type):
            if kind is ToolMessage:
                yield from self._results([result for result in group if isinstance(result, ToolMessage)], images)
                continue
            for message in group:
                if isinstance(message, UserMessage):
                    yield {"role": "user", "content": message.text}
                elif isinstance(message, AssistantMessage):
                    yield self._reply(message.parts)

    def _results(self, results: Sequence[ToolMessage], images: bool) -> Iterator[dict[str, Any]]:
        seen = list[dict[str, Any]]()
        for result in results:
            sent = shown(result, self.types) if images else ()
            yield {"role": "tool", "tool_call_id": result.call_id, "content": _marked(result, told(result, sent))}
            for image in sent:
                url = f"data:{image.media_type};base64,{image.data}"
                seen += [{"type": "text", "text": _belongs(image, result)}, {"type": "image_url", "image_url": {"url": url}}]
        if seen:
            yield {"role": "user", "content": seen}

    def _reply(self, parts: Sequence[Part]) -> dict[str, Any]:
        """Reasoning is not sent back: chat completions have no place for it."""
        said = "".join(part.text for part in parts if isinstance(part, Text))
        calls = [
            {"id": part.call_id, "type": "function", "function": {"name": _name(part.tool), "arguments": _object_text(part.arguments)}}
            for part in parts
            if isinstance(part, Call)
        ]
        if calls:
            return {"role": "assistant", "content": said or None, "tool_calls": calls}
        return {"role": "assistant", "content": said or NOTHING}


class AnthropicDialect:
    placeholder = '{{"role":"user","content":[{{"text":"{marker}","type":"text"}}]}}'
    types = frozenset({"image/png", "image/jpeg", "image/webp", "image/gif"})

    def write(self, messages: Sequence[Message], images: bool = True) -> Iterator[dict[str, Any]]:
        for kind, group in groupby(messages, type):
            if kind is ToolMessage:
                yield {"role": "user", "content": [self._result(result, images) for result in group if isinstance(result, ToolMessage)]}
                continue
            for message in group:
                if isinstance(message, UserMessage):
                    yield {"role": "user", "content": [{"type": "text", "text": message.text or NOTHING}]}
                elif isinstance(message, AssistantMessage):
                    blocks = [block for part in message.parts if (block := self._block(part))]
                    yield {"role": "assistant", "content": blocks or [{"type": "text", "text": NOTHING}]}

    def _result(self, message: ToolMessage, images: bool) -> dict[str, Any]:
        """An error is text alone."""
        sent = shown(message, self.types) if images and not message.failed else ()
        said = told(message, sent) or NOTHING
        sources = [{"type": "base64", "media_type": image.media_type, "data": image.data} for image in sent]
        content = [{"type": "text", "text": said}, *({"type": "image", "source": source} for source in sources)] if sent else said
        result = {"type": "tool_result", "tool_use_id": _plain_id(message.call_id), "content": content}
        return {**result, "is_error": True} if message.failed else result

    def _block(self, part: Part) -> dict[str, Any] | None:
        """Thinking goes back only with the signature Anthropic gave it."""
        match part:
            case Text(text=text):
                return {"type": "text", "text": text} if text.strip() else None
            case Call():
                return {"type": "tool_use", "id": _plain_id(part.call_id), "name": _name(part.tool), "input": _object(part.arguments)}
            case Reasoning() if part.signature and part.extras.get("vendor") == "anthropic":
                if part.extras.get("redacted"):
                    return {"type": "redacted_thinking", "data": part.signature}
                return {"type": "thinking", "thinking": part.text, "signature": part.signature}
        return None


class GoogleDialect:
    placeholder = '{{"parts": [{{"text": "{marker}"}}], "role": "user"}}'
    types = frozenset({"image/png", "image/jpeg", "image/webp"})

    def write(self, messages: Sequence[Message], images: bool = True) -> Iterator[dict[str, Any]]:
        for kind, group in groupby(messages, type):
            if kind is ToolMessage:
                yield {"role": "user", "parts": self._results([result for result in group if isinstance(result, ToolMessage)], images)}
                continue
            for message in group:
                if isinstance(message, UserMessage):
                    yield {"role": "user", "parts": [{"text": message.text or NOTHING}]}
                elif isinstance(message, AssistantMessage):
                    yield {"role": "model", "parts": list(self._parts(message.parts)) or [{"text": NOTHING}]}

    def _results(self, results: Sequence[ToolMessage], images: bool) -> list[dict[str, Any]]:
        """First every result, as many as there were calls, then their images in the same order."""
        sent = [shown(result, self.types) if images else () for result in results]
        seen = [{"inlineData": {"mimeType": image.media_type, "data": image.data}} for each in sent for image in each]
        return [*(self._result(result, told(result, each)) for result, each in zip(results, sent, strict=True)), *seen]

    def _result(self, message: ToolMessage, said: str) -> dict[str, Any]:
        response = {"error" if message.failed else "output": said}
        return {"functionResponse": {"id": message.call_id, "name": _name(message.tool), "response": response}}

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
                    call = {"functionCall": {"id": part.call_id, "name": _name(part.tool), "args": _object(part.arguments)}}
                    yield _signed(call, signature or ("" if signed else UNSIGNED))
                    signed = True


DIALECTS: Mapping[str, Dialect] = {"openai": OpenAIDialect(), "anthropic": AnthropicDialect(), "google": GoogleDialect()}


def fragment(value: dict[str, Any]) -> bytes:
    """The message as JSON. Half a surrogate pair, which a model can write but UTF-8 cannot, becomes "?"."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def _signed(part: dict[str, Any], signature: str) -> dict[str, Any]:
    return {**part, "thoughtSignature": signature} if signature else part


def _marked(message: ToolMessage, said: str) -> str:
    return f"Error: {said}" if message.failed and not message.text.startswith("Error") else said


def _belongs(image: Attachment, result: ToolMessage) -> str:
    return f"[{image.name}, from the result of {result.tool} ({result.call_id}):]"


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


def _name(tool: str) -> str:
    """Vendors take names of 64 letters, digits, "_" and "-"; a model that calls tools in words may have called anything."""
    return re.sub(r"[^a-zA-Z0-9_-]", "_", tool)[:64] or "_"
