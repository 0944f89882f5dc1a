from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

from agents.events import Call, Reasoning, Text
from agents.providers.provider import Ended, Failed, Grew, Prompt, Transcript, UserMessage
from agents.providers.script import parse_script
from agents.providers.scripted import ScriptedProvider
from tests.agents.providers.replies import answer, deltas, ended, said


def provider(text: str) -> ScriptedProvider:
    return ScriptedProvider(parse_script(text))


async def texts(script: ScriptedProvider, transcript: Transcript, replies: int) -> list[str]:
    """What the next replies say, each answered before the next."""
    heard = []
    for _ in range(replies):
        reply = await ended(script, transcript)
        heard.append("".join(part.text for part in reply.parts if isinstance(part, Text)))
        answer(transcript, reply)
    return heard


async def test_a_reply_streams_its_parts_in_order() -> None:
    script = provider("- - reasoning: Hm.\n  - text: Look.\n  - call: {tool: read, args: {file_path: a}, id: c1}\n")
    *grown, last = await deltas(script, said("go"))
    assert grown == [
        Grew("reasoning", 0, "Hm."),
        Grew("text", 1, "Look."),
        Grew("call", 2, '{"file_path": "a"}', "c1", "read"),
    ]
    assert isinstance(last, Ended)
    assert last.finish == "calls"
    assert last.parts == (
        Reasoning(text="Hm."), Text(text="Look."), Call(call_id="c1", tool="read", arguments='{"file_path": "a"}'),
    )  # fmt: skip


async def test_a_slow_reply_comes_in_pieces_that_make_up_the_whole() -> None:
    script = provider("speed: 2000\nturns:\n  - text: " + "word " * 40 + "\n")
    *grown, last = await deltas(script, said("go"))
    assert isinstance(last, Ended)
    assert len(grown) > 1
    assert last.parts == (Text(text="".join(piece.text for piece in grown if isinstance(piece, Grew))),)


async def test_another_worker_goes_on_where_the_first_one_stood() -> None:
    text = "- - text: one\n  - call: {tool: read}\n- - text: two\n  - call: {tool: read}\n- text: three\n"
    transcript = said("go")
    assert await texts(provider(text), transcript, 1) == ["one"]
    assert await texts(provider(text), Transcript(transcript.messages), 1) == ["two"]
    assert await texts(provider(text), transcript, 2) == ["two", "three"]


async def test_asking_twice_gives_the_same_turn() -> None:
    script, transcript = provider("- text: one\n- text: two\n"), said("go")
    assert (await ended(script, transcript)).parts == (await ended(script, transcript)).parts


async def test_a_script_goes_on_over_user_messages_and_says_when_it_has_ended() -> None:
    script, transcript = provider("- text: one\n- text: two\n"), said("go")
    assert await texts(script, transcript, 1) == ["one"]
    transcript.append(UserMessage("and?"))
    assert await texts(script, transcript, 1) == ["two"]
    transcript.append(UserMessage("and?"))
    assert "The demo script has ended" in (await texts(script, transcript, 1))[0]


async def test_the_first_user_message_that_fits_chooses_the_scenario() -> None:
    text = """
scenarios:
  - match: '^hi (?P<name>\\w+)'
    restart: true
    turns: [{text: "Hello {{name}}"}]
  - turns: [{text: work}, {text: more work}]
end: {text: over}
"""
    script, transcript = provider(text), said("Hi Bob")
    assert await texts(script, transcript, 1) == ["Hello Bob"]
    for message, reply in [("fix it", "work"), ("hi Eve", "Hello Eve"), ("go on", "more work"), ("go on", "over")]:
        transcript.append(UserMessage(message))
        assert await texts(script, transcript, 1) == [reply]


async def test_a_loop_starts_over() -> None:
    script = provider("loop: true\nturns:\n  - call: {tool: read}\n  - [{text: b}, {call: {tool: read}}]\n")
    assert await texts(script, said("go"), 4) == ["", "b", "", "b"]


async def test_a_turn_whose_condition_does_not_hold_is_passed_over() -> None:
    text = """
- call: {tool: bash}
- when: {tool: bash, failed: true, output: 'line (?P<line>\\d+)'}
  parts: [{text: "broken at {{line}}"}]
- when: {tool: bash, failed: false}
  parts: [{text: fine}]
- text: always
"""
    for failed, heard in [(True, "broken at 7"), (False, "fine")]:
        script, transcript = provider(text), said("go")
        answer(transcript, await ended(script, transcript), "see line 7", failed=failed)
        assert await texts(script, transcript, 2) == [heard, "always"]


async def test_an_aside_takes_no_place_in_the_order() -> None:
    text = """
turns:
  - call: {tool: plan_exit}
  - text: approved
asides:
  - when: {tool: plan_exit, output: 'changes: (?P<words>.*)'}
    parts: [{text: "again with {{words}}"}, {call: {tool: plan_exit}}]
"""
    script, transcript = provider(text), said("go")
    for words in ("shorter", "longer"):
        answer(transcript, await ended(script, transcript), f"changes: {words}")
        place = await ended(ScriptedProvider(script.script), transcript)
        assert place.parts[0] == Text(text=f"again with {words}")
    answer(transcript, await ended(script, transcript), "good")
    assert await texts(script, transcript, 1) == ["approved"]


async def test_conditions_can_count_and_variables_come_from_the_last_output() -> None:
    text = """
- when: {messages: 2, turn: 0, last: user}
  parts: [{text: second message}]
- call: {tool: read}
- parts: [{text: "{{n}}: {{size}} {{tool}} {{output}} {{user}}"}]
  take: {output: '(?P<size>\\d+) bytes'}
"""
    script, transcript = provider(text), said("go")
    answer(transcript, await ended(script, transcript), "12 bytes")
    assert await texts(script, transcript, 1) == ["3: 12 read 12 bytes go"]
    assert await texts(provider(text), said("a", "b"), 1) == ["second message"]


async def test_malformed_arguments_stay_as_they_are() -> None:
    reply = await ended(provider("- call: {tool: read, raw: '{\"file_path\": '}\n"), said("go"))
    assert [part.arguments for part in reply.parts if isinstance(part, Call)] == ['{"file_path": ']


async def test_a_stream_can_break_off_in_mid_json() -> None:
    reply = await ended(provider("- - call: {tool: read, raw: '{\"fi'}\n  - cut: true\n  - text: never\n"), said("go"))
    assert reply.finish == "cut"
    assert [part.type for part in reply.parts] == ["call"]


async def test_an_error_with_a_wait_starts_the_reply_anew() -> None:
    script = provider("- - text: half\n  - error: {kind: rate_limit, status: 429, retry_in: 0.01}\n  - text: whole\n")
    first, failure, second, last = await deltas(script, said("go"))
    assert (first, second) == (Grew("text", 0, "half"), Grew("text", 0, "whole"))
    assert isinstance(failure, Failed)
    assert (failure.kind, failure.status, failure.attempt, failure.retry_in) == ("rate_limit", 429, 1, 0.01)
    assert isinstance(last, Ended)
    assert last.parts == (Text(text="whole"),)


async def test_an_error_without_a_wait_ends_the_request() -> None:
    script = provider("- - error: {kind: auth, message: 'no key for {{user}}'}\n  - text: never\n")
    assert await deltas(script, said("go")) == [Failed("auth", "no key for go")]


async def test_a_hanging_reply_can_be_closed() -> None:
    script = provider("- - text: a\n  - hang: true\n")
    async with aclosing(script.ask(Prompt("m", "", said("go")))) as replies:
        assert await anext(replies) == Grew("text", 0, "a")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(anext(replies), 0.02)


async def test_usage_is_estimated_unless_the_script_gives_it() -> None:
    estimated = (await ended(provider("- text: eight ch\n"), said("x" * 40))).usage
    assert (estimated.input, estimated.output, estimated.cost) == (14, 2, 0.0)
    given = (await ended(provider("- parts: [{text: a}]\n  usage: {input: 5, output: 6, cost: 0.5}\n"), said("x"))).usage
    assert (given.input, given.output, given.cost) == (5, 6, 0.5)


async def test_calls_get_ids_of_their_own() -> None:
    script, transcript = provider("loop: true\nturns:\n  - [{call: {tool: read}}, {call: {tool: read}}]\n"), said("go")
    ids = set()
    for _ in range(3):
        reply = await ended(script, transcript)
        answer(transcript, reply)
        ids |= {part.call_id for part in reply.parts if isinstance(part, Call)}
    assert len(ids) == 6
