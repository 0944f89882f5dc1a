"""The log: gapless, whole, in step with everything folded from it."""

from __future__ import annotations

import json
from threading import Thread

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection
from pytest_django import DjangoCaptureOnCommitCallbacks

from agents import events as e
from agents.errors import UnknownFact
from tests.workspace.sessions.conftest import holds
from tests.workspace.sessions.fold_cases import LOGS
from workspace.accounts.models import User
from workspace.sessions import log
from workspace.sessions.models import LoggedFact, Session
from workspace.sessions.state import SessionState

HELLO = e.UserSpoke(message_id="message-1", text="Hello")


@pytest.mark.parametrize("name", LOGS)
def test_every_fact_is_folded_into_the_row_and_the_tables(session: Session, alice: User, name: str) -> None:
    before = session.view
    for fact in LOGS[name]:
        log.append(session.pk, [fact], by=alice)
    holds(session, before)


def test_facts_of_one_append_stand_side_by_side(session: Session, alice: User) -> None:
    entries = log.append(session.pk, [HELLO, e.CommentAdded(comment_id="c", text="Hi")], by=alice, run="run-1")
    assert [entry.seq for entry in entries] == [2, 3]
    assert {(entry.by, entry.run_id) for entry in entries} == {(alice.public_id, "run-1")}
    assert log.read(session.pk, since=1) == entries
    assert log.read(session.pk, since=1, limit=1) == entries[:1]


def test_nothing_to_say_changes_nothing(session: Session) -> None:
    assert log.append(session.pk, []) == []
    holds(session, session.view)


def test_what_also_has_to_happen_happens_or_nothing_was_said(session: Session) -> None:
    def fails() -> None:
        raise RuntimeError("the run is not ours")

    with pytest.raises(RuntimeError):
        log.append(session.pk, [HELLO], also=fails)
    holds(session, session.view)
    assert session.head == 1


def test_the_doorbell_rings_once_after_the_commit(
    session: Session, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    rung: list[tuple[str, int]] = []
    with django_capture_on_commit_callbacks(execute=True):
        log.append(session.pk, [HELLO, e.CommentAdded(comment_id="c", text="Hi")], ring=lambda *what: rung.append(what))
        assert rung == []
    assert rung == [(session.public_id, 3)]


def test_one_message_id_cannot_be_logged_twice(session: Session) -> None:
    log.append(session.pk, [HELLO])
    with pytest.raises(IntegrityError):
        log.append(session.pk, [HELLO])


def test_an_old_log_opens(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(e.UPCASTS, ("user.spoke", 0), lambda data: {"message_id": data["message_id"], "text": data["words"]})
    _store(session, "user.spoke", {"type": "user.spoke", "message_id": "m", "words": "Said long ago"}, version=0)
    entry = log.read(session.pk, since=1)[0]
    assert isinstance(entry.fact, e.UserSpoke)
    assert entry.fact.text == "Said long ago"


def test_what_an_older_version_folded_is_folded_anew(session: Session, alice: User, capsys: pytest.CaptureFixture[str]) -> None:
    for fact in LOGS["plan"]:
        log.append(session.pk, [fact], by=alice)
    Session.objects.filter(pk=session.pk).update(state='{"head": 1, "colour": "red"}', title="", status="odd")
    session.planrevisions.update(text="lost")
    other = Session.objects.create(project=session.project)
    LoggedFact.objects.create(session=other, seq=1, at=other.opened_at, type="moon.landed", version=1, data="{}")
    call_command("refold")
    holds(session, SessionState())
    said = capsys.readouterr()
    assert "1 of 2 sessions" in said.out
    assert "moon.landed" in said.err


def test_a_fact_from_the_future_is_named(session: Session) -> None:
    _store(session, "moon.landed", {"type": "moon.landed"})
    with pytest.raises(UnknownFact, match=r"moon\.landed"):
        log.read(session.pk)


def _store(session: Session, type: str, data: dict[str, object], version: int = 1) -> None:
    LoggedFact.objects.create(session=session, seq=2, at=session.opened_at, type=type, version=version, data=json.dumps(data))
    Session.objects.filter(pk=session.pk).update(head=2)


@pytest.mark.django_db(transaction=True)
def test_writers_at_the_same_time_leave_no_gap(session: Session) -> None:
    def write(who: int) -> None:
        for turn in range(10):
            log.append(session.pk, [e.CommentAdded(comment_id=f"{who}-{turn}", text="Hi"), e.CommentAdded(comment_id="x", text="Ho")])
        connection.close()

    writers = [Thread(target=write, args=(who,)) for who in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    holds(session, SessionState())
    assert session.head == 81
    pairs = [entry.fact for entry in log.read(session.pk, since=1)]
    assert all(isinstance(fact, e.CommentAdded) and fact.comment_id == "x" for fact in pairs[1::2])
