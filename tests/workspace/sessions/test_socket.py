"""The socket: every fact once and in order, whatever happens to the bells; and nothing for whom it is not for."""

from __future__ import annotations

import asyncio

import pytest

from agents import events as e
from tests.workspace.sessions import worker
from tests.workspace.sessions.tab import Tab, add, in_db, remark
from workspace.accounts.models import Membership, User
from workspace.sessions import doorbell, log
from workspace.sessions import protocol as p
from workspace.sessions.actions import perform
from workspace.sessions.models import Run, Session

pytestmark = pytest.mark.django_db(transaction=True)


def silence(session_id: str, head: int) -> None:
    """A bell that nobody hears."""


# --- catching up and staying live --------------------------------------------------------------------------------------


async def test_a_tab_is_welcomed_caught_up_and_live(session: Session, bob: User) -> None:
    await add(session, 4)
    tab = await Tab.of(bob, session.public_id, since="2")
    await tab.frame("live")
    welcome, *_, live = tab.frames
    assert (welcome["type"], welcome["me"], welcome["head"]) == ("welcome", {"id": bob.public_id, "name": "Bob Boyd"}, 5)
    assert welcome["rights"] == ["view", "comment", "prompt", "stop", "manage_memories"]
    assert (tab.seqs, live["head"]) == ([3, 4, 5], 5)
    await add(session)
    await tab.entry(6)
    await tab.close()


async def test_what_is_pushed_is_what_the_log_says(session: Session, alice: User) -> None:
    tab = await Tab.of(alice, session.public_id, since="1")
    await tab.frame("live")
    (entry,) = await in_db(log.append, session.pk, [remark("naïve 🤔 \u2028")], by=alice, run="run-1")
    frame = await tab.frame("entries")
    assert p.Entries.model_validate(frame).entries == (p.WireEntry(**vars(entry)),)
    await tab.close()


async def test_many_entries_come_in_pages(session: Session, bob: User) -> None:
    await in_db(log.append, session.pk, [remark()] * 450)
    tab = await Tab.of(bob, session.public_id)
    await tab.frame("live")
    assert tab.seqs == list(range(1, 452))
    assert max(len(frame.get("entries", [])) for frame in tab.frames) == 200
    await tab.close()


async def test_nothing_is_missed_or_doubled_while_others_write(session: Session, bob: User) -> None:
    async def write() -> None:
        for _ in range(40):
            await add(session)

    writing = asyncio.create_task(write())
    tabs = [await Tab.of(bob, session.public_id) for _ in range(3)]
    await writing
    for tab in tabs:
        await tab.entry(41)
        assert tab.seqs == list(range(1, 42))
        await tab.close()


async def test_lost_bells_are_made_good_by_the_next(session: Session, bob: User) -> None:
    tab = await Tab.of(bob, session.public_id, since="1")
    await tab.frame("live")
    await add(session, 3, ring=silence)
    await add(session)
    await tab.entry(5)
    assert tab.seqs == [2, 3, 4, 5]
    await tab.close()


async def test_when_no_bell_rings_at_all_the_tick_reads_on(session: Session, bob: User) -> None:
    tab = await Tab.of(bob, session.public_id, since="1", tick=0.05)
    await tab.frame("live")
    await add(session, 2, ring=silence)
    await tab.entry(3)
    assert tab.seqs == [2, 3]
    await tab.close()


async def test_bells_that_ring_for_nothing_send_nothing(session: Session, bob: User) -> None:
    tab = await Tab.of(bob, session.public_id, since="1")
    await tab.frame("live")
    for _ in range(5):
        await in_db(doorbell.ring, session.public_id, 1)
    await add(session)
    await tab.entry(2)
    assert tab.seqs == [2]
    await tab.close()


@pytest.mark.parametrize("since", ["2", "99999999999999999999", "-1", "now"])
async def test_a_tab_that_is_ahead_of_the_log_must_load_anew(session: Session, bob: User, since: str) -> None:
    tab = await Tab.of(bob, session.public_id, since=since)
    assert (await tab.next(), tab.code) == ({}, 4409)
    await tab.close()


# --- notes and company -------------------------------------------------------------------------------------------------


async def test_notes_arrive_joined(session: Session, bob: User) -> None:
    tab = await Tab.of(bob, session.public_id, since="1")
    await tab.frame("live")
    grown = [e.TextGrew(reply_id="r", part=0, at=at, text="ab") for at in range(0, 20, 2)]
    for note in grown:
        await doorbell.show(session.public_id, [note])
    frames = [await tab.frame("notes")]
    while sum(len(note["text"]) for frame in frames for note in frame["notes"]) < 20:
        frames.append(await tab.frame("notes"))
    assert len(frames) < len(grown)
    assert "".join(note["text"] for frame in frames for note in frame["notes"]) == "ab" * 10
    assert {note["type"] for frame in frames for note in frame["notes"]} == {"text.grew"}
    await tab.close()


def names(frame: dict[str, object]) -> list[str]:
    return [person["name"] for person in frame["people"]]  # type: ignore[attr-defined]  # parsed JSON


async def test_people_see_who_comes_and_goes(session: Session, alice: User, bob: User) -> None:
    first = await Tab.of(alice, session.public_id)
    assert names(await first.frame("present")) == ["Alice Ames"]
    second, third = await Tab.of(bob, session.public_id), await Tab.of(bob, session.public_id)
    assert names(await first.frame("present")) == ["Alice Ames", "Bob Boyd"]
    await second.until(lambda frame: frame["type"] == "present" and len(frame["people"]) == 2)
    await third.close()
    await second.close()
    assert names(await first.frame("present")) == ["Alice Ames"]
    await first.close()


# --- commands ----------------------------------------------------------------------------------------------------------


async def test_a_command_is_done_and_everybody_hears_of_it(session: Session, alice: User, bob: User) -> None:
    here, there = await Tab.of(bob, session.public_id), await Tab.of(alice, session.public_id)
    done = await here.command(command="send_message", message_id="message-1", text="Go")
    assert (done["type"], done["head"]) == ("done", 2)
    for tab in (here, there):
        await tab.entry(3)
        await tab.close()


async def test_who_was_first_is_named_to_the_second(session: Session, alice: User, bob: User) -> None:
    await in_db(perform, session, alice, p.SendMessage(message_id="message-1", text="Go"))
    await in_db(worker.wait_on, session, worker.ASKED)
    await Membership.objects.filter(user=bob).aupdate(role="reviewer")
    allow = {"command": "decide_approval", "approval_id": "a-c1", "hash": worker.ASKED.hash, "verdict": "allow"}
    here, there = await Tab.of(bob, session.public_id), await Tab.of(alice, session.public_id)
    assert (await here.command(**allow))["type"] == "done"
    refused = await there.command(**allow)
    assert (refused["type"], refused["problem"]["kind"]) == ("refused", "conflict")
    assert refused["problem"]["by"] == {"id": bob.public_id, "name": "Bob Boyd"}
    await here.close()
    await there.close()


NO_COMMANDS = {
    "{": "",
    "[" * 100_000: "",
    "null": "",
    "x" * 1_000_001: "",
    '{"id": "7"}': "7",
    '{"id": "7", "command": {"command": "make_coffee"}}': "7",
    '{"id": "7", "command": {"command": "stop_run", "now": true}}': "7",
    '{"id": "7", "command": {"command": "add_comment", "text": "\\ud800"}}': "7",
}
"""What is no command, and the tab's own number that the refusal names."""


async def test_what_is_no_command_is_refused_and_the_tab_stays(session: Session, bob: User) -> None:
    tab = await Tab.of(bob, session.public_id)
    await tab.frame("live")
    for text, id in NO_COMMANDS.items():
        await tab.say(text)
        refused = await tab.frame("refused")
        assert (refused["id"], refused["problem"]["kind"]) == (id, "invalid")
    await tab.line.send_to(bytes_data=b"\x00\xff")
    assert (await tab.frame("refused"))["problem"]["kind"] == "invalid"
    assert (await tab.command(command="add_comment", text="Hm"))["type"] == "done"
    await tab.close()


async def test_a_tab_that_hurries_is_told_to_slow_down(session: Session, bob: User) -> None:
    tab = await Tab.of(bob, session.public_id)
    await tab.frame("live")
    for _ in range(60):
        await tab.say("{}")
    kinds = [(await tab.frame("refused"))["problem"]["kind"] for _ in range(60)]
    assert {"invalid", "busy"} == set(kinds)
    await tab.close()


async def test_a_viewer_watches_and_is_refused(session: Session, bob: User) -> None:
    await Membership.objects.filter(user=bob).aupdate(role="viewer")
    tab = await Tab.of(bob, session.public_id)
    refused = await tab.command(command="send_message", message_id="message-1", text="Go")
    assert (refused["type"], refused["problem"]["kind"]) == ("refused", "forbidden")
    assert not await Run.objects.aexists()
    await tab.close()
