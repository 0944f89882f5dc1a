"""How a model says a call: by its vendor's function calling, or in text, for models that have none."""

from __future__ import annotations

from dataclasses import dataclass

from agents.providers.provider import Provider


@dataclass(frozen=True)
class Described:
    """A protocol for people who choose one."""

    name: str
    title: str
    about: str


PROTOCOLS: dict[str, Described] = {
    "native": Described("native", "Function calling", "The vendor's own way to call tools. Right for every model that has it."),
}


def spoken(provider: Provider, protocol: str) -> Provider:
    """The provider with the protocol between it and us: prompts go out, and replies come in, in the protocol's words."""
    return provider
