"""How a model says a call: by its vendor's function calling, or in text, for models that have none."""

from __future__ import annotations

from dataclasses import dataclass

from agents.protocols.forms import JsonForm, TagForm
from agents.protocols.reader import Speech
from agents.protocols.spoken import Spoken
from agents.providers.provider import Provider


@dataclass(frozen=True)
class Described:
    """A protocol for people who choose one. Without a `speech` the provider is asked as it is."""

    name: str
    title: str
    about: str
    speech: Speech | None = None


PROTOCOLS: dict[str, Described] = {
    protocol.name: protocol
    for protocol in (
        Described("native", "Function calling", "The vendor's own way to call tools. Right for every model that has it."),
        Described(
            "json",
            "JSON with file sections",
            "Calls as JSON in the reply's text, long contents in sections behind it. Needs no function calling.",
            JsonForm(),
        ),
        Described("xml", "XML tags", "One call a reply, in tags in its text. Needs no function calling.", TagForm()),
    )
}


def spoken(provider: Provider, protocol: str) -> Provider:
    """The provider with the protocol between it and us: prompts go out, and replies come in, in the protocol's words."""
    described = PROTOCOLS.get(protocol)
    return Spoken(provider, described.speech) if described and described.speech else provider
