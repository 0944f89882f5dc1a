"""Whatever is killed, the session ends as if nothing had happened, or says what was cut short; every fact once, in order."""

from __future__ import annotations

import time
import uuid

import httpx

from tests.processes.person import Person, frames
from tests.processes.world import World, until

ENDING = "without the fright."


def ended(person: Person, session: str, status: str = "done", seconds: float = 40) -> None:
    until(lambda: person.status(session) == status, f"the session being {status}", seconds)


def wait_for_note(person: Person, session: str, kind: str) -> None:
    """Until something of this kind was shown: the work is in the middle of it now."""
    with person.socket(session) as socket:
        for frame in frames(socket):
            if frame["type"] == "notes" and any(note["type"] == kind for note in frame["notes"]):
                return
    raise AssertionError(f"no {kind} was shown")


def said(person: Person, session: str) -> str:
    """The text of the last reply."""
    return "".join(part.get("text", "") for part in person.facts(session, "agent.spoke")[-1]["parts"])


def kinds(person: Person, session: str) -> list[str]:
    return [entry["fact"]["type"] for entry in person.entries(session)]


def test_a_worker_killed_in_the_middle_of_a_stream_loses_nothing(world: World, alice: Person) -> None:
    session = alice.open_session("tell a story")
    wait_for_note(alice, session, "text.grew")
    world.kill("worker")
    world.start("worker")
    ended(alice, session)
    assert said(alice, session).rstrip().endswith(ENDING)
    assert kinds(alice, session).count("agent.spoke") == 1
    assert kinds(alice, session).count("run.lost") == 1
    assert kinds(alice, session).count("run.finished") == 1


def test_a_command_cut_short_by_a_lost_worker_is_told_and_not_run_twice(world: World, alice: Person) -> None:
    session = alice.open_session("run the command in lost")
    wait_for_note(alice, session, "output.grew")
    world.kill("worker")
    world.start("worker")
    ended(alice, session)
    finished = alice.facts(session, "tool.finished")
    assert len(finished) == 1
    assert "was not run again" in finished[0]["error"]
    project = alice.get(f"/api/sessions/{session}/")["project"]["id"]
    assert alice.get(f"/api/projects/{project}/file/", path="lost.txt")["text"].count("begun") == 1


def test_a_worker_killed_between_steps_takes_no_step_twice(world: World, alice: Person) -> None:
    session = alice.open_session("take many steps")
    until(lambda: len(alice.facts(session, "tool.finished")) >= 2, "two steps")
    world.kill("worker")
    world.start("worker")
    ended(alice, session)
    calls = [fact["call_id"] for fact in alice.facts(session, "tool.finished")]
    assert len(calls) == len(set(calls)) == 6
    assert said(alice, session) == "All steps are taken."


def test_a_worker_asked_to_end_hands_its_run_over_at_once(world: World, alice: Person) -> None:
    session = alice.open_session("tell a story")
    wait_for_note(alice, session, "text.grew")
    world.end("worker")
    world.start("worker")
    ended(alice, session)
    assert said(alice, session).rstrip().endswith(ENDING)


def test_a_web_process_killed_meanwhile_leaves_the_run_alone(world: World, alice: Person) -> None:
    session = alice.open_session("tell a story")
    wait_for_note(alice, session, "text.grew")
    world.kill("web")
    world.start("web")
    ended(alice, session)
    assert said(alice, session).rstrip().endswith(ENDING)
    assert "run.lost" not in kinds(alice, session)


def test_redis_away_for_ten_seconds_loses_no_fact_and_no_message(world: World, alice: Person) -> None:
    session = alice.open_session("take many steps")
    other = alice.open_session()
    until(lambda: len(alice.facts(session, "tool.finished")) >= 2, "two steps")
    world.kill("redis")
    away = time.monotonic()
    message = uuid.uuid4().hex
    answer = alice.send("POST", f"/api/sessions/{other}/messages/", {"text": "tell a story", "message_id": message})
    assert answer.is_success or answer.status_code == httpx.codes.SERVICE_UNAVAILABLE
    until(lambda: time.monotonic() - away > 10, "ten seconds")
    world.start("redis")
    if not answer.is_success:
        alice.post(f"/api/sessions/{other}/messages/", {"text": "tell a story", "message_id": message})
    ended(alice, session)
    ended(alice, other, seconds=60)
    assert len(alice.facts(session, "tool.finished")) == 6
    assert len(alice.facts(other, "user.spoke")) == 1
    assert said(alice, other).rstrip().endswith(ENDING)


def test_a_tab_that_comes_back_reads_on_where_it_left_off(world: World, alice: Person) -> None:
    session = alice.open_session("take many steps")
    seen: list[int] = []
    while alice.status(session) != "done" or len(seen) < len(alice.entries(session)):
        with alice.socket(session, since=len(seen)) as socket:
            for frame in frames(socket, timeout=5):
                if frame["type"] == "entries":
                    seen += [entry["seq"] for entry in frame["entries"]]
                    break  # the tab is closed after every frame of entries
    assert seen == list(range(1, len(alice.entries(session)) + 1))


def test_a_socket_stays_open_while_redis_is_away(world: World, alice: Person) -> None:
    session = alice.open_session("ask me")
    ended(alice, session, "waiting")
    with alice.socket(session, since=len(alice.entries(session))) as socket:
        assert any(frame["type"] == "live" for frame in frames(socket, timeout=3))
        world.kill("redis")
        world.start("redis")
        alice.stop(session)
        assert any(frame["type"] == "entries" for frame in frames(socket, timeout=15))
    ended(alice, session, "stopped")
