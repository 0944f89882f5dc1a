"""A stop works at once in every state, and leaves a session that can go on."""

from __future__ import annotations

import time

from tests.processes.person import Person
from tests.processes.test_lost import ended, said, wait_for_note
from tests.processes.world import World, until


def stopped_quickly(person: Person, session: str) -> None:
    asked = time.monotonic()
    person.stop(session)
    ended(person, session, "stopped")
    assert time.monotonic() - asked < 20


def goes_on(person: Person, session: str) -> None:
    person.say(session, "tell a story")
    ended(person, session)
    assert said(person, session).startswith("Once there was a log")


def test_a_stop_in_the_middle_of_a_stream_keeps_what_was_said(world: World, alice: Person) -> None:
    session = alice.open_session("tell a story")
    wait_for_note(alice, session, "text.grew")
    stopped_quickly(alice, session)
    assert alice.facts(session, "agent.spoke")[-1]["finish"] == "stopped"
    assert said(alice, session).startswith("Once")
    goes_on(alice, session)


def test_a_stop_in_the_middle_of_a_command_ends_the_command(world: World, alice: Person) -> None:
    session = alice.open_session("run the endless command")
    wait_for_note(alice, session, "output.grew")
    stopped_quickly(alice, session)
    finished = alice.facts(session, "tool.finished")
    assert len(finished) == 1
    assert finished[0]["error"]
    assert "begun" in finished[0]["output"]
    assert "ended" not in finished[0]["output"]
    goes_on(alice, session)


def test_a_stop_while_people_are_asked_takes_the_question_back(world: World, alice: Person) -> None:
    session = alice.open_session("ask me")
    until(lambda: alice.status(session) == "waiting", "the question")
    stopped_quickly(alice, session)
    assert len(alice.facts(session, "ask.canceled")) == 1
    goes_on(alice, session)


def test_a_stop_while_no_worker_is_there_works_all_the_same(world: World, alice: Person) -> None:
    world.kill("worker")
    session = alice.open_session("tell a story")
    stopped_quickly(alice, session)
    world.start("worker")
    goes_on(alice, session)
