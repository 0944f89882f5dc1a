"""Who begins to watch in the middle sees what has grown so far, not only what comes later."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from agents import events as e
from tests.workspace.sessions.driving import allow_everything, carry, newest, send, state
from tests.workspace.sessions.tab import Tab
from workspace.accounts.models import User
from workspace.sessions import actions, protocol
from workspace.sessions.models import Session
from workspace.sessions.showing import MOST, Showing


async def grown(tab: Tab, kind: str, text: str) -> dict[str, Any]:
    """The first note of this kind with this text in it."""

    def has(frame: dict[str, Any]) -> bool:
        return any(note["type"] == kind and text in note["text"] for note in frame.get("notes", []))

    frame = await tab.until(has)
    return next(note for note in frame["notes"] if note["type"] == kind)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("worker_threads")
@pytest.mark.parametrize(
    ("script", "kind"),
    [
        ("- call: {tool: bash, args: {command: 'echo begun; sleep 600'}}\n", "output.grew"),
        ("- parts:\n  - text: begun to speak\n  - hang: true\n", "text.grew"),
    ],
)
async def test_a_late_tab_sees_what_grew_before_it_came(
    session: Session, alice: User, bob: User, scripted: Any, script: str, kind: str
) -> None:
    await allow_everything(session)
    scripted(script)
    early = await Tab.of(alice, session.public_id)
    await send(session, alice)
    working = asyncio.create_task(carry(session))
    await grown(early, kind, "begun")
    late = await Tab.of(bob, session.public_id)
    note = await grown(late, kind, "begun")
    assert note["at"] == 0
    await sync_to_async(actions.stop_run)(session, alice, protocol.StopRun())
    await working
    assert await state(session) == "stopped", await newest(session)
    await early.close()
    await late.close()


def text_note(at: int, text: str, reply: str = "r") -> e.TextGrew:
    return e.TextGrew(reply_id=reply, part=0, at=at, text=text)


def test_what_has_landed_is_not_shown_again() -> None:
    showing = Showing()
    for note in (text_note(0, "ab"), text_note(2, "cd"), text_note(0, "other", "s"), e.OutputGrew(call_id="c", at=0, text="out")):
        showing.add(note)
    assert [note.text for note in showing.notes] == ["abcd", "other", "out"]
    showing.landed([e.AgentSpoke(reply_id="r", parts=(), finish="stop")])
    assert [note.text for note in showing.notes] == ["other", "out"]
    showing.landed([e.ToolFinished(call_id="c", tool="bash", title="", output="out")])
    assert [note.text for note in showing.notes] == ["other"]


def test_of_a_very_long_output_the_end_is_kept_with_its_place() -> None:
    showing = Showing()
    for at in range(0, 3 * MOST, 1000):
        showing.add(e.OutputGrew(call_id="c", at=at, text="x" * 1000))
    (note,) = showing.notes
    assert len(note.text) <= MOST
    assert note.at + len(note.text) == (3 * MOST + 999) // 1000 * 1000


def test_a_reply_that_began_anew_is_shown_from_its_new_beginning() -> None:
    showing = Showing()
    for note in (text_note(0, "first try"), text_note(0, "sec"), text_note(3, "ond")):
        showing.add(note)
    assert [note.text for note in showing.notes] == ["second"]
