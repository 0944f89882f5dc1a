"""The vendors' SDKs as the library wraps them, imported when the first model is opened (they take up to a second)."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

from agents.providers.splice import tls

UNUSED_KEY = "no-key"
"""SDKs want some key even for a server that wants none."""


def open_model(vendor: str, name: str, *, key: str, base_url: str, client: Any) -> Any:
    """The library's model `name`, asked through `client`. The SDKs' own retries are off: we show every wait."""
    return OPENERS[vendor](name, key or UNUSED_KEY, base_url, client)


def preload(vendor: str) -> None:
    """Import all that `vendor` needs, about a second's work: for a worker's start, in a thread."""
    for module in ("pydantic_ai.direct", "httpx2", "genai_prices.data", *MODULES[vendor]):
        importlib.import_module(module)
    tls()


def _openai(name: str, key: str, base_url: str, client: Any) -> Any:
    provider = _library("providers.openai").OpenAIProvider(openai_client=_openai_sdk(key, base_url, client))
    return _library("models.openai").OpenAIChatModel(name, provider=provider)


def _openai_compatible(name: str, key: str, base_url: str, client: Any) -> Any:
    wrapper = _library("providers.openai_compatible").OpenAICompatibleProvider
    provider = wrapper("openai-compatible", openai_client=_openai_sdk(key, base_url, client))
    return _library("models.openai").OpenAIChatModel(name, provider=provider)


def _openai_sdk(key: str, base_url: str, client: Any) -> Any:
    return importlib.import_module("openai").AsyncOpenAI(api_key=key, base_url=base_url, http_client=client, max_retries=0)


def _anthropic(name: str, key: str, base_url: str, client: Any) -> Any:
    sdk = importlib.import_module("anthropic").AsyncAnthropic(api_key=key, base_url=base_url, http_client=client, max_retries=0)
    provider = _library("providers.anthropic").AnthropicProvider(anthropic_client=sdk)
    return _library("models.anthropic").AnthropicModel(name, provider=provider)


def _google(name: str, key: str, base_url: str, client: Any) -> Any:
    provider = _library("providers.google").GoogleProvider(api_key=key, base_url=base_url, http_client=client)
    return _library("models.google").GoogleModel(name, provider=provider)


def _library(module: str) -> Any:
    return importlib.import_module(f"pydantic_ai.{module}")


OPENERS: Mapping[str, Callable[[str, str, str, Any], Any]] = {
    "openai": _openai,
    "openai-compatible": _openai_compatible,
    "anthropic": _anthropic,
    "google": _google,
}
MODULES: Mapping[str, tuple[str, ...]] = {
    "openai": ("pydantic_ai.models.openai", "pydantic_ai.providers.openai", "openai.resources.chat"),
    "openai-compatible": ("pydantic_ai.models.openai", "pydantic_ai.providers.openai_compatible", "openai.resources.chat"),
    "anthropic": ("pydantic_ai.models.anthropic", "pydantic_ai.providers.anthropic"),
    "google": ("pydantic_ai.models.google", "pydantic_ai.providers.google", "httpcore"),
}
SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "anthropic": {"anthropic_cache": True, "anthropic_cache_instructions": True, "anthropic_cache_tool_definitions": True},
}
"""What a vendor needs besides. Anthropic marks system prompt and tools, and moves the last mark by itself."""
