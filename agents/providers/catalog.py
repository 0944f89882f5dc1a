"""Which providers there are, and how one is opened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from agents.errors import AgentError
from agents.providers import clients, pricing
from agents.providers.provider import Provider
from agents.providers.script import load_script
from agents.providers.scripted import ScriptedProvider
from agents.providers.vendors import PRICED, VendorProvider

DEMO_SCRIPT = Path(__file__).parent / "scripts" / "demo.yaml"
DEMO_PROJECT = Path(__file__).parent / "scripts" / "demo-project"
"""The folder of the project that the demo script works on; copy it as it is."""
SILENCE = 120.0
"""Seconds without a byte from a vendor after which a request has failed."""


@dataclass(frozen=True)
class ProviderInfo:
    """What people see of a provider when they choose one. `base_url` is where it is asked unless a team says otherwise."""

    name: str
    label: str
    needs_key: bool
    base_url: str
    models: tuple[str, ...]
    default_model: str
    note: str = ""
    needs_base_url: bool = False


PROVIDERS: Mapping[str, ProviderInfo] = {
    info.name: info
    for info in (
        ProviderInfo(
            "scripted", "Scripted demo", False, "", ("demo",), "demo",
            "Replays a script; no model is behind it. Add a provider key for real work.",
        ),
        ProviderInfo(
            "openai", "OpenAI", True, "https://api.openai.com/v1",
            ("gpt-6.1-sol", "gpt-6.1-terra", "gpt-6-astra", "gpt-6-luna"), "gpt-6.1-sol",
        ),
        ProviderInfo(
            "anthropic", "Anthropic", True, "https://api.anthropic.com",
            ("claude-sonnet-5-5", "claude-opus-5-5", "claude-haiku-5-5"), "claude-sonnet-5-5",
        ),
        ProviderInfo(
            "google", "Google Gemini", True, "https://generativelanguage.googleapis.com",
            ("gemini-3.8-flash", "gemini-4-argon", "gemini-3.1-pro-preview"), "gemini-3.8-flash",
        ),
        ProviderInfo(
            "openai-compatible", "OpenAI-compatible", False, "", (), "",
            "Any server that speaks OpenAI's chat completions: give its address (ending in /v1) and the model's name.",
            needs_base_url=True,
        ),
    )
}  # fmt: skip


def demo_script(toolset: str) -> str:
    """The name of the demo's script for this toolset: each calls its own tools."""
    own = DEMO_SCRIPT.with_name(f"demo-{toolset}.yaml")
    return str(own if own.is_file() else DEMO_SCRIPT)


def open_provider(name: str, *, key: str = "", base_url: str = "", model: str = "", script: str = "", timeout: float = SILENCE) -> Provider:
    """A provider to ask for as long as you like; it keeps its connections, so open it once and share it.

    `script` (YAML text or the name of a .yaml file; the demo when empty) is for "scripted", `key` and `base_url` for the
    vendors; `model` only tells the context window. `timeout` is seconds of silence. Raises ScriptError for a script that
    cannot be played, AgentError for an unknown name, a missing key or an address that is none.
    """
    if name == "scripted":
        return ScriptedProvider(load_script(script or str(DEMO_SCRIPT)))
    info = PROVIDERS.get(name)
    if info is None:
        raise AgentError(f"There is no provider {name!r}; there are: {', '.join(PROVIDERS)}.")
    if info.needs_key and not key:
        raise AgentError(f"{info.label} needs a key: add one in the team's settings.")
    address = _address(base_url or info.base_url, info)
    return VendorProvider(name, key=key, base_url=address, model=model or info.default_model, timeout=timeout)


def known_window(name: str, model: str) -> int:
    """Tokens of context of this provider's model (its default where none is named), 0 where nobody knows. Opens nothing."""
    info = PROVIDERS.get(name)
    if info is None or name == "scripted":
        return ScriptedProvider.context_window if info else 0
    return pricing.known_window(model or info.default_model, PRICED[name], info.base_url)


def preload(name: str) -> None:
    """Import what this provider needs, so that its first request does not wait a second for it. Blocking: use a thread."""
    if name in clients.MODULES:
        clients.preload(name)


def _address(base_url: str, info: ProviderInfo) -> str:
    """The base URL, if it is one we may send a key to."""
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.password:
        raise AgentError(f"{info.label} needs an address like https://host/v1 (without a user name or password in it).")
    return base_url.rstrip("/")
