"""Replies with XML tags: what is read, and what is refused with which reason."""

from __future__ import annotations

from contextlib import suppress
from time import process_time

import pytest

from agents.protocols.listening import Listening
from agents.protocols.reader import Unreadable
from tests.agents.protocols.reading import TEXT, TOOLS, speech, tool
from tests.agents.protocols.reading import read as read_reply
from tests.agents.protocols.reading import refused as refused_reply


def read(text: str) -> list[tuple[str, dict[str, object]]]:
    return read_reply("xml", text).calls


def refused(text: str, whole: bool = True) -> str:
    return refused_reply("xml", text, whole)


def write(content: str) -> str:
    return f"<write_to_file>\n<path>a.py</path>\n<content>{content}</content>\n</write_to_file>"


def content(text: str) -> object:
    return read(text)[0][1]["content"]


def test_a_call_has_words_before_and_behind_it() -> None:
    reply = read_reply("xml", "I look.\n\n<read_file>\n<path>a.py</path>\n<limit> 10 </limit>\n</read_file>\n\nThen I go on.\n")
    assert reply.words == ["I look.", "Then I go on."]
    assert reply.calls == [("read_file", {"path": "a.py", "limit": 10})]


def test_a_reply_without_a_call_is_an_answer() -> None:
    assert read_reply("xml", "Use `<read_file>` for <b>files</b>, a < b.\n").words == ["Use `<read_file>` for <b>files</b>, a < b."]


def test_a_fence_around_the_call_is_none_of_its_words() -> None:
    reply = read_reply("xml", f"Now:\n```xml\n{write('x')}\n```")
    assert (reply.words, len(reply.calls)) == (["Now:"], 1)


@pytest.mark.parametrize("text", ["<todo_read></todo_read>", "<todo_read>\n</todo_read >", "<todo_read/>", "<todo_read />\n"])
def test_a_tool_may_be_called_without_parameters(text: str) -> None:
    assert read(text) == [("todo_read", {})]


@pytest.mark.parametrize(
    ("between", "value"),
    [
        ("x", "x"),
        ("", ""),
        ("\n", ""),
        ("\nx\n", "x"),
        ("\n  x\n\n", "  x\n"),
        ("\n\nx\n", "\nx"),
        ('\n&lt; <p>"hi"</p>\n', '&lt; <p>"hi"</p>'),
        ("a </content> b", "a </content> b"),
        ("a </content>\n</write_to_file> b", "a </content>\n</write_to_file> b"),
        ("<content>a</content></write_to_file><path>", "<content>a</content></write_to_file><path>"),
        (f"\n{write('inner')}\n", write("inner")),
        (f"\n{write('one')}\n{write('two')}\n", f"{write('one')}\n{write('two')}"),
        ('<svg><path d="M0"></path><path d="M1"/></svg>', '<svg><path d="M0"></path><path d="M1"/></svg>'),
        ("<read_file> <path> </content", "<read_file> <path> </content"),
    ],
)
def test_a_value_is_taken_as_it_stands_with_tags_and_all(between: str, value: str) -> None:
    assert content(write(between)) == value


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("whole", "12", 12),
        ("whole", "\n-3\n", -3),
        ("rate", "2.5e1", 25.0),
        ("loud", "True", True),
        ("names", '["a", "b"]', ["a", "b"]),
        ("extra", '{"a": [1]}', {"a": [1]}),
        ("extra", "null", None),
        ("note", "null", "null"),
        ("note", "  kept ", "  kept "),
        ("line", "7", 7),
        ("line", "7a", "7a"),
        ("mode", "fast", "fast"),
        ("-C", "2", 2),
    ],
)
def test_values_become_what_the_tools_schema_asks_for(name: str, text: str, value: object) -> None:
    assert read(f"<tune><{name}>{text}</{name}></tune>") == [("tune", {name: value})]


@pytest.mark.parametrize(
    ("name", "text", "form"),
    [
        ("whole", "ten", "a whole number"),
        ("whole", "1.5", "a whole number"),
        ("whole", "", "a whole number"),
        ("whole", "١", "a whole number"),
        ("rate", "NaN", "a number"),
        ("loud", "yes", "true or false"),
        ("names", "a, b", "a JSON list"),
        ("names", '{"a": 1}', "a JSON list"),
        ("extra", "[1]", "null or a JSON object"),
    ],
)
def test_a_value_that_is_none_of_its_type_is_refused(name: str, text: str, form: str) -> None:
    assert f"<{name}> must be {form}" in refused(f"<tune><{name}>{text}</{name}></tune>")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<read_file><path>a</path></read_file>\n<read_file><path>b</path></read_file>", "more than one call"),
        ("<read_file><path>a</path></read_file> and <todo_read></todo_read>", "more than one call"),
        ("<todo_read></todo_read><read_file><path>b</path></read_file>", "more than one call"),
        (f"{write('a')}\n\n{write('b')}", "more than one call"),
        ("<read_file><path>a</path><path>b</path></read_file>", "not clear"),
        ("<read_file><path>a</path><limit>1</limit><path>b</path></read_file>", "given twice"),
        ("<read_file><path>a</path><depth>1</depth></read_file>", "no parameter <depth>"),
        ("<read_file><depth>1</depth></read_file>", "no parameter <depth>. Its parameters are: path, limit"),
        ("<read_file><path>a</path> and </read_file>", "must come the next parameter"),
        ("<todo_read><a>1</a></todo_read>", "no parameter <a>"),
        ("<read_file>a.py</read_file>", "could not be read"),
        ("<read_file><path>a", "</path> is missing"),
        ("<read_file><path>a</path>", "</read_file> is missing"),
        ("<read_file><path>a</path></read_fil", "must come the next parameter"),
        ("<read_file>", "ends with its start tag"),
        ("<make_tea><cup>1</cup></make_tea>", "There is no tool make_tea"),
        ("I go on.\n<ls><path>.</path></ls>", "There is no tool ls"),
    ],
)
def test_what_is_not_in_the_form_is_refused(text: str, reason: str) -> None:
    assert reason in refused(text)


def test_who_calls_a_tool_told_only_by_name_hears_how_to_get_it() -> None:
    listening = Listening(speech("xml").reader((*TOOLS, tool("tool_search", "query", query=TEXT))), "t")
    list(listening.text("<webfetch>\n<url>x</url>\n</webfetch>"))
    with pytest.raises(Unreadable, match=r"There is no tool webfetch here.*look it up with tool_search"):
        list(listening.rest(whole=True))


def test_tags_in_a_block_of_code_are_words() -> None:
    text = "Write it so:\n\n```xml\n<make_tea>\n<cup>1</cup>\n</make_tea>\n```"
    assert read_reply("xml", text).words == [text]


@pytest.mark.parametrize("cut", range(2, len(write("\nfirst\nsecond\n"))))
def test_a_reply_that_was_cut_off_never_writes_half_a_file(cut: int) -> None:
    assert "cut off" in refused(write("\nfirst\nsecond\n")[:cut], whole=False)


def test_a_call_is_shown_as_soon_as_it_has_begun_and_grows() -> None:
    grown = read_reply("xml", f"Now.\n{write(chr(10) + 'ab' + chr(10) + 'cd' + chr(10))}", cut=1).grown
    call = [grew for grew in grown if grew.kind == "call"]
    assert {(grew.tool, grew.part, grew.call_id) for grew in call} == {("write_to_file", 1, "call_t_1")}
    assert "".join(grew.text for grew in call) == '{"path": "a.py", "content": "ab\\ncd"}'
    texts = [grew.text for grew in call]
    assert texts.index("a") < texts.index("\\nc") < len(texts) - 2


@pytest.mark.parametrize(
    "text",
    ["<a_b>\n" * 60_000, "<a>\n" * 60_000 + "</a>", "<write_to_file><content>a</content>x" + "<path>" * 60_000],
    ids=["never ended", "ended once", "within a value"],
)
def test_many_tags_are_read_in_no_more_than_a_moment(text: str) -> None:
    begun = process_time()
    with suppress(Unreadable):
        read(text)
    assert process_time() - begun < 4
