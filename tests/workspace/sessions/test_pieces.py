"""The small pieces that the socket and the worker are made of."""

from __future__ import annotations

import asyncio
from concurrent.futures import CancelledError, ThreadPoolExecutor
from threading import Event

import pytest

from workspace.sessions.finding import snippet
from workspace.sessions.loop import WorkerLoop
from workspace.sessions.notes import PILE, NotePile
from workspace.sessions.presence import EXPIRY, Presence
from workspace.sessions.protocol import Person

ALICE, BOB = Person(id="a", name="Alice"), Person(id="b", name="Bob")


def grew(at: int, text: str, part: int = 0) -> dict[str, object]:
    return {"type": "text.grew", "reply_id": "r", "part": part, "at": at, "text": text}


def test_growth_that_adjoins_is_one_note() -> None:
    pile = NotePile()
    pile.add([grew(0, "ab"), grew(2, "cd")])
    pile.add([grew(4, "e"), grew(9, "gap"), grew(12, "other", part=1)])
    assert pile.take() == [grew(0, "abcde"), grew(9, "gap"), grew(12, "other", part=1)]
    assert pile.take() == []


def test_what_cannot_be_sent_is_dropped_not_piled_up() -> None:
    pile = NotePile()
    pile.add([grew(0, "x" * PILE), grew(PILE, "y")])
    assert pile.take() == [grew(0, "x" * PILE)]
    pile.add([grew(0, "z")])
    assert pile.take() == [grew(0, "z")]


def test_the_room_names_everybody_once() -> None:
    room, other, again = Presence(ALICE, "1"), Presence(BOB, "2"), Presence(BOB, "3")
    assert room.heard(other.hello())
    assert not room.heard(again.hello())
    assert list(room.people) == [ALICE, BOB]
    assert not room.heard(other.bye())
    assert room.heard(again.bye())
    assert list(room.people) == [ALICE]
    assert not room.heard(room.here())


def test_who_falls_silent_is_forgotten() -> None:
    now = 1000.0
    room = Presence(ALICE, "1", clock=lambda: now)
    room.heard(Presence(BOB, "2").here())
    assert not room.forget_silent()
    now += EXPIRY
    assert room.forget_silent()
    assert room.people == (ALICE,)
    assert room.beat_is_due


def test_a_snippet_shows_what_was_found() -> None:
    text = "word " * 100 + "the Needle\nin it " + "word " * 100
    assert "the Needle in it" in snippet(text, "needle")
    assert (snippet(text, "needle")[:2], snippet(text, "needle")[-2:]) == ("… ", " …")
    assert snippet("short", "short") == "short"


@pytest.fixture
def loop() -> WorkerLoop:
    return WorkerLoop()


async def double(number: int) -> int:
    await asyncio.sleep(0)
    return 2 * number


def test_work_of_many_threads_shares_one_loop(loop: WorkerLoop) -> None:
    async def own_loop() -> int:
        return id(asyncio.get_running_loop())

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda number: loop.run(double(number)), range(8))) == list(range(0, 16, 2))
        assert len(set(threads.map(lambda _: loop.run(own_loop()), range(8)))) == 1
    loop.close()


def test_closing_cancels_what_runs_and_lets_it_clean_up(loop: WorkerLoop) -> None:
    begun, cleaned = Event(), Event()

    async def hang() -> None:
        try:
            begun.set()
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            cleaned.set()

    with ThreadPoolExecutor(1) as threads:
        work = threads.submit(loop.run, hang())
        assert begun.wait(5)
        loop.close()
        with pytest.raises(CancelledError):
            work.result(5)
    assert cleaned.is_set()


def test_a_closed_loop_begins_nothing(loop: WorkerLoop) -> None:
    loop.close()
    assert not loop.started
    with pytest.raises(CancelledError):
        loop.run(double(1))
