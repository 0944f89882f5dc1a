"""Replies in JSON: what is read, and what is refused with which reason."""

from __future__ import annotations

import json

import pytest

from tests.agents.protocols.reading import read as read_reply
from tests.agents.protocols.reading import refused as refused_reply

WRITE = '{"actions": [{"tool": "write_to_file", "args": {"path": "a.py", "content": "FILE_CONTENT_#1"}}], "stop_reason": "continue"}'
ONE, TWO = "---(FILE_CONTENT_#1)---", "---(FILE_CONTENT_#2)---"


def read(text: str) -> list[tuple[str, dict[str, object]]]:
    return read_reply("json", text).calls


def refused(text: str, whole: bool = True) -> str:
    return refused_reply("json", text, whole)


def content(text: str) -> object:
    return read(text)[0][1]["content"]


def test_all_actions_of_a_reply_are_called_in_their_order() -> None:
    reply = read_reply(
        "json",
        '{"thought_summary": "Look\\nfirst.", "plan": ["read", "write"], "actions": [{"tool": "read_file", "args": {"path": "a"}}, '
        '{"tool": "todo_read"}], "stop_reason": "continue", "result_message": "So far."}',
    )
    assert reply.calls == [("read_file", {"path": "a"}), ("todo_read", {})]
    assert reply.words == ["Look\nfirst.", "- read\n- write", "So far."]
    assert reply.stop_reason == "continue"


@pytest.mark.parametrize("reason", ["done", "fail"])
def test_a_reply_without_actions_says_how_the_task_stands(reason: str) -> None:
    reply = read_reply("json", json.dumps({"actions": [], "stop_reason": reason, "result_message": "There."}))
    assert (reply.words, reply.calls, reply.stop_reason) == (["There."], [], reason)


def test_words_without_an_object_are_an_answer() -> None:
    reply = read_reply("json", 'Dicts look like {"a": 1}, sets like {1}.\n\n```\n{}\n```\n')
    assert reply.words == ['Dicts look like {"a": 1}, sets like {1}.\n\n```\n{}\n```']
    assert reply.stop_reason == ""


def test_words_around_the_object_are_kept() -> None:
    reply = read_reply("json", 'I look {first}.\n\n{"actions": [{"tool": "todo_read"}]}\n\nThat is all.')
    assert reply.words == ["I look {first}.", "That is all."]
    assert (reply.calls, reply.stop_reason) == ([("todo_read", {})], "continue")


@pytest.mark.parametrize("before", ["", "Sure:\n\n", "```\nold\n```\n\n"])
def test_a_fence_around_the_object_is_none_of_its_words(before: str) -> None:
    reply = read_reply("json", before + '```json\n{"actions": [{"tool": "todo_read"}]}\n```\n')
    assert reply.words == ([before.strip()] if before else [])
    assert reply.calls == [("todo_read", {})]


def test_comments_commas_and_line_breaks_in_strings_are_taken_as_they_are_meant() -> None:
    text = """{ // the reply
      "actions": [ /* one
        */ {"tool": "write_to_file", "args": {"path": "http://x", "content": "a
\tb // c",},},
      ], // done
      "stop_reason": "continue",
    }"""
    assert read(text) == [("write_to_file", {"path": "http://x", "content": "a\n\tb // c"})]


def test_arguments_before_the_tool_are_its_arguments() -> None:
    assert read('{"actions": [{"args": {"path": "a"}, "tool": "read_file"}]}') == [("read_file", {"path": "a"})]


def test_tools_nobody_knows_are_called_too_for_the_engine_answers_that() -> None:
    assert read('{"actions": [{"tool": "dance", "args": {}}]}') == [("dance", {})]


@pytest.mark.parametrize(
    ("sections", "body"),
    [
        (f"{ONE}\n  def f():\n    pass\n{ONE}", "  def f():\n    pass"),
        (f"{ONE}\n  def f():\n    pass\n\n{ONE}\n", "  def f():\n    pass\n"),
        (f"{ONE}\nto the end", "to the end"),
        (f"{ONE}\nto the end\n", "to the end\n"),
        (f"{ONE}\n\n\nblank\n{ONE}", "\n\nblank"),
        (f"{ONE}  \n---(FILE\n--\n---(FILE_CONTENT_#x)---\n -{ONE}\n{ONE} ", f"---(FILE\n--\n---(FILE_CONTENT_#x)---\n -{ONE}"),
        (f'{ONE}\n{{"actions": []}}\n```\n{ONE}', '{"actions": []}\n```'),
        (f'{ONE}\n\\n "as it is" </x>\r\n{ONE}', '\\n "as it is" </x>\r'),
        (f"{ONE}\nsame\n{ONE}\n\n{ONE}\nsame\n{ONE}", "same"),
    ],
)
def test_a_section_holds_its_content_as_it_stands(sections: str, body: str) -> None:
    assert content(f"{WRITE}\n{sections}") == body
    assert content(f"{WRITE}{sections.replace(ONE, chr(10) + ONE, 1)}") == body


def test_the_next_marker_closes_a_section_too() -> None:
    both = json.dumps({"actions": [{"tool": "tune", "args": {"b": ["FILE_CONTENT_#2"], "a": {"x": "FILE_CONTENT_#1"}}}]})
    assert read(f"{both}\n{ONE}\none\n{TWO}\ntwo\n{TWO}") == [("tune", {"b": ["two"], "a": {"x": "one"}})]


def test_two_actions_may_have_the_same_content() -> None:
    two = json.dumps({"actions": [{"tool": "write_to_file", "args": {"path": path, "content": "FILE_CONTENT_#1"}} for path in "ab"]})
    assert [args["content"] for _, args in read(f"{two}\n{ONE}\nsame\n{ONE}")] == ["same", "same"]


def test_a_section_that_is_named_again_and_again_is_refused_before_it_fills_the_memory() -> None:
    many = json.dumps({"actions": [{"tool": "write_to_file", "args": {"path": "a", "content": ["FILE_CONTENT_#1"] * 100}}] * 100})
    assert "named 10000 times" in refused(f"{many}\n{ONE}\n" + "x\n" * 50_000)


def test_a_name_with_an_escape_in_it_is_text() -> None:
    assert read(WRITE.replace("#1", "\\u00231")) == [("write_to_file", {"path": "a.py", "content": "FILE_CONTENT_#1"})]


@pytest.mark.parametrize(
    ("sections", "reason"),
    [
        ("", "is missing"),
        (f"{TWO}\nx\n{TWO}", "No action names the section ---(FILE_CONTENT_#2)---"),
        (f"{ONE}\nx\n{TWO}\ny", "No action names the section ---(FILE_CONTENT_#2)---"),
        (f"{ONE}\n{ONE}", "is empty"),
        (f"{ONE}\n\n{ONE}", "is empty"),
        (ONE, "is empty"),
        (f"{ONE}\nx\n{ONE}\n{ONE}\ny\n{ONE}", "is there twice"),
        (f"{ONE}\nx\n{ONE}\ny\n{ONE}\n", "is there twice"),
        (f"{ONE}\nx\n{ONE}\nand the rest", "text behind a section"),
        ("—(FILE_CONTENT_#1)—\nx", "is missing"),
    ],
)
def test_a_section_that_is_not_there_once_and_whole_is_refused(sections: str, reason: str) -> None:
    assert reason in refused(f"{WRITE}\n{sections}")


def test_a_section_without_an_object_is_refused() -> None:
    assert "no JSON object" in refused(f"Here:\n{ONE}\nx\n{ONE}")


def test_a_fence_that_may_be_the_contents_own_is_refused() -> None:
    assert "close the section" in refused(f"```json\n{WRITE}\n{ONE}\nx\n```")
    assert content(f"```json\n{WRITE}\n```\n{ONE}\nx\n```") == "x\n```"
    assert content(f"```json\n{WRITE}\n{ONE}\nx\n{ONE}\n```") == "x"


@pytest.mark.parametrize("cut", range(1, len(f"{WRITE}\n{ONE}\nfirst\nsecond")))
def test_a_reply_that_was_cut_off_never_writes_half_a_file(cut: int) -> None:
    whole = f"{WRITE}\n{ONE}\nfirst\nsecond"
    reason = refused(whole[:cut], whole=False)
    assert "cut off" in reason or "is missing" in reason


def test_a_cut_behind_the_last_marker_takes_nothing_away() -> None:
    assert read_reply("json", f"{WRITE}\n{ONE}\nx\n{ONE}\n", whole=False).calls[0][1]["content"] == "x"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{'actions': []}", "double quotes"),
        ('{"actions": [}', "not valid"),
        ('{"actions": []', "not valid"),
        ('{"actions": [] "stop_reason": "done"}', "not valid"),
        ('{"actions": [], "stop_reason": d one}', "not valid"),
        (r'{"actions": [{"tool": "x", "args": {"regex": "\d"}}]}', "backslash"),
        ('{"actions": [{"tool": "x", "args": {"a": 1, "a": 2}}]}', '"a" is given twice'),
        ('{"actions": [{"tool": "x", "args": {"a": NaN}}]}', "NaN"),
        ('{"tool": "read_file", "args": {"path": "a"}}', "An action stands alone"),
        ('[{"tool": "read_file", "args": {"path": "a"}}]', "An action stands alone"),
        ('{"actions": {"tool": "x"}}', "must be a list"),
        ('{"actions": ["x"]}', "must be an object"),
        ('{"actions": [{"args": {}}]}', "must name its tool"),
        ('{"actions": [{"tool": 3, "args": {}}]}', "must name its tool"),
        ('{"actions": [{"tool": "x", "args": "y"}]}', '"args" of action 1 (x)'),
        ('{"actions": [{"tool": "x", "arguments": {}}]}', 'has no "args"'),
        ('{"actions": []}', 'no "stop_reason"'),
        ("{}", 'no "stop_reason"'),
        ('{"actions": [], "plan": ["go on"], "stop_reason": "continue"}', "at least one action"),
        ('{"actions": [], "stop_reason": "perhaps"}', "must be one of"),
        ('{"actions": [], "stop_reason": ["done"]}', "must be one of"),
        ('{"stop_reason": "done", "result_message": 3}', "must be text"),
        ('{"stop_reason": "done", "plan": [3]}', "list of texts"),
        ('{"stop_reason": "done"} {"actions": [{"tool": "x"}]}', "more than one JSON object"),
        ('{"actions": ' + "[" * 5000 + "]" * 5000 + "}", "cannot be read"),
    ],
)
def test_what_is_not_in_the_form_is_refused(text: str, reason: str) -> None:
    assert reason in refused(text)


def test_a_call_is_shown_as_soon_as_it_has_begun_and_grows_with_its_section() -> None:
    seen: list[str] = []
    for grew in read_reply("json", f"{WRITE}\n{ONE}\nab\ncd\n{ONE}", cut=1).grown:
        seen.append(grew.text)
        assert (grew.kind, grew.tool, grew.part) == ("call", "write_to_file", 0)
    assert seen[0] == ""
    assert "".join(seen) == '{"path":"a.py","content":"ab\\ncd"}'
    assert seen.index("a") < seen.index("c") < len(seen) - 2


def test_halves_of_characters_come_together() -> None:
    text = '{"stop_reason": "done", "result_message": "\\ud83d\\ude00 \ud83d\ude00 \\ud83d"}'
    for cut in (0, 1, 2, 3, 5):
        assert "".join(read_reply("json", text, cut=cut).words) == "😀 😀 �"
