"""Messages to and from a language server, however they are cut up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.code.wire import MOST_HEADER, MOST_MESSAGE, Unpacking, packed


@given(st.lists(st.dictionaries(st.text(), st.text() | st.integers()), max_size=5), st.integers(1, 50))
def test_whole_messages_come_out_however_the_bytes_are_cut(messages: list[dict[str, str | int]], step: int) -> None:
    data, unpacking = b"".join(map(packed, messages)), Unpacking()
    got = [message for start in range(0, len(data), step) for message in unpacking.fed(data[start : start + step])]
    assert got == [{"jsonrpc": "2.0", **message} for message in messages]


def test_other_headers_and_small_letters_are_understood() -> None:
    assert list(Unpacking().fed(b"Content-Type: x; charset=utf-8\r\ncontent-length: 2\r\n\r\n{}")) == [{}]


def test_half_a_character_of_a_name_with_an_emoji_can_be_sent() -> None:
    assert b"?" in packed({"method": "\ud83d"})


@pytest.mark.parametrize(
    "data",
    [
        b"Hello!\r\n\r\n",
        b"Content-Length: many\r\n\r\n",
        b"Content-Length: %d\r\n\r\n" % (MOST_MESSAGE + 1),
        b"x" * (MOST_HEADER + 1),
        b"Content-Length: 2\r\n\r\n[]",
        b"Content-Length: 1\r\n\r\n{",
    ],
)
def test_what_is_no_message_is_told(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        list(Unpacking().fed(data))
