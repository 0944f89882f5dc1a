"""What people see of a scan that goes on."""

from __future__ import annotations

import time

from agents.tools.atomic.glimpses import EVERY, MOST_LINES, Glimpses


def test_lines_are_shown_together_when_it_is_time() -> None:
    shown: list[str] = []
    glimpses = Glimpses(shown.append)
    glimpses.add("a")
    glimpses.look()
    glimpses.add("b")
    assert shown == []
    deadline = time.monotonic() + 10
    while not shown and time.monotonic() < deadline:
        glimpses.look()
    assert shown == ["a\nb\n"]
    assert time.monotonic() >= deadline - 10 + EVERY


def test_no_more_than_so_many_are_shown() -> None:
    shown: list[str] = []
    glimpses = Glimpses(shown.append)
    for number in range(MOST_LINES + 50):
        glimpses.add(str(number))
    deadline = time.monotonic() + 10
    while not shown and time.monotonic() < deadline:
        glimpses.look()
    assert len("".join(shown).splitlines()) == MOST_LINES


def test_neither_secrets_nor_half_characters_are_shown() -> None:
    shown: list[str] = []
    glimpses = Glimpses(shown.append)
    glimpses.add("key = AKIA" + "Z7Q2" * 4 + " \udce4")
    deadline = time.monotonic() + 10
    while not shown and time.monotonic() < deadline:
        glimpses.look()
    assert "Z7Q2" not in shown[0]
    assert shown[0].encode()
