from __future__ import annotations

import base64
import json
from urllib.parse import quote

import pytest

from agents.shell.known import Known
from agents.shell.live import LiveText
from agents.shell.secrets import redact, redact_around

SECRET = 'p"ä ss/wo\\rd'


def test_a_value_is_found_as_it_is_and_in_the_forms_programs_give_it() -> None:
    known = Known([SECRET])
    code = base64.b64encode(f"{SECRET}\n".encode()).decode()
    for form in (SECRET, json.dumps(SECRET)[1:-1], json.dumps(SECRET, ensure_ascii=False)[1:-1], quote(SECRET), quote(SECRET, safe="")):
        assert redact(f"<{form}>", known) == ("<[redacted]>", 1)
    assert redact(code, known)[1] == 1


def test_each_line_of_a_value_is_found_alone() -> None:
    known = Known(["first line\nsecond line\n"])
    assert redact("a second line b first line", known) == ("a [redacted] b [redacted]", 2)
    assert redact("first line\r\nsecond line\r\n", known)[0] == "[redacted]\r\n[redacted]\r\n"


def test_what_is_too_short_to_be_told_from_other_text_stays() -> None:
    assert redact("a=1", Known(["1", ""])) == ("a=1", 0)


@pytest.mark.parametrize(("text", "begun"), [("say hun", 3), ("hunter tw", 9), ("hunter two", 0), ("", 0), ("x", 0), ("hh", 1)])
def test_the_beginning_of_a_value_is_noticed(text: str, begun: int) -> None:
    assert Known(["hunter two"]).begun(text) == begun


def test_live_text_takes_known_values_out() -> None:
    texts: list[str] = []
    live = LiveText(texts.append, Known(["hunter two"]))
    for piece in (b"say hun", b"ter two\n", b"and hunter", b" two"):
        live.feed(piece)
    live.close()
    assert "".join(texts) == "say [redacted]\nand [redacted]"


def test_marks_move_with_the_text_and_never_stand_within_what_was_put_in() -> None:
    clean, marks, found = redact_around("a hunter two b", [3, 2, 5, 12, 14], Known(["hunter two"]))
    assert (clean, found) == ("a [redacted] b", 1)
    assert marks == [2, 2, 12, 12, 14]
