from __future__ import annotations

import json
import re
from typing import Any

import pytest

from agents.events import Call, Part, Reasoning, Text
from agents.providers.mapping import DIALECTS, fragment
from agents.providers.provider import AssistantMessage, Message, ToolMessage, UserMessage


def written(vendor: str, *messages: Message) -> list[Any]:
    return [json.loads(fragment(value)) for value in DIALECTS[vendor].write(messages)]


def reply(vendor: str, *parts: Part) -> Any:
    return written(vendor, AssistantMessage(parts))[0]


def call(arguments: str, **more: Any) -> Call:
    return Call(call_id="c1", tool="read", arguments=arguments, **more)


@pytest.mark.parametrize(
    ("arguments", "sent"),
    [
        ('{"a": 1}', {"a": 1}),
        ("", {}),
        ("  ", {}),
        ('{"a": ', {"malformed_arguments": '{"a": '}),
        ("[1]", {"malformed_arguments": "[1]"}),
        ("null", {"malformed_arguments": "null"}),
    ],
)
def test_arguments_are_sent_as_an_object_whatever_the_model_wrote(arguments: str, sent: dict[str, Any]) -> None:
    assert json.loads(reply("openai", call(arguments))["tool_calls"][0]["function"]["arguments"]) == sent
    assert reply("anthropic", call(arguments))["content"][0]["input"] == sent
    assert reply("google", call(arguments))["parts"][0]["functionCall"]["args"] == sent


def test_sound_arguments_keep_their_spelling_for_openai() -> None:
    assert reply("openai", call('{"a":1,  "b":2}'))["tool_calls"][0]["function"]["arguments"] == '{"a":1,  "b":2}'


def test_a_thought_goes_back_only_to_the_vendor_who_signed_it() -> None:
    thought = Reasoning(text="hm", signature="abc", extras={"vendor": "anthropic"})
    assert reply("anthropic", thought, Text(text="a"))["content"][0] == {"type": "thinking", "thinking": "hm", "signature": "abc"}
    assert reply("google", thought, Text(text="a"))["parts"] == [{"text": "a"}]
    assert reply("openai", thought, Text(text="a")) == {"role": "assistant", "content": "a"}
    foreign = Reasoning(text="hm", signature="abc", extras={"vendor": "google"})
    assert reply("anthropic", foreign, Text(text="a"))["content"] == [{"type": "text", "text": "a"}]


def test_an_unsigned_thought_is_not_sent_to_anthropic() -> None:
    assert reply("anthropic", Reasoning(text="hm"), Text(text="a"))["content"] == [{"type": "text", "text": "a"}]


def test_a_redacted_thought_goes_back_as_it_came() -> None:
    thought = Reasoning(text="", signature="opaque", extras={"vendor": "anthropic", "redacted": True})
    assert reply("anthropic", thought)["content"] == [{"type": "redacted_thinking", "data": "opaque"}]


def test_google_signs_the_part_behind_a_thought_and_the_first_call_at_least() -> None:
    thought = Reasoning(text="hm", signature="c2ln", extras={"vendor": "google"})
    assert reply("google", thought, Text(text="a"))["parts"] == [{"text": "hm", "thought": True}, {"text": "a", "thoughtSignature": "c2ln"}]
    first, second = reply("google", call("{}"), call("{}"))["parts"]
    assert first["thoughtSignature"]
    assert "thoughtSignature" not in second


def test_the_results_of_one_reply_are_one_message_where_the_vendor_wants_it() -> None:
    results = ToolMessage("c1", "read", "one"), ToolMessage("c2", "read", "two", failed=True)
    assert len(written("openai", *results)) == 2
    assert [block["tool_use_id"] for block in written("anthropic", *results)[0]["content"]] == ["c1", "c2"]
    responses = [part["functionResponse"]["response"] for part in written("google", *results)[0]["parts"]]
    assert responses == [{"output": "one"}, {"error": "two"}]


def test_a_failed_result_says_so_to_openai_once() -> None:
    failed = written("openai", ToolMessage("c1", "read", "gone", failed=True), ToolMessage("c1", "read", "Error: gone", failed=True))
    assert [message["content"] for message in failed] == ["Error: gone", "Error: gone"]


@pytest.mark.parametrize("vendor", sorted(DIALECTS))
def test_nothing_is_sent_empty(vendor: str) -> None:
    sent = written(vendor, AssistantMessage(()), AssistantMessage((Reasoning(text="only thought"),)))
    assert all("(nothing)" in json.dumps(message) for message in sent)


def test_ids_are_spelt_as_anthropic_takes_them_on_both_ends() -> None:
    odd = Call(call_id="functions.read:0", tool="read", arguments="{}")
    use, result = written("anthropic", AssistantMessage((odd,)), ToolMessage("functions.read:0", "read", "x"))
    assert use["content"][0]["id"] == result["content"][0]["tool_use_id"] == "functions_read_0"


@pytest.mark.parametrize("vendor", sorted(DIALECTS))
def test_half_a_character_does_not_break_the_request(vendor: str) -> None:
    values = list(DIALECTS[vendor].write([UserMessage("a \ud83d b")]))
    assert b"a ? b" in fragment(values[0])


@pytest.mark.parametrize("vendor", sorted(DIALECTS))
def test_a_message_is_written_the_same_alone_and_among_others(vendor: str) -> None:
    conversation: list[Message] = [
        UserMessage("go"), AssistantMessage((Text(text="a"), call("{}"))), ToolMessage("c1", "read", "x"), UserMessage("more"),
    ]  # fmt: skip
    dialect = DIALECTS[vendor]
    at_once = [fragment(value) for value in dialect.write(conversation)]
    one_by_one = [fragment(value) for message in conversation for value in dialect.write([message])]
    assert at_once == one_by_one


@pytest.mark.parametrize("vendor", sorted(DIALECTS))
@pytest.mark.parametrize(("tool", "sent"), [("write file!", "write_file_"), ("", "_"), ("x" * 200, "x" * 64), ("mcp__a-b", "mcp__a-b")])
def test_a_tool_that_only_words_can_call_is_named_as_vendors_take_it(vendor: str, tool: str, sent: str) -> None:
    conversation = written(
        vendor, AssistantMessage((Call(call_id="c1", tool=tool, arguments="{}"),)), ToolMessage("c1", tool, "None such.")
    )
    assert set(re.findall(r'"name": "([^"]*)"', json.dumps(conversation))) == {sent}
