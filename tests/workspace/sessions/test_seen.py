"""Both stores of snapshots keep one contract; that of a session outlasts its worker, and is nobody else's."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.db import connections

from agents.edits.hashline.store import MemorySnapshots, Room
from agents.ports import Snapshots
from workspace.sessions.models import KeptSnapshot, Session
from workspace.sessions.seen import DatabaseSnapshots

VECTORS: list[dict[str, Any]] = json.loads((Path(__file__).parents[2] / "cases" / "hashline-cases.json").read_text())["tag_vectors"]
Opens = Callable[[Room], Snapshots]


@pytest.fixture(params=["memory", "database"])
def opens(request: pytest.FixtureRequest) -> Opens:
    if request.param == "memory":
        return MemorySnapshots
    session: Session = request.getfixturevalue("session")
    return lambda room: DatabaseSnapshots(session.pk, room)


def texts(store: Snapshots, path: str) -> list[str]:
    return [one.text for one in store.versions(path)]


def test_a_text_is_found_again_under_its_path_and_tag(opens: Opens) -> None:
    store = opens(Room())
    kept = store.record("src/a.py", "one\n")
    assert [kept] == list(store.versions("src/a.py"))
    assert (kept.path, kept.text) == ("src/a.py", "one\n")
    assert store.versions("src/b.py") == ()


def test_tags_are_those_of_the_vectors(opens: Opens) -> None:
    store = opens(Room(paths=100))
    for number, vector in enumerate(VECTORS):
        assert store.record(f"f{number}", vector["text"]).tag == vector["tag"]


def test_line_ends_and_the_byte_order_mark_are_not_kept(opens: Opens) -> None:
    store = opens(Room())
    assert store.record("a", "\ufeffone\r\ntwo\rthree\n").text == "one\ntwo\nthree\n"


def test_the_newest_version_comes_first(opens: Opens) -> None:
    store = opens(Room())
    for text in ("1", "2", "3"):
        store.record("a", text)
    assert texts(store, "a") == ["3", "2", "1"]


def test_a_text_that_is_there_moves_to_the_front(opens: Opens) -> None:
    store = opens(Room())
    for text in ("1", "2", "1"):
        store.record("a", text)
    assert texts(store, "a") == ["1", "2"]


def test_two_texts_with_one_tag_are_two_versions(opens: Opens) -> None:
    store = opens(Room())
    assert store.record("a", "collision-389\n").tag == store.record("a", "collision-445\n").tag
    assert texts(store, "a") == ["collision-445\n", "collision-389\n"]


def test_texts_that_differ_in_trailing_blanks_only_are_two_versions(opens: Opens) -> None:
    store = opens(Room())
    assert store.record("a", "x").tag == store.record("a", "x ").tag
    assert texts(store, "a") == ["x ", "x"]


def test_of_a_path_the_oldest_version_goes_first(opens: Opens) -> None:
    store = opens(Room(versions=2))
    for text in ("1", "2", "3"):
        store.record("a", text)
    assert texts(store, "a") == ["3", "2"]


def test_the_path_that_was_not_used_for_longest_goes_first(opens: Opens) -> None:
    store = opens(Room(paths=2))
    for path in ("a", "b"):
        store.record(path, "x")
    store.versions("a")
    store.record("c", "x")
    assert [texts(store, path) for path in ("a", "b", "c")] == [["x"], [], ["x"]]


def test_looking_keeps_the_order_of_versions(opens: Opens) -> None:
    store = opens(Room())
    for path, text in (("a", "1"), ("a", "2"), ("b", "1")):
        store.record(path, text)
    assert texts(store, "a") == texts(store, "a") == ["2", "1"]
    store.record("a", "3")
    assert texts(store, "a") == ["3", "2", "1"]


def test_what_is_too_much_in_all_goes_path_by_path(opens: Opens) -> None:
    store = opens(Room(characters=10))
    store.record("a", "aaa")
    store.record("a", "aa")
    store.record("b", "bbb")
    store.record("c", "cccc")
    assert [texts(store, path) for path in ("a", "b", "c")] == [[], ["bbb"], ["cccc"]]


def test_one_path_is_always_kept(opens: Opens) -> None:
    store = opens(Room(characters=2))
    store.record("a", "aaaa")
    assert texts(store, "a") == ["aaaa"]


def test_size_is_counted_in_characters(opens: Opens) -> None:
    store = opens(Room(characters=4))
    store.record("a", "äö")
    store.record("b", "üß")
    assert texts(store, "a") == ["äö"]


@pytest.mark.parametrize("text", ["", "\n", "\0\x1b", "😀\u2028", "\udc80", "x" * 300_000])
def test_any_text_comes_back_as_it_was(opens: Opens, text: str) -> None:
    store = opens(Room())
    store.record("a", text)
    assert texts(store, "a") == [text]


@pytest.mark.parametrize("path", ["ä ö.txt", "odd\udcff.txt", "x/" * 2000 + "y", "a#B1C2", "%"])
def test_any_path_can_be_seen(opens: Opens, path: str) -> None:
    store = opens(Room())
    store.record(path, "x")
    store.record(path[:-1], "y")
    assert [(one.path, one.text) for one in store.versions(path)] == [(path, "x")]


@pytest.mark.parametrize("value", [[1, {"a": "ä"}], "text", {}, [], 0, False])
def test_a_note_is_found_until_it_is_taken_away(opens: Opens, value: object) -> None:
    store = opens(Room())
    store.note("key", "older")
    store.note("key", value)
    store.note("other", 1)
    assert store.noted("key") == value
    store.note("key", None)
    store.note("key", None)
    assert store.noted("key") is None
    assert store.noted("other") == 1


def test_another_worker_finds_what_the_first_one_saw(session: Session) -> None:
    DatabaseSnapshots(session.pk).record("a", "one\n")
    DatabaseSnapshots(session.pk).note("key", 1)
    assert texts(DatabaseSnapshots(session.pk), "a") == ["one\n"]
    assert DatabaseSnapshots(session.pk).noted("key") == 1


def test_sessions_know_nothing_of_each_other(session: Session) -> None:
    other = Session.objects.create(project=session.project, created_by=session.created_by)
    below = Session.objects.create(project=session.project, created_by=session.created_by, parent=session, root=session)
    mine = DatabaseSnapshots(session.pk, Room(paths=1))
    mine.record("a", "one")
    mine.note("key", 1)
    for one in (other, below):
        theirs = DatabaseSnapshots(one.pk, Room(paths=1))
        assert theirs.versions("a") == ()
        assert theirs.noted("key") is None
        theirs.record("b", "two")
        theirs.note("key", None)
    assert texts(mine, "a") == ["one"]
    assert mine.noted("key") == 1


@pytest.mark.django_db(transaction=True)
def test_two_workers_may_record_at_once(session: Session) -> None:
    room = Room(paths=5)

    def work(worker: int) -> None:
        store = DatabaseSnapshots(session.pk, room)
        try:
            for number in range(12):
                store.record("same", f"text {number}")
                store.record(f"w{worker}-{number}", "x")
                store.versions("same")
                store.note("key", worker)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    store = DatabaseSnapshots(session.pk, room)
    store.record("same", "last")
    assert texts(store, "same")[0] == "last"
    assert len(texts(store, "same")) <= room.versions
    assert KeptSnapshot.objects.filter(session=session).values("path").distinct().count() <= room.paths
    assert store.noted("key") in range(4)
