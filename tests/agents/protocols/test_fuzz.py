"""Whatever a model writes, and however it comes: nothing is raised, nothing depends on the pieces, and no content is lost or made up."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agents.events import Call, Text
from agents.protocols.listening import Listening
from agents.protocols.reader import Unreadable
from agents.providers.provider import ToolDefinition
from tests.agents.protocols.reading import TOOLS, read, speech

SHARDS = [
    '{"actions": [', '{"tool": "write_to_file", ', '"args": {', '"path": "a"', '"content": "FILE_CONTENT_#1"', '"content": "x\\n"',
    "}", "]", "}}]", ', "stop_reason": "continue"}', '"stop_reason"', ",", '"', "\\", "\\ud83d", "// c\n", "/*", "*/",
    "\n---(FILE_CONTENT_#1)---\n", "---(FILE_CONTENT_#2)---", "```json\n", "```", "\ud83d", "\ude00", "\x00", "<think>", "</think>",
    "<write_to_file>", "</write_to_file>", "<path>", "</path>", "<content>", "</content>", "<read_file>", "</read_file>", "<limit>", "3",
    "</limit>", "<todo_read/>", "<", ">", "words ", " ", "\n",
]  # fmt: skip
REPLIES = st.lists(st.sampled_from(SHARDS) | st.text(max_size=4), max_size=30).map("".join)
SECTION = """{"actions": [{"tool": "write_to_file", "args": {"path": "a", "content": "FILE_CONTENT_#1"}}]}
---(FILE_CONTENT_#1)---
one
two
---(FILE_CONTENT_#1)---
"""
TAGS = "Now:\n<write_to_file>\n<path>a</path>\n<content>\none </content>\ntwo\n</content>\n</write_to_file>\n"


def outcome(protocol: str, text: str, whole: bool, cut: int) -> Any:
    """What the text is read as, with everything that was shown put together; or why it is not."""
    listening = Listening(speech(protocol).reader(TOOLS), "t")
    size = cut or max(1, len(text))
    try:
        for at in range(0, len(text), size):
            list(listening.text(text[at : at + size]))
        list(listening.rest(whole))
    except Unreadable as reason:
        return str(reason)
    return tuple(part.part() for part in listening.parts.values()), listening.reader.stop_reason


@pytest.mark.parametrize("protocol", ["json", "xml"])
@given(text=REPLIES, whole=st.booleans(), cut=st.integers(1, 7))
@example(text="<think>\nI look.\n</think>\nDone.", whole=True, cut=7)
@settings(max_examples=150, deadline=None)
def test_any_text_is_read_or_refused_however_it_is_cut(protocol: str, text: str, whole: bool, cut: int) -> None:
    assert outcome(protocol, text, whole, cut) == outcome(protocol, text, whole, 0)


@pytest.mark.parametrize("protocol", ["json", "xml"])
@given(text=REPLIES)
@settings(max_examples=150, deadline=None)
def test_what_is_called_has_arguments_and_no_content_is_empty_unless_the_reply_says_so(protocol: str, text: str) -> None:
    found = outcome(protocol, text, True, 0)
    for part in () if isinstance(found, str) else found[0]:
        if isinstance(part, Call):
            content = json.loads(part.arguments).get("content")
            assert content != "" or "<content></content>" in text or "<content>\n</content>" in text
            assert content != "FILE_CONTENT_#1" or protocol == "xml"


@pytest.mark.parametrize("protocol", ["json", "xml"])
@given(reply=st.sampled_from([SECTION, TAGS]), data=st.data())
@settings(max_examples=120, deadline=None)
def test_a_reply_with_a_hole_never_writes_less_without_a_word(protocol: str, reply: str, data: st.DataObject) -> None:
    """Cut at the end by the model's limit: either refused, or all of it, or no call at all."""
    end = data.draw(st.integers(0, len(reply)))
    found, all_of_it = outcome(protocol, reply[:end], False, 0), outcome(protocol, reply, True, 0)
    if not isinstance(found, str):
        calls = [part for part in found[0] if isinstance(part, Call)]
        assert calls in ([], [part for part in all_of_it[0] if isinstance(part, Call)])


CONTENTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=40) | st.lists(
    st.sampled_from(
        ["\n", "\r\n", "a", " ", "---(FILE_CONTENT_#1)---", "FILE_CONTENT_#2", "```", '"', "\\", "{", "<b>", "</b>", "</path", "&lt;", "\t"]
    ),
    max_size=8,
).map("".join)
VALUES = st.recursive(
    CONTENTS | st.integers() | st.booleans(), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(CONTENTS, inner, max_size=3)
)


@given(words=CONTENTS, args=st.lists(st.dictionaries(CONTENTS, VALUES, max_size=3), max_size=3), cut=st.integers(0, 5))
@settings(max_examples=150, deadline=None)
def test_calls_told_in_json_are_read_as_the_same_calls(words: str, args: list[dict[str, Any]], cut: int) -> None:
    calls = [Call(call_id=f"c{number}", tool="tune", arguments=json.dumps(each)) for number, each in enumerate(args)]
    told = speech("json").reply(words, calls, "continue" if calls else "done")
    found = read("json", told, cut=cut)
    assert found.calls == [("tune", each) for each in args]
    assert "".join(found.words) == words
    assert found.stop_reason == ("continue" if calls else "done")


@given(content=CONTENTS, path=st.text("abc/.", min_size=1), cut=st.integers(0, 5))
@settings(max_examples=150, deadline=None)
def test_a_call_told_in_tags_is_read_as_the_same_call(content: str, path: str, cut: int) -> None:
    args = {"path": path, "content": content}
    told = speech("xml").reply("", [Call(call_id="c", tool="write_to_file", arguments=json.dumps(args))], "")
    assert read("xml", told, cut=cut).calls == [("write_to_file", args)]


SCHEMAS = st.recursive(
    st.booleans()
    | st.fixed_dictionaries({"type": st.sampled_from(["string", "integer", "array", "object", "null", ["string", "null"], "boolean"])})
    | st.fixed_dictionaries({"$ref": st.sampled_from(["#/$defs/a", "#/$defs/b", "#", "#/properties/x", "elsewhere"])})
    | st.fixed_dictionaries({"enum": st.lists(st.integers() | st.text(max_size=3) | st.none(), min_size=1)}),
    lambda inner: (
        st.fixed_dictionaries({"anyOf": st.lists(inner, max_size=4)}) | st.fixed_dictionaries({"description": st.text(), "items": inner})
    ),
)


@given(
    schema=st.fixed_dictionaries(
        {"properties": st.dictionaries(st.sampled_from("xyz"), SCHEMAS), "$defs": st.dictionaries(st.sampled_from("ab"), SCHEMAS)}
    ),
    value=st.sampled_from(["", "1", "true", "[1]", "{}", "x"]),
)
@settings(max_examples=150, deadline=None)
def test_tools_of_strangers_are_explained_and_called_whatever_their_schema(schema: dict[str, Any], value: str) -> None:
    stranger = ToolDefinition("mcp__x", "X.", schema)
    for protocol in ("json", "xml"):
        assert "## mcp__x" in speech(protocol).instructions([stranger])
    listening = Listening(speech("xml").reader([stranger]), "t")
    try:
        list(listening.text(f"<mcp__x><x>{value}</x></mcp__x>"))
        list(listening.rest(whole=True))
    except Unreadable:
        return
    (part,) = (growing.part() for growing in listening.parts.values())
    assert isinstance(part, Call)
    assert list(json.loads(part.arguments)) == ["x"]


@given(text=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00<{"), max_size=60), cut=st.integers(1, 5))
@pytest.mark.parametrize("protocol", ["json", "xml"])
@settings(deadline=None)
def test_words_alone_are_words(protocol: str, text: str, cut: int) -> None:
    words = [part.text for part in read(protocol, text, cut=cut).parts if isinstance(part, Text)]
    assert "".join(words) == text.strip()
