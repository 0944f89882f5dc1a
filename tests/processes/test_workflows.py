"""A workflow goes on from the phase in which its worker was killed."""

from __future__ import annotations

from tests.processes.person import Person
from tests.processes.test_lost import ended, kinds, wait_for_note
from tests.processes.world import World


def test_a_worker_killed_while_it_plans_and_another_while_it_verifies_lose_no_phase(world: World, alice: Person) -> None:
    session = alice.open_session("work in phases", workflow="phased")
    for note in ("text.grew", "output.grew"):
        wait_for_note(alice, session, note)
        world.kill("worker")
        world.start("worker")
    ended(alice, session, seconds=60)
    way = [(fact["phase"], fact["cycle"]) for fact in alice.facts(session, "phase.entered")]
    assert way == [("discover", 1), ("plan", 1), ("act", 1), ("verify", 1), ("discover", 2), ("plan", 2)]
    assert [fact["verified"] for fact in alice.facts(session, "verdict.given")] == [True]
    assert kinds(alice, session).count("run.lost") == 2
    assert [fact["error"] is None for fact in alice.facts(session, "tool.finished")] == [True, False, True]
