"""Images among results, as each vendor is sent them; through the wire, and as the same bytes every time."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest

from agents.events import Attachment, Call
from agents.providers.catalog import open_provider
from agents.providers.mapping import DIALECTS, fragment
from agents.providers.provider import AssistantMessage, Message, ToolMessage, Transcript, UserMessage
from agents.providers.sight import LARGEST, TOKENS, sees_images
from agents.providers.vendors import VendorProvider
from tests.agents.providers.conftest import FORMATS, Open, Serve
from tests.agents.providers.replies import ended, said
from tests.peers.server import Format

PNG = Attachment(name="a.png", media_type="image/png", data="UE5H")
GIF = Attachment(name="b.gif", media_type="image/gif", data="R0lG")
TIFF = Attachment(name="c.tiff", media_type="image/tiff", data="VElGRg==")
TWO = (ToolMessage("c1", "read", "one", images=(PNG,)), ToolMessage("c2", "mcp_call", "two", images=(GIF, TIFF)))
WORK = "- call: {tool: read, args: {file_path: a.png}, id: c1}\n- call: {tool: read, args: {file_path: b.png}, id: c2}\n- text: Done.\n"


def written(vendor: str, *messages: Message, images: bool = True) -> list[Any]:
    return [json.loads(fragment(value)) for value in DIALECTS[vendor].write(messages, images)]


def test_openai_is_sent_images_in_a_message_behind_all_results_of_a_reply() -> None:
    first, second, images, then = written("openai", *TWO, UserMessage("and?"))
    assert first == {"role": "tool", "tool_call_id": "c1", "content": "one"}
    assert second["content"] == "two\n[Images that you cannot be shown here: c.tiff (image/tiff)]"
    assert images == {"role": "user", "content": [
        {"type": "text", "text": "[a.png, from the result of read (c1):]"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,UE5H"}},
        {"type": "text", "text": "[b.gif, from the result of mcp_call (c2):]"},
        {"type": "image_url", "image_url": {"url": "data:image/gif;base64,R0lG"}},
    ]}  # fmt: skip
    assert then == {"role": "user", "content": "and?"}


def test_anthropic_is_sent_images_within_their_result() -> None:
    ((first, second),) = (message["content"] for message in written("anthropic", *TWO))
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "UE5H"}}
    assert first == {"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": "one"}, image]}
    assert [block["type"] for block in second["content"]] == ["text", "image"]
    assert "c.tiff (image/tiff)" in second["content"][0]["text"]


def test_google_is_sent_images_behind_the_results_and_no_gif() -> None:
    ((one, two, image),) = (message["parts"] for message in written("google", *TWO))
    assert one["functionResponse"]["response"] == {"output": "one"}
    assert "b.gif (image/gif), c.tiff (image/tiff)" in two["functionResponse"]["response"]["output"]
    assert image == {"inlineData": {"mimeType": "image/png", "data": "UE5H"}}


@pytest.mark.parametrize("vendor", sorted(DIALECTS))
def test_a_model_that_sees_nothing_is_told_that_there_is_an_image(vendor: str) -> None:
    sent = json.dumps(written(vendor, TWO[0], images=False))
    assert "a.png (image/png)" in sent
    assert "UE5H" not in sent


@pytest.mark.parametrize("vendor", sorted(DIALECTS))
def test_an_image_that_is_too_large_for_any_vendor_is_not_sent(vendor: str) -> None:
    huge = ToolMessage("c1", "mcp_call", "one", images=(PNG.model_copy(update={"data": "A" * (LARGEST + 1)}),))
    sent = json.dumps(written(vendor, huge))
    assert len(sent) < 1000
    assert "a.png" in sent


def test_an_error_is_sent_to_anthropic_without_images() -> None:
    (message,) = written("anthropic", ToolMessage("c1", "read", "gone", failed=True, images=(PNG,)))
    assert message["content"][0]["content"] == "gone\n[Images that you cannot be shown here: a.png (image/png)]"


@pytest.mark.parametrize("vendor", sorted(DIALECTS))
def test_a_result_without_images_is_written_as_ever(vendor: str) -> None:
    plain = [ToolMessage("c1", "read", "one"), ToolMessage("c2", "read", "two", failed=True)]
    assert written(vendor, *plain) == written(vendor, *plain, images=False)
    assert "image" not in json.dumps(written(vendor, *plain))


@pytest.mark.parametrize("format", FORMATS)
async def test_requests_with_images_go_on_byte_for_byte(format: Format, serve: Serve, connect: Open) -> None:
    peer = serve(format, WORK)
    provider, transcript = connect(format, peer), said("go")
    for image in (PNG, PNG.model_copy(update={"data": "T1RIRVI="})):
        reply = await ended(provider, transcript)
        transcript.append(AssistantMessage(reply.parts))
        transcript.append(ToolMessage("c1" if image is PNG else "c2", "read", "Image", images=(image,)))
    await ended(provider, transcript)
    await ended(connect(format, peer), Transcript(transcript.messages))
    key = "contents" if format == "google" else "messages"
    sent = [asked.json[key] for asked in peer.requests]
    assert [len(json.dumps(each).split("UE5H")) - 1 for each in sent] == [0, 1, 1, 1]
    assert all(later[: len(earlier)] == earlier for earlier, later in pairwise(sent))
    marks = [asked.body.partition(b"UE5H")[0] for asked in peer.requests[1:]]
    assert len(set(marks)) == 1
    assert peer.requests[-1].body == peer.requests[-2].body


async def test_who_sees_is_told_by_the_model_asked_for(serve: Serve) -> None:
    peer = serve("openai", "loop: true\nturns:\n  - text: a\n")
    provider = open_provider("openai-compatible", base_url=peer.base_url, model="coder-7b")
    call = Call(call_id="c1", tool="read", arguments="{}")
    transcript = Transcript([UserMessage("go"), AssistantMessage((call,)), TWO[0]])
    assert isinstance(provider, VendorProvider)
    for model in ("coder-7b", "qwen3-vl-8b", "coder-7b"):
        await ended(provider, transcript, model)
    await provider.close()
    assert ["UE5H" in asked.body.decode() for asked in peer.requests] == [False, True, False]
    assert peer.requests[0].body == peer.requests[2].body


@pytest.mark.parametrize(
    ("provider", "model", "sees"),
    [
        ("openai", "gpt-6-luna", True), ("anthropic", "claude-haiku-5-5", True), ("google", "gemini-3.8-flash", True),
        ("openai-compatible", "llama-3.1-70b", False), ("openai-compatible", "qwen3-coder", False), ("openai-compatible", "", False),
        ("openai-compatible", "Qwen/Qwen2.5-VL-7B-Instruct", True), ("openai-compatible", "llava:13b", True),
        ("openai-compatible", "gemma-3-27b-it", True), ("openai-compatible", "gpt-oss-120b", False),
        ("openai-compatible", "anthropic/claude-sonnet-5-5", True), ("openai-compatible", "pixtral-12b", True),
        ("openai-compatible", "deepseek-v3", False), ("openai-compatible", "o3-mini", True), ("openai-compatible", "foo3-mini", False),
    ],
)  # fmt: skip
def test_behind_an_address_of_ones_own_only_known_models_see(provider: str, model: str, sees: bool) -> None:
    assert sees_images(provider, model) is sees


async def test_an_image_counts_for_the_size_of_the_context() -> None:
    provider = open_provider("scripted", script="loop: true\nturns:\n  - text: a\n")
    bare, seeing = (Transcript([UserMessage("go"), message]) for message in (ToolMessage("c1", "read", "one"), TWO[0]))
    grown = (await ended(provider, seeing)).usage.input - (await ended(provider, bare)).usage.input
    assert grown == TOKENS
