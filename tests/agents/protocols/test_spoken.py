"""A provider spoken to in a protocol: what it is sent, what comes back, and that requests stay prefixes of each other."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from itertools import pairwise

import pytest

from agents.events import Attachment, Call, Part, Reasoning, Text
from agents.protocols import spoken
from agents.providers.provider import (
    AssistantMessage,
    Delta,
    Ended,
    Failed,
    Grew,
    Prompt,
    Provider,
    ToolMessage,
    Transcript,
    UserMessage,
)
from tests.agents.protocols.reading import TOOLS

JSON = '{"thought_summary": "I read.", "actions": [{"tool": "read_file", "args": {"path": "a"}}], "stop_reason": "continue"}'
XML = "I read.\n<read_file><path>a</path></read_file>"


class Recorded:
    """A provider that plays deltas and keeps what it was asked."""

    name = "recorded"
    context_window = 1000

    def __init__(self, *deltas: Delta) -> None:
        self.deltas = deltas
        self.prompts: list[Prompt] = []
        self.closed = False

    async def ask(self, prompt: Prompt) -> AsyncGenerator[Delta, None]:
        self.prompts.append(prompt)
        try:
            for delta in self.deltas:
                yield delta
        finally:
            self.closed = True


def said(*parts: Part, finish: str = "stop") -> list[Delta]:
    kinds = {"text": "text", "reasoning": "reasoning", "call": "call"}
    grown: list[Delta] = []
    for number, part in enumerate(parts):
        whole = part.arguments if isinstance(part, Call) else part.text
        of_call = (part.call_id, part.tool) if isinstance(part, Call) else ("", "")
        grown += [Grew(kinds[part.type], number, letter, *of_call) for letter in whole]  # type: ignore[arg-type]
    return [*grown, Ended(parts, finish)]  # type: ignore[arg-type]


def prompt(*messages: UserMessage | AssistantMessage | ToolMessage, tools: bool = True) -> Prompt:
    return Prompt("m", "You help.", Transcript(messages or (UserMessage("go"),)), TOOLS if tools else ())


async def asked(provider: Provider, one: Prompt) -> list[Delta]:
    return [delta async for delta in provider.ask(one)]


async def ended(protocol: str, *deltas: Delta) -> Ended:
    last = (await asked(spoken(Recorded(*deltas), protocol), prompt()))[-1]
    assert isinstance(last, Ended)
    return last


def test_function_calling_needs_nothing_between() -> None:
    provider = Recorded()
    assert spoken(provider, "native") is provider
    assert spoken(provider, "") is provider


def test_it_is_the_provider_to_whoever_asks() -> None:
    assert (spoken(Recorded(), "xml").name, spoken(Recorded(), "xml").context_window) == ("recorded", 1000)


@pytest.mark.parametrize(("protocol", "text"), [("json", JSON), ("xml", XML)])
async def test_tools_are_explained_in_words_and_calls_come_as_calls(protocol: str, text: str) -> None:
    inner = Recorded(*said(Text(text=text)))
    deltas = await asked(spoken(inner, protocol), prompt())
    assert inner.prompts[0].tools == ()
    assert inner.prompts[0].system.startswith("You help.\n\n")
    assert all(f"## {tool.name}" in inner.prompts[0].system for tool in TOOLS)
    end = deltas[-1]
    assert isinstance(end, Ended)
    assert [part.type for part in end.parts] == ["text", "call"]
    assert (end.finish, end.stop_reason, end.unreadable) == ("calls", "continue" if protocol == "json" else "", "")
    for number, part in enumerate(end.parts):
        grown = [delta for delta in deltas if isinstance(delta, Grew) and delta.part == number]
        whole = part.arguments if isinstance(part, Call) else part.text
        assert whole.startswith("".join(grew.text for grew in grown))
        assert len(grown) > 2
        assert {grew.call_id for grew in grown} == {part.call_id if isinstance(part, Call) else ""}


async def test_each_reply_has_call_ids_of_its_own() -> None:
    first, second = [await ended("xml", *said(Text(text=XML))) for _ in range(2)]
    assert getattr(first.parts[1], "call_id", 1) != getattr(second.parts[1], "call_id", 1)


@pytest.mark.parametrize("protocol", ["json", "xml"])
async def test_without_tools_a_reply_is_plain_text(protocol: str) -> None:
    inner = Recorded(*said(Text(text=XML + JSON)))
    last = (await asked(spoken(inner, protocol), prompt(tools=False)))[-1]
    assert isinstance(last, Ended)
    assert (last.parts, inner.prompts[0].system) == ((Text(text=XML + JSON),), "You help.")


async def test_thoughts_and_calls_of_the_providers_own_pass() -> None:
    thought = Reasoning(text="hm", signature="s", extras={"vendor": "anthropic"})
    own = Call(call_id="own1", tool="todo_read", arguments="{}", extras={"a": 1})
    end = await ended("xml", *said(thought, Text(text="First. "), Text(text="Then."), own, finish="calls"))
    assert end.parts == (thought, Text(text="First. Then."), own)
    assert end.finish == "calls"


@pytest.mark.parametrize(("protocol", "text"), [("json", JSON), ("xml", XML)])
async def test_thoughts_in_the_text_are_thoughts(protocol: str, text: str) -> None:
    end = await ended(protocol, *said(Text(text=f"\n<think>Perhaps {text}?</think>\n\n{text}")))
    assert end.parts[0] == Reasoning(text=f"Perhaps {text}?")
    assert [part.type for part in end.parts[1:]] == ["text", "call"]


@pytest.mark.parametrize("finish", ["length", "cut"])
async def test_thoughts_that_never_ended_are_refused(finish: str) -> None:
    assert "thoughts" in (await ended("json", *said(Text(text="<think>and so"), finish=finish))).unreadable


@pytest.mark.parametrize("protocol", ["json", "xml"])
@pytest.mark.parametrize("text", ['{"actions": [', "<read_file>\n<path>a"])
@pytest.mark.parametrize("finish", ["length", "cut"])
async def test_half_a_call_is_told_as_what_it_is(protocol: str, text: str, finish: str) -> None:
    end = await ended(protocol, *said(Text(text=text), finish=finish))
    assert (end.parts, end.finish) == ((Text(text=text),), finish)
    if (protocol == "json") == text.startswith("{"):
        assert "cut off" in end.unreadable
        assert end.unreadable in end.correction


async def test_a_refused_reply_calls_nothing_at_all() -> None:
    own = Call(call_id="own1", tool="todo_read", arguments="{}")
    end = await ended("xml", *said(Text(text="<read_file>a</read_file>"), own, finish="calls"))
    assert end.parts == (Text(text="<read_file>a</read_file>"),)
    assert "could not be read" in end.unreadable


async def test_a_reason_that_quotes_the_reply_is_bounded_and_holds_no_secret() -> None:
    key = "ghp_" + "a1B2" * 10
    end = await ended("json", Ended((Text(text=json.dumps({"actions": [{"tool": f"{key} {'x' * 50_000}", "args": 3}]})),), "stop"))
    assert '"args" of action 1 ([redacted] xx' in end.unreadable
    assert len(end.unreadable) < len(end.correction) < 1000


async def test_others_go_on_while_a_long_reply_is_read() -> None:
    text = Text(text='{"actions": [' + "[]," * 100_000)
    reading = asyncio.create_task(ended("json", Grew("text", 0, text.text), Ended((text,), "stop")))
    turns = 0
    while not reading.done():
        await asyncio.sleep(0.001)
        turns += 1
    assert turns > 5
    assert (await reading).unreadable


async def test_a_request_sent_again_begins_a_new_reply() -> None:
    again = Failed("overloaded", "busy", retry_in=0.1)
    inner = Recorded(Grew("text", 0, '{"actions": [{"tool"'), again, *said(Text(text=JSON)))
    deltas = await asked(spoken(inner, "json"), prompt())
    assert again in deltas
    end = deltas[-1]
    assert isinstance(end, Ended)
    assert [part.type for part in end.parts] == ["text", "call"]


async def test_a_failure_is_the_end() -> None:
    failed = Failed("auth", "no key")
    assert await asked(spoken(Recorded(failed), "json"), prompt()) == [failed]


async def test_whoever_stops_listening_drops_the_connection() -> None:
    inner = Recorded(*said(Text(text=JSON)))
    stream = spoken(inner, "json").ask(prompt())
    await anext(stream)
    await stream.aclose()
    assert inner.closed


TALK: list[UserMessage | AssistantMessage | ToolMessage] = [
    UserMessage("go"),
    AssistantMessage(
        (
            Reasoning(text="hm"),
            Text(text="I look."),
            Call(call_id="c1", tool="read_file", arguments='{"path": "a", "limit": 2}'),
            Call(call_id="c2", tool="write_to_file", arguments='{"path": "b", "content": "x\\ny\\n"}'),
        ),
        stop_reason="continue",
    ),
    ToolMessage("c1", "read_file", "text of a"),
    ToolMessage("c2", "write_to_file", "Error: no", failed=True, images=(Attachment(name="i.png", media_type="image/png", data=""),)),
    UserMessage("and?"),
    AssistantMessage((Text(text="That was it."),), stop_reason="done"),
]


async def test_earlier_calls_and_results_are_told_in_json() -> None:
    inner = Recorded(*said(Text(text="ok")))
    await asked(spoken(inner, "json"), prompt(*TALK))
    told = inner.prompts[0].transcript.messages
    assert told[0] is TALK[0]
    assert isinstance(told[1], AssistantMessage)
    thought, words = told[1].parts
    assert thought == Reasoning(text="hm")
    assert isinstance(words, Text)
    whole, *section = words.text.split("\n")
    assert json.loads(whole)["actions"][1]["args"] == {"path": "b", "content": "FILE_CONTENT_#1"}
    assert section == ["---(FILE_CONTENT_#1)---", "x", "y", "", "---(FILE_CONTENT_#1)---"]
    assert isinstance(told[2], UserMessage)
    assert told[2].answers == tuple(TALK[2:4])
    assert "[Result of read_file (call 1 of 2)]\ntext of a" in told[2].text
    assert "[Result of write_to_file (call 2 of 2): failed]\nError: no\n[Images that you cannot be shown here: i.png" in told[2].text
    assert told[3] is TALK[4]
    assert isinstance(told[4], AssistantMessage)
    assert told[4].parts == (Text(text='{"result_message": "That was it.", "actions": [], "stop_reason": "done"}'),)


async def test_earlier_calls_are_told_in_tags() -> None:
    inner = Recorded(*said(Text(text="ok")))
    await asked(spoken(inner, "xml"), prompt(*TALK))
    told = inner.prompts[0].transcript.messages
    assert isinstance(told[1], AssistantMessage)
    assert told[1].parts[1] == Text(
        text="I look.\n\n<read_file>\n<path>a</path>\n<limit>2</limit>\n</read_file>\n\n"
        "<write_to_file>\n<path>b</path>\n<content>\nx\ny\n\n</content>\n</write_to_file>"
    )
    assert told[4] == AssistantMessage((Text(text="That was it."),), stop_reason="done")


async def test_a_reply_that_was_no_call_stays_as_it_was_said() -> None:
    inner = Recorded(*said(Text(text="ok")))
    await asked(spoken(inner, "json"), prompt(UserMessage("go"), AssistantMessage((Text(text='{"actions": ['),)), UserMessage("again")))
    assert inner.prompts[0].transcript.messages[1] == AssistantMessage((Text(text='{"actions": ['),))


async def test_arguments_that_are_no_json_are_told_as_they_were() -> None:
    inner = Recorded(*said(Text(text="ok")))
    broken = AssistantMessage((Call(call_id="c", tool="read_file", arguments='{"path'),))
    await asked(spoken(inner, "xml"), prompt(UserMessage("go"), broken))
    message = inner.prompts[0].transcript.messages[1]
    assert isinstance(message, AssistantMessage)
    assert message.parts == (Text(text='<read_file>\n<malformed_arguments>{"path</malformed_arguments>\n</read_file>'),)


@pytest.mark.parametrize("protocol", ["json", "xml"])
async def test_every_request_is_a_prefix_of_the_next(protocol: str) -> None:
    growing = Transcript()
    inner = Recorded(*said(Text(text="ok")))
    sent = []
    for message in TALK:
        growing.append(message)
        # A provider is wrapped anew for every run.
        await asked(spoken(inner, protocol), Prompt("m", "You help.", growing, TOOLS))
        sent.append(list(inner.prompts[-1].transcript.messages))
    assert len({each.system for each in inner.prompts}) == 1
    assert len({id(each.transcript) for each in inner.prompts}) == 1
    for before, after in pairwise(sent):
        assert after[: len(before)] == before
    fresh = Recorded(*said(Text(text="ok")))
    await asked(spoken(fresh, protocol), prompt(*TALK[:3]))
    assert fresh.prompts[0].transcript.messages[:2] == sent[-1][:2]
