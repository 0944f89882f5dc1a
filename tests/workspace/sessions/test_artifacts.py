from __future__ import annotations

import pytest
from asgiref.sync import async_to_sync

from agents.errors import ToolError
from workspace.sessions import artifacts
from workspace.sessions.artifacts import CUT, LARGEST, DatabaseArtifacts
from workspace.sessions.models import KeptArtifact, Session

pytestmark = pytest.mark.django_db(transaction=True)


def keep(session: Session, name: str, data: bytes, media_type: str = "text/plain; charset=utf-8") -> int:
    return async_to_sync(DatabaseArtifacts(session).keep)(name, data, media_type).number


def test_what_is_kept_can_be_read_again(session: Session) -> None:
    keep(session, "a.txt", "näme\n".encode())
    found = async_to_sync(DatabaseArtifacts(session).read)(1)
    assert found is not None
    assert (found[0].name, found[0].url, found[0].size, found[1].decode()) == ("a.txt", "artifact://1", 6, "näme\n")
    assert async_to_sync(DatabaseArtifacts(session).read)(2) is None


def test_every_database_takes_its_name(session: Session) -> None:
    keep(session, "a\0\udc80.txt", b"x")
    assert [one.name for one in artifacts.listed(session.pk)] == ["a\ufffd\ufffd.txt"]


def test_a_tree_of_sessions_shares_one_numbering(session: Session) -> None:
    child = Session.objects.create(project=session.project, parent=session, root=session)
    assert [keep(session, "a", b"1"), keep(child, "b", b"2"), keep(session, "c", b"3")] == [1, 2, 3]
    assert [one.name for one in async_to_sync(DatabaseArtifacts(child).all)()] == ["a", "b", "c"]


def test_another_session_has_its_own(session: Session) -> None:
    other = Session.objects.create(project=session.project)
    assert [keep(session, "a", b"1"), keep(other, "b", b"2")] == [1, 1]


def test_text_is_kept_without_secrets_and_anything_else_as_it_is(session: Session) -> None:
    keep(session, "a", b"key AKIAABCDEFGHIJKLMNOP end")
    keep(session, "b", b"\x89PNG AKIAABCDEFGHIJKLMNOP", "image/png")
    assert [artifacts.read(session.pk, number) for number in (1, 2)] == [
        (async_to_sync(DatabaseArtifacts(session).all)()[0], b"key AKIA**************** end"),
        (async_to_sync(DatabaseArtifacts(session).all)()[1], b"\x89PNG AKIAABCDEFGHIJKLMNOP"),
    ]


def test_a_text_that_is_too_long_is_cut_and_a_picture_refused(session: Session) -> None:
    keep(session, "long", "ä".encode() * LARGEST)
    found = artifacts.read(session.pk, 1)
    assert found is not None
    assert LARGEST - 4 < len(found[1]) <= LARGEST
    assert found[1].decode().endswith(f"ä{CUT}")
    with pytest.raises(ToolError, match="an artifact holds"):
        keep(session, "huge.png", b"\0" * (LARGEST + 1), "image/png")


def test_the_oldest_make_room_and_numbers_go_on(session: Session) -> None:
    for number in range(10):
        keep(session, f"picture {number}", bytes(LARGEST), "image/png")
    assert [one.number for one in artifacts.listed(session.pk)] == list(range(3, 11))
    assert KeptArtifact.objects.filter(session=session).count() == 8


def test_a_name_may_be_anything(session: Session) -> None:
    keep(session, "x" * 500, b"")
    assert artifacts.listed(session.pk)[0].name == "x" * 200
