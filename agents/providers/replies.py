"""One streamed reply of the library, as our deltas and parts."""

from __future__ import annotations

import json
from collections.abc import Container, Iterator
from typing import Any, Literal

from agents.events import Call, Part, Reasoning, Text, Usage
from agents.pieces import well_formed
from agents.providers.pricing import cost
from agents.providers.provider import Ended, Grew

KINDS: dict[str, Literal["text", "reasoning", "call"]] = {"text": "text", "thinking": "reasoning", "tool-call": "call"}
Finish = Literal["stop", "calls", "length", "refused", "cut"]
FINISHES: dict[str, Finish] = {"stop": "stop", "tool_call": "calls", "length": "length", "content_filter": "refused"}


class Unreadable(Exception):
    """The vendor's answer is in order but holds no reply: nothing at all, or what the vendor itself calls malformed."""


MOST_CHARACTERS = 2_000_000
"""Of one reply: several times what any model writes at most. Small models can fall into saying the same for ever."""


class Endless(Exception):
    """The reply did not end where every reply has."""


class Reply:
    """Follows the library's events. `known` holds the call ids of earlier replies: an id used again gets a suffix."""

    def __init__(self, vendor: str, known: Container[str]) -> None:
        self.vendor, self.known = vendor, known
        self.places: dict[int, int] = {}
        self.calls: dict[int, tuple[str, str]] = {}
        self.characters = 0

    @property
    def begun(self) -> bool:
        return bool(self.places)

    def grew(self, event: Any) -> Iterator[Grew]:
        """What this event adds, if it adds words. Tokens of kinds we do not keep (files, native tools) are passed over. Raises Endless."""
        for grew in self._grew(event):
            self.characters += len(grew.text)
            if self.characters > MOST_CHARACTERS:
                raise Endless(f"more than {MOST_CHARACTERS} characters")
            yield grew

    def _grew(self, event: Any) -> Iterator[Grew]:
        if event.event_kind == "part_start" and event.part.part_kind in KINDS:
            yield from self._start(event.index, event.part)
        elif event.event_kind == "part_delta" and event.index in self.places:
            yield from self._delta(event.index, event.delta)

    def _start(self, index: int, part: Any) -> Iterator[Grew]:
        place = self.places.setdefault(index, len(self.places))
        if part.part_kind == "tool-call":
            self.calls[index] = (self._own_id(part.tool_call_id, index), part.tool_name)
            yield Grew("call", place, _arguments(part.args), *self.calls[index])
        elif part.content:
            yield Grew(KINDS[part.part_kind], place, part.content)

    def _delta(self, index: int, delta: Any) -> Iterator[Grew]:
        place = self.places[index]
        if delta.part_delta_kind == "tool_call":
            if delta.args_delta:
                yield Grew("call", place, _arguments(delta.args_delta), *self.calls[index])
        elif delta.content_delta:
            yield Grew("text" if delta.part_delta_kind == "text" else "reasoning", place, delta.content_delta)

    def _own_id(self, call_id: str, index: int) -> str:
        taken = {each for place, (each, _) in self.calls.items() if place != index}
        fresh, number = call_id, 2
        while fresh in taken or fresh in self.known:
            fresh, number = f"{call_id}_{number}", number + 1
        return fresh

    def ended(self, response: Any, model: str, priced: str, base_url: str, *, broken: bool = False) -> Ended:
        """The whole reply. A stream without a finish reason was cut, whatever the library makes of it. Raises Unreadable."""
        parts = tuple(self._parts(response.parts))
        details = response.provider_details or {}
        if response.finish_reason == "error" and not broken:
            raise Unreadable(f"the model's reply ended with {details.get('finish_reason', 'an error')}")
        finished = details.get("finish_reason") or details.get("refusal")
        if not parts and not finished and not broken:
            raise Unreadable("the answer ended before the reply began")
        finish = FINISHES.get(response.finish_reason or "", "stop")
        if broken or not finished:
            finish = "cut"
        elif finish in ("stop", "calls"):
            finish = "calls" if any(isinstance(part, Call) for part in parts) else "stop"
        usage = _usage(response.usage, model, priced, base_url)
        return Ended(parts, finish, usage, response.model_name or model)

    def _parts(self, parts: Any) -> Iterator[Part]:
        for index, part in enumerate(parts):
            if part.part_kind == "text":
                yield Text(text=well_formed(part.content))
            elif part.part_kind == "thinking":
                yield Reasoning(text=well_formed(part.content), signature=part.signature or "", extras=self._extras(part))
            elif part.part_kind == "tool-call":
                call_id, _ = self.calls.get(index) or (self._own_id(part.tool_call_id, index), "")
                yield Call(
                    call_id=well_formed(call_id), tool=well_formed(part.tool_name), arguments=well_formed(_arguments(part.args)),
                    extras=self._extras(part),
                )  # fmt: skip

    def _extras(self, part: Any) -> dict[str, Any]:
        """What the vendor wants back with this part; only to itself."""
        signature = (part.provider_details or {}).get("thought_signature")
        extras: dict[str, Any] = {"thought_signature": signature} if signature else {}
        if part.part_kind == "thinking" and part.id == "redacted_thinking":
            extras["redacted"] = True
        signed = bool(extras) or bool(getattr(part, "signature", None))
        return {"vendor": self.vendor, **extras} if signed else {}


def _arguments(args: Any) -> str:
    return args if isinstance(args, str) else json.dumps(args, ensure_ascii=False) if args is not None else ""


def _usage(usage: Any, model: str, priced: str, base_url: str) -> Usage:
    thought = usage.details.get("reasoning_tokens") or usage.details.get("thoughts_tokens") or 0
    return Usage(
        input=usage.input_tokens,
        output=usage.output_tokens,
        cache_read=usage.cache_read_tokens,
        cache_write=usage.cache_write_tokens,
        reasoning=thought,
        cost=cost(usage, model, priced, base_url) if usage.input_tokens or usage.output_tokens else None,
    )
