from __future__ import annotations

import time

import pytest

from agents.shell.screen import ROWS, plain


@pytest.mark.parametrize(
    ("drawn", "text"),
    [
        ("plain\ntext\n", "plain\ntext\n"),
        ("one\r\ntwo\r\n", "one\ntwo\n"),
        ("\x1b[1;31mred\x1b[0m and \x1b[38;5;12mblue\x1b[m", "red and blue"),
        ("\x1b]0;title\x07\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("10%\r20%\r100% done\n", "100% done\n"),
        ("long line\rshort\n", "shortline\n"),
        ("long line\r\x1b[Kshort\n", "short\n"),
        ("abc\b\bX\n", "aXc\n"),
        ("one\ntwo\n\x1b[2A\x1b[KONE\n\x1b[Btail", "ONE\ntwo\ntail"),
        ("a\x1b[5Cb", "a     b"),
        ("ab\x1b[1Gx", "xb"),
        ("abcdef\x1b[3D\x1b[2Px", "abcx"),
        ("abc\x1b[2D\x1b[1Kx", " xc"),
        ("gone\x1b[2J\x1b[Hnew", "new"),
        ("a\nb\nc\x1b[2A\x1b[J", "a"),
        ("bell\x07 and nul\0", "bell and nul"),
        ("\x1b[?25lhidden\x1b[?25h\x1b(B\x1b=", "hidden"),
        ("open \x1b[31", "open 31"),
        ("tab\there\x1b[0m", "tab\there"),
    ],
)
def test_what_was_drawn_is_told_as_text(drawn: str, text: str) -> None:
    assert plain(drawn) == text


def test_lines_above_the_screen_stay_as_they_are() -> None:
    lines = [f"line {number}" for number in range(100)]
    assert plain("\r\n".join(lines) + "\x1b[500A\rtop").splitlines()[:60] == lines[:60]
    assert f"top{lines[100 - ROWS][3:]}" in plain("\r\n".join(lines) + "\x1b[500A\rtop")


@pytest.mark.parametrize(
    "flood",
    [
        "\x1b[31mab\x1b[0m",
        "x\x1b[1m",
        "\x1b[1A\n",
        "\x1b[9999C",
        "\x1b[",
        "\x1b]",
        "a\x1b[D",
        "\x1b[40;900Hx\x1b[1;1H",
        "\x1b[99B",
        "\r",
        "\b",
    ],
)
def test_a_flood_takes_time_in_proportion(flood: str) -> None:
    def took(size: int) -> float:
        began = time.process_time()
        plain(flood * (size // len(flood)))
        return time.process_time() - began

    took(1000)
    assert took(500_000) < 40 * max(took(50_000), 0.02)
