from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from agents.errors import AgentError, ScriptError
from agents.providers.catalog import PROVIDERS, known_window, open_provider
from agents.providers.pricing import context_window
from agents.providers.provider import Ended
from agents.providers.scripted import ScriptedProvider
from tests.agents.providers.conftest import KEY
from tests.agents.providers.replies import ended, said


def test_every_provider_describes_itself() -> None:
    assert list(PROVIDERS) == ["scripted", "openai", "anthropic", "google", "openai-compatible"]
    for name, info in PROVIDERS.items():
        assert info.name == name
        assert info.label
        assert info.default_model in info.models or not info.models


@pytest.mark.parametrize("name", ["openai", "anthropic", "google"])
def test_a_provider_without_its_key_is_refused(name: str) -> None:
    with pytest.raises(AgentError, match="needs a key"):
        open_provider(name)


@pytest.mark.parametrize("address", ["", "file:///etc/passwd", "ftp://host/v1", "host/v1", "https://", "https://me:word@host/v1"])
def test_only_a_plain_web_address_is_asked(address: str) -> None:
    with pytest.raises(AgentError, match="needs an address"):
        open_provider("openai-compatible", base_url=address)


def test_an_unknown_provider_is_refused_by_name() -> None:
    with pytest.raises(AgentError, match=r"no provider 'skynet'"):
        open_provider("skynet")


def test_the_scripted_provider_plays_the_demo_unless_told_otherwise(tmp_path: Path) -> None:
    demo = open_provider("scripted")
    assert isinstance(demo, ScriptedProvider)
    assert [scenario.name for scenario in demo.script.scenarios] == ["greeting", "fix the total"]
    with pytest.raises(ScriptError, match="line 1"):
        open_provider("scripted", script="- txt: a\n")


async def test_a_script_is_given_as_text() -> None:
    reply = await ended(open_provider("scripted", script="- text: hello\n"), said("go"))
    assert isinstance(reply, Ended)
    assert reply.finish == "stop"


@pytest.mark.parametrize("name", [name for name, info in PROVIDERS.items() if info.needs_key])
def test_a_key_shows_nowhere(name: str) -> None:
    assert KEY not in repr(open_provider(name, key=KEY))


@pytest.mark.parametrize(
    ("vendor", "model", "least"),
    [("anthropic", "claude-sonnet-5-5", 200_000), ("openai", "gpt-6.1-sol", 200_000), ("", "unheard-of", 128_000)],
)
def test_the_context_window_is_known_or_taken_to_be_usual(vendor: str, model: str, least: int) -> None:
    assert context_window(model, vendor, "http://localhost:1/v1") >= least


@pytest.mark.parametrize(
    ("provider", "model", "window"),
    [("scripted", "demo", 128_000), ("anthropic", "claude-sonnet-4-5", 200_000), ("openai-compatible", "unheard-of", 0), ("gone", "", 0)],
)
def test_a_window_is_told_without_opening_a_provider_and_is_0_where_nobody_knows(provider: str, model: str, window: int) -> None:
    assert known_window(provider, model) == window


def test_the_catalog_loads_without_the_vendors_libraries() -> None:
    heavy = "('pydantic_ai', 'openai', 'anthropic', 'google.genai')"
    code = f"import sys, agents.providers.catalog; print([name for name in {heavy} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_worker_can_load_them_before_the_first_request() -> None:
    code = (
        "import sys; from agents.providers.catalog import preload; preload('scripted'); preload('openai'); print('openai' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "True\n"
