from __future__ import annotations

import asyncio
import json
from contextlib import aclosing
from itertools import pairwise
from typing import Any

import pytest

from agents.events import Call, Reasoning, Text
from agents.providers.provider import AssistantMessage, Ended, Grew, Prompt, ToolMessage, Transcript, UserMessage
from tests.agents.providers.conftest import FORMATS, Open, Serve
from tests.agents.providers.replies import TOOLS, answer, deltas, ended, failed, said
from tests.peers.server import Format, Peer

every_format = pytest.mark.parametrize("format", FORMATS)
MESSAGES = {"openai": b'"messages":[', "anthropic": b'"messages":[', "google": b'"contents": ['}
ENDS = {"openai": b'],"stream_options"', "anthropic": b'],"model"', "google": b'], "systemInstruction"'}

WORK = """
- - reasoning: I look first, and I look at two files at once so that it takes less time than looking one by one.
  - text: I read both files.
  - call: {tool: read, args: {file_path: a.py}, id: call_a}
  - call: {tool: read, args: {file_path: "b – ü.py"}, id: call_b}
- - call: {tool: bash, raw: '{"file_path": ', id: call_c}
- - text: Done.
  - call: {tool: bash, args: {file_path: c}, id: call_d}
- text: Really done.
"""
PLAIN = WORK.replace("raw: '{\"file_path\": '", "args: {file_path: x}")
"""Without malformed arguments, which Google's own server never passes on."""


def split(format: Format, body: bytes) -> tuple[bytes, bytes, bytes]:
    """A request as what stands before its messages, the messages, and what stands behind them."""
    head, _, rest = body.partition(MESSAGES[format])
    messages, _, tail = rest.partition(ENDS[format])
    return head, messages, tail


async def work(provider: Any, transcript: Transcript, replies: int) -> None:
    for number in range(replies):
        answer(transcript, await ended(provider, transcript), f"result {number} “quoted” \n", failed=number == 1)


@every_format
async def test_text_reasoning_and_parallel_calls_stream(format: Format, serve: Serve, connect: Open) -> None:
    *grown, last = await deltas(connect(format, serve(format, WORK)), said("go"))
    assert isinstance(last, Ended)
    assert last.finish == "calls"
    reasoning, text, first, second = last.parts
    assert isinstance(reasoning, Reasoning)
    assert reasoning.text.endswith("one by one.")
    assert text == Text(text="I read both files.")
    assert [(part.call_id, part.tool, json.loads(part.arguments)) for part in (first, second) if isinstance(part, Call)] == [
        ("call_a", "read", {"file_path": "a.py"}),
        ("call_b", "read", {"file_path": "b – ü.py"}),
    ]
    pieces = [delta for delta in grown if isinstance(delta, Grew)]
    assert len(pieces) == len(grown) > 4
    for number, part in enumerate(last.parts):
        whole = part.arguments if isinstance(part, Call) else part.text
        assert "".join(piece.text for piece in pieces if piece.part == number) == whole
        assert {piece.kind for piece in pieces if piece.part == number} == {part.type}


@every_format
async def test_each_request_continues_the_one_before_byte_for_byte(format: Format, serve: Serve, connect: Open) -> None:
    peer = serve(format, PLAIN)
    provider, transcript = connect(format, peer), said("go")
    await work(provider, transcript, 4)
    transcript.append(UserMessage("and one more"))
    await ended(provider, transcript)
    bodies = [split(format, asked.body) for asked in peer.requests]
    assert len(bodies) == 5
    for (head, messages, tail), (next_head, next_messages, next_tail) in pairwise(bodies):
        assert (head, tail) == (next_head, next_tail)
        assert next_messages.startswith(messages + b",")
        assert b"placeholder" not in messages
    assert all(asked.json for asked in peer.requests)


@every_format
async def test_all_requests_of_a_session_go_over_one_connection(format: Format, serve: Serve, connect: Open) -> None:
    peer = serve(format, PLAIN)
    await work(connect(format, peer), said("go"), 4)
    assert len({asked.connection for asked in peer.requests}) == 1


@every_format
async def test_a_provider_can_be_made_ready_without_asking(format: Format, serve: Serve, connect: Open) -> None:
    peer = serve(format, PLAIN)
    provider = connect(format, peer)
    await provider.warm()
    assert peer.requests == []
    assert (await ended(provider, said("go"))).finish == "calls"


@every_format
async def test_a_new_worker_sends_the_same_bytes(format: Format, serve: Serve, connect: Open) -> None:
    peer = serve(format, PLAIN)
    transcript = said("go")
    provider = connect(format, peer)
    await work(provider, transcript, 3)
    await ended(provider, transcript)
    await ended(connect(format, peer), Transcript(transcript.messages))
    first, second = peer.requests[-2:]
    assert first.body == second.body
    assert {name: first.headers[name] for name in first.headers} == second.headers


@every_format
async def test_a_changed_system_prompt_or_tool_is_sent(format: Format, serve: Serve, connect: Open) -> None:
    peer = serve(format, "loop: true\nturns:\n  - text: a\n")
    provider, transcript = connect(format, peer), said("go")
    for system, tools in [("Be kind.", TOOLS), ("Be kind.", TOOLS), ("Be brief.", TOOLS), ("Be kind.", TOOLS[:1])]:
        async with aclosing(provider.ask(Prompt("m", system, transcript, tools))) as replies:
            assert isinstance([delta async for delta in replies][-1], Ended)
    sent = [asked.body for asked in peer.requests]
    assert sent[0] == sent[1]
    assert [b"Be brief." in body for body in sent] == [False, False, True, False]
    assert [b"Run a command." in body for body in sent] == [True, True, True, False]


@pytest.mark.parametrize("format", ["openai", "anthropic"])
async def test_malformed_arguments_arrive_raw_and_go_back_readable(format: Format, serve: Serve, connect: Open) -> None:
    peer = serve(format, WORK)
    provider, transcript = connect(format, peer), said("go")
    await work(provider, transcript, 3)
    broken = transcript.messages[4]
    assert isinstance(broken, AssistantMessage)
    assert [part.arguments for part in broken.parts if isinstance(part, Call)] == ['{"file_path": ']
    assert b"malformed_arguments" in peer.requests[-1].body


async def test_a_google_reply_with_malformed_arguments_is_asked_for_again(serve: Serve, connect: Open) -> None:
    provider = connect("google", serve("google", "- call: {tool: bash, raw: '{'}\n"))
    async with aclosing(provider.ask(Prompt("m", "", said("go")))) as replies:
        failure = await anext(replies)
    assert getattr(failure, "kind", "") == "malformed"
    assert getattr(failure, "retry_in", None)


async def test_anthropic_gets_its_signatures_and_failures_back(serve: Serve, connect: Open) -> None:
    peer = serve("anthropic", WORK)
    provider, transcript = connect("anthropic", peer), said("go")
    await work(provider, transcript, 2)
    await ended(provider, transcript)
    messages = peer.requests[-1].json["messages"]
    assert messages[1]["content"][0]["type"] == "thinking"
    assert messages[1]["content"][0]["signature"].startswith("signed:")
    assert [result.get("is_error") for result in messages[2]["content"]] == [None, None]
    assert messages[4]["content"][0]["is_error"] is True


async def test_anthropic_marks_what_it_caches_outside_the_messages(serve: Serve, connect: Open) -> None:
    peer = serve("anthropic", PLAIN)
    provider, transcript = connect("anthropic", peer), said("go")
    await work(provider, transcript, 3)
    body = peer.requests[-1].json
    assert body["cache_control"]["type"] == "ephemeral"
    assert "cache_control" in body["system"][-1]
    assert "cache_control" in body["tools"][-1]
    assert "cache_control" not in json.dumps(body["messages"])


async def test_google_gets_its_thought_signatures_back(serve: Serve, connect: Open) -> None:
    peer = serve("google", PLAIN)
    provider, transcript = connect("google", peer), said("go")
    await work(provider, transcript, 1)
    await ended(provider, transcript)
    parts = peer.requests[-1].json["contents"][1]["parts"]
    assert [bool(part.get("thoughtSignature")) for part in parts if "functionCall" in part] == [True, True]


@every_format
async def test_usage_and_cost_are_told(format: Format, serve: Serve, connect: Open) -> None:
    usage = "{input: 1000, output: 100, cache_read: 600}"
    provider = connect(format, serve(format, f"- parts: [{{text: a}}]\n  usage: {usage}\n"))
    reply = await ended(provider, said("go"), model=provider.model)
    assert (reply.usage.input, reply.usage.output, reply.usage.cache_read) == (1000, 100, 600)
    assert reply.usage.cost
    assert 0 < reply.usage.cost < 0.1
    assert (await ended(provider, said("go"), model="nobody-knows-it")).usage.cost is None
    assert provider.context_window >= 200_000


@every_format
@pytest.mark.parametrize(("finish", "expected"), [("stop", "stop"), ("length", "length"), ("refused", "refused")])
async def test_how_a_reply_ended_is_told(format: Format, finish: str, expected: str, serve: Serve, connect: Open) -> None:
    provider = connect(format, serve(format, f"- parts: [{{text: half}}]\n  finish: {finish}\n"))
    last = (await deltas(provider, said("go")))[-1]
    assert isinstance(last, Ended)
    assert last.finish == expected


@every_format
async def test_a_stream_that_breaks_off_is_a_cut_reply(format: Format, serve: Serve, connect: Open) -> None:
    script = "- - text: I begin\n  - call: {tool: read, raw: '{\"file_pa', id: c1}\n  - cut: true\n"
    reply = await ended(connect(format, serve(format, script)), said("go"))
    assert reply.finish == "cut"
    assert reply.parts[0] == Text(text="I begin")


@every_format
async def test_closing_the_reply_drops_the_connection(format: Format, serve: Serve, connect: Open) -> None:
    peer = serve(format, "- - text: I begin\n  - hang: true\n")
    provider = connect(format, peer)
    async with aclosing(provider.ask(Prompt("m", "", said("go")))) as replies:
        assert await anext(replies) == Grew("text", 0, "I begin")
    assert await asyncio.to_thread(peer.requests[0].dropped.wait, 5)


@every_format
async def test_canceling_the_task_drops_the_connection(format: Format, serve: Serve, connect: Open) -> None:
    peer = serve(format, "- - delay: 0\n  - hang: true\n")
    task = asyncio.create_task(deltas(connect(format, peer), said("go")))
    async with asyncio.timeout(10):
        while not peer.requests:
            await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(peer.requests[0].dropped.wait, 5)


async def test_a_call_id_used_twice_is_told_apart(serve: Serve, connect: Open) -> None:
    provider = connect("openai", serve("openai", "loop: true\nturns:\n  - call: {tool: read, args: {}, id: call_0}\n"))
    transcript = said("go")
    await work(provider, transcript, 3)
    assert [message.call_id for message in transcript.messages if isinstance(message, ToolMessage)] == ["call_0", "call_0_2", "call_0_3"]


async def test_many_sessions_share_a_provider(serve: Serve, connect: Open) -> None:
    script = "- - {text: 'I am {{user}}'}\n  - call: {tool: read, args: {file_path: '{{user}}'}}\n- text: '{{user}} is done'\n"
    provider = connect("anthropic", serve("anthropic", script))
    transcripts = [said(f"session {number}") for number in range(12)]
    await asyncio.gather(*(work(provider, transcript, 1) for transcript in transcripts))
    replies = await asyncio.gather(*(ended(provider, transcript) for transcript in transcripts))
    assert [reply.parts for reply in replies] == [(Text(text=f"session {number} is done"),) for number in range(12)]


async def test_a_conversation_moves_to_another_vendor(serve: Serve, connect: Open) -> None:
    transcript = said("go")
    bodies = []
    peers: list[Peer] = []
    for format in ("anthropic", "google", "openai"):
        peers.append(serve(format, PLAIN))
        await work(connect(format, peers[-1]), transcript, 1)
        bodies.append(peers[-1].requests[-1].body)
    assert b"signed" not in bodies[1]
    assert b"skip" not in bodies[2]
    assert json.loads(bodies[1])["contents"][1]["parts"][1]["thoughtSignature"]


@every_format
async def test_garbage_is_a_malformed_reply(format: Format, serve: Serve, connect: Open) -> None:
    failure = await failed(connect(format, serve(format, "- error: {kind: malformed}\n")), said("go"))
    assert failure.kind == "malformed"
