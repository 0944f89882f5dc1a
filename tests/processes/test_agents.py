"""A worker that is killed while a sub-agent works loses neither the sub-agent nor its parent."""

from __future__ import annotations

from tests.processes.person import Person
from tests.processes.test_lost import ENDING, ended, kinds, said, wait_for_note
from tests.processes.world import World, until


def test_both_end_well_when_the_worker_is_killed_under_a_sub_agent(world: World, alice: Person) -> None:
    session = alice.open_session("have a story told")
    (started,) = until(lambda: alice.facts(session, "agent.started"), "the sub-agent's start")
    child = started["session_id"]
    wait_for_note(alice, child, "text.grew")
    world.kill("worker")
    world.start("worker")
    ended(alice, session)
    assert alice.status(child) == "done"
    assert said(alice, session).startswith("It told: Once there was a log")
    assert said(alice, session).rstrip().endswith(ENDING)
    assert [kinds(alice, session).count(kind) for kind in ("agent.started", "agent.finished", "tool.finished", "run.finished")] == [1] * 4
    assert [kinds(alice, child).count(kind) for kind in ("run.lost", "agent.spoke", "run.finished")] == [1] * 3
    assert [agent["state"] for agent in alice.get(f"/api/sessions/{session}/snapshot/")["state"]["agents"]] == ["done"]
