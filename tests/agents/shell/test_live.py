from __future__ import annotations

import pytest

from agents.shell.live import LONGEST_LINE, LiveText

KEY = "-----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKCAQEAx\nabcd==\n-----END PRIVATE KEY-----\n"


def shown(*pieces: bytes) -> list[str]:
    texts: list[str] = []
    live = LiveText(texts.append)
    for piece in pieces:
        live.feed(piece)
    live.close()
    return texts


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7])
def test_characters_cut_in_two_are_put_together(size: int) -> None:
    text = "naïve — 名前 🎉\nend"
    data = text.encode()
    assert "".join(shown(*(data[at : at + size] for at in range(0, len(data), size)))) == text


def test_what_is_no_text_is_shown_as_such() -> None:
    assert "".join(shown(b"a\xff", b"b\xe2\x82")) == "a\ufffdb\ufffd"


def test_lines_are_shown_when_they_are_whole() -> None:
    texts: list[str] = []
    live = LiveText(texts.append)
    live.feed(b"one\ntw")
    assert texts == ["one\n"]
    live.feed(b"o\n")
    assert texts == ["one\n", "two\n"]
    live.close()
    assert texts == ["one\n", "two\n"]


@pytest.mark.parametrize("cut", range(1, 30, 4))
def test_a_secret_cut_in_two_is_taken_out(cut: int) -> None:
    data = b"id AKIAABCDEFGHIJKLMNOP end\n"
    assert "".join(shown(data[:cut], data[cut:])) == "id AKIA**************** end\n"


@pytest.mark.parametrize("size", [1, 10, 1000])
def test_a_private_key_is_taken_out_however_it_comes(size: int) -> None:
    data = f"before\n{KEY}after\n".encode()
    text = "".join(shown(*(data[at : at + size] for at in range(0, len(data), size))))
    assert text == "before\n[redacted]\nafter\n"


def test_mentioning_a_private_key_hides_nothing() -> None:
    text = 'if "-----BEGIN PRIVATE KEY-----" in text:\n    return\n-----BEGIN PRIVATE KEY-----\n(no key)\nafter\n'
    assert "".join(shown(text.encode())).endswith("(no key)\nafter\n")
    assert "return" in "".join(shown(text.encode()))


def test_a_line_without_end_is_shown_in_time_and_keeps_its_secrets() -> None:
    texts: list[str] = []
    live = LiveText(texts.append)
    for _ in range(40):
        live.feed(b"x" * 1000 + b" AKIAABCDEFGHIJKLMNOP ")
    assert len("".join(texts)) > 3 * LONGEST_LINE
    live.close()
    assert "".join(texts).count("AKIA****************") == 40
    assert "ABCDEFGH" not in "".join(texts)
    assert live.redactions == 40
