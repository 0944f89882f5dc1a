"""The reply that is being streamed: what is shown and kept of it, however it comes."""

from __future__ import annotations

from pathlib import Path
from time import process_time

from agents import events as e
from agents.providers.provider import Grew
from agents.reply import Reply
from tests.agents.toys import toy_agent


def test_a_long_reply_in_small_pieces_costs_no_more_than_a_short_one(tmp_path: Path) -> None:
    reply, begun = Reply(0), process_time()
    reply.grow(Grew("text", 0, "x" * 5_000_000))
    for _ in range(20_000):
        note = reply.grow(Grew("text", 0, "y"))
    assert isinstance(note, e.TextGrew)
    assert note.at == 5_019_999
    assert process_time() - begun < 4
    assert reply.stopped(toy_agent(str(tmp_path), "- text: hi"), 1.0).parts == (e.Text(text="x" * 5_000_000 + "y" * 20_000),)


def test_what_is_kept_of_a_stopped_reply_are_its_words_in_their_order(tmp_path: Path) -> None:
    reply = Reply(0)
    for more in (
        Grew("reasoning", 0, "hm"),
        Grew("text", 2, "b"),
        Grew("text", 1, "a"),
        Grew("call", 3, "{", "c", "look"),
        Grew("text", 2, "c"),
    ):
        reply.grow(more)
    assert reply.stopped(toy_agent(str(tmp_path), "- text: hi"), 1.0).parts == (e.Text(text="a"), e.Text(text="bc"))
