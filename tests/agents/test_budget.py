"""Bounds of a run at their exact edges: inside one reply, side by side, while people decide, while a command runs."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from agents import events as e
from agents.budget import Budget
from agents.loop import Done, Limit, Waiting
from agents.progress import Progress
from agents.workflows.phased import Phased
from tests.agents.toys import Look, Paint
from tests.agents.workflows.stories import began_at, facts, now, play, queued, results, told, worker

TEN = "- " + "  ".join(f"- call: {{tool: look, args: {{at: 'place {number}'}}, id: c{number}}}\n" for number in range(10))


def painting(*things: str) -> str:
    return "- " + "  ".join(f"- call: {{tool: paint, args: {{thing: {thing}}}, id: {thing}}}\n" for thing in things)


async def test_of_ten_calls_in_one_reply_only_as_many_run_as_the_budget_has_room_for(tmp_path: Path) -> None:
    recorder = queued("react")
    outcome = await play(worker(tmp_path, TEN + "- text: seen\n", budget=Budget(tool_calls=3)), recorder)
    errors = {result.call_id: result.error for result in results(recorder)}
    assert [call_id for call_id, error in errors.items() if error is None] == ["c0", "c1", "c2"]
    assert "may make 3 tool calls" in (errors["c3"] or "")
    assert sum(isinstance(fact, e.ToolStarted) for fact in facts(recorder)) == 3
    assert isinstance(outcome, Limit)
    assert "3 tool calls" in outcome.detail


async def test_calls_that_do_not_run_side_by_side_are_bounded_in_their_order(tmp_path: Path) -> None:
    recorder = queued("react")
    await play(worker(tmp_path, painting("a", "b", "c", "d"), budget=Budget(tool_calls=2)), recorder)
    assert Paint.done == ["a", "b"]


async def test_a_budget_that_is_just_enough_refuses_nothing(tmp_path: Path) -> None:
    recorder = queued("react")
    await play(worker(tmp_path, TEN, budget=Budget(tool_calls=10)), recorder)
    assert all(result.error is None for result in results(recorder))


async def test_a_call_that_could_not_be_made_uses_nothing_up(tmp_path: Path) -> None:
    recorder = queued("react")
    broken = "- - call: {tool: nothing, args: {}}\n  - call: {tool: paint, args: {}}\n  - call: {tool: paint, args: {thing: door}}\n"
    await play(worker(tmp_path, broken, budget=Budget(tool_calls=1)), recorder)
    assert Paint.done == ["door"]


async def test_people_are_asked_for_no_more_calls_than_may_run(tmp_path: Path) -> None:
    recorder = queued("react")
    agent = worker(tmp_path, painting("a", "b", "c"), budget=Budget(tool_calls=2), rules=())
    assert await play(agent, recorder) == Waiting(("a", "b"))
    asked = [fact for fact in facts(recorder) if isinstance(fact, e.ApprovalAsked)]
    for ask in asked:
        recorder.add(e.ApprovalDecided(approval_id=ask.approval_id, call_id=ask.call_id, verdict="allow", hash=ask.hash), by="alice")
    assert isinstance(await play(agent, recorder), Limit)
    assert Paint.done == ["a", "b"]


async def test_a_call_that_people_declined_leaves_its_place_to_the_next(tmp_path: Path) -> None:
    recorder = queued("react")
    agent = worker(tmp_path, painting("a", "b"), budget=Budget(tool_calls=1), rules=())
    assert await play(agent, recorder) == Waiting(("a",))
    ask = next(fact for fact in facts(recorder) if isinstance(fact, e.ApprovalAsked))
    recorder.add(e.ApprovalDecided(approval_id=ask.approval_id, call_id="a", verdict="deny", hash=ask.hash), by="alice")
    assert await play(agent, recorder) == Waiting(("b",))


async def test_a_call_that_a_lost_worker_had_begun_is_counted_once(tmp_path: Path) -> None:
    recorder = queued("react")
    call = e.Call(call_id="c1", tool="look", arguments='{"at": "moon"}')
    recorder.add(e.AgentSpoke(reply_id="x", parts=(call,), finish="calls", provider="scripted"))
    recorder.add(e.ToolStarted(call_id="c1", tool="look", args={"at": "moon"}))
    await play(worker(tmp_path, "- text: seen\n", budget=Budget(tool_calls=1)), recorder)
    assert results(recorder)[0].error is None
    assert recorder.history.progress.tool_calls == 1


async def test_the_model_speaks_as_often_as_it_may_and_no_more(tmp_path: Path) -> None:
    recorder = queued("react")
    looks = "".join(f"- call: {{tool: look, args: {{at: 'place {number}'}}}}\n" for number in range(5))
    outcome = await play(worker(tmp_path, looks, budget=Budget(model_calls=4)), recorder)
    assert recorder.history.progress.model_calls == 4
    assert isinstance(outcome, Limit)
    assert "4 model calls" in outcome.detail


async def test_the_last_reply_may_be_the_last_word(tmp_path: Path) -> None:
    recorder = queued("react")
    assert await play(worker(tmp_path, "- text: hello\n", budget=Budget(model_calls=1)), recorder) == Done()


async def test_rounds_end_with_a_warning_after_the_last_one_was_carried_out(tmp_path: Path) -> None:
    recorder = queued("react")
    looks = "".join(f"- call: {{tool: look, args: {{at: 'place {number}'}}}}\n" for number in range(9))
    outcome = await play(worker(tmp_path, looks, budget=Budget(rounds=8)), recorder)
    assert len(results(recorder)) == 8
    assert isinstance(outcome, Limit)
    assert outcome.detail.startswith("[loop warning]")


async def test_a_new_message_brings_a_new_budget(tmp_path: Path) -> None:
    recorder = queued("react")
    agent = worker(tmp_path, painting("a", "b") + painting("c", "d"), budget=Budget(tool_calls=1))
    await play(agent, recorder)
    for fact in (e.RunFinished(run_id="r1", outcome="limit"), e.UserSpoke(message_id="m2", text="more"), e.RunQueued(run_id="r2")):
        recorder.add(fact)
    await play(agent, recorder)
    assert Paint.done == ["a", "c"]


async def test_a_command_that_runs_when_the_time_is_over_is_cut_and_says_so(tmp_path: Path) -> None:
    recorder = began_at(queued("react"), now() - timedelta(seconds=59))
    script = "- - call: {tool: bash, args: {command: 'echo begun; sleep 60'}}\n  - call: {tool: paint, args: {thing: wall}}\n"
    outcome = await play(worker(tmp_path, script, budget=Budget(seconds=60)), recorder)
    cut, refused = results(recorder)
    assert "the time that the run may work is over" in (cut.error or "")
    assert "begun" in cut.output
    assert "60 seconds" in (refused.error or "")
    assert Paint.done == []
    assert isinstance(outcome, Limit)


async def test_a_reply_that_streams_when_the_time_is_over_is_kept_as_far_as_it_came(tmp_path: Path) -> None:
    recorder = began_at(queued("react"), now() - timedelta(seconds=59.5))
    outcome = await play(worker(tmp_path, "- - text: I begin.\n  - hang: true\n", budget=Budget(seconds=60)), recorder)
    reply = next(fact for fact in facts(recorder) if isinstance(fact, e.AgentSpoke))
    assert (reply.finish, reply.parts) == ("stopped", (e.Text(text="I begin."),))
    assert isinstance(outcome, Limit)
    assert "60 seconds" in outcome.detail


async def test_the_time_that_people_take_is_not_counted(tmp_path: Path) -> None:
    long_ago = began_at(queued("react"), now() - timedelta(seconds=100))
    long_ago.entries.append(e.Entry(seq=5, at=now() - timedelta(seconds=90), fact=e.RunWaiting(run_id="r1", calls=())))
    long_ago.history.apply(long_ago.entries[-1])
    long_ago.add(e.RunStarted(run_id="r1"))
    assert 10 <= long_ago.history.progress.worked(now()) < 20
    assert await play(worker(tmp_path, "- text: hello\n", budget=Budget(seconds=60)), long_ago) == Done()


def test_a_budget_goes_before_the_usual_one_bound_by_bound() -> None:
    mixed = Budget(tool_calls=0, seconds=5).or_else(Budget(model_calls=80, tool_calls=300, seconds=1800))
    assert mixed == Budget(model_calls=80, tool_calls=0, seconds=5)


def test_people_are_told_how_much_of_each_bound_is_used() -> None:
    progress = Progress(model_calls=3, started={f"c{number}" for number in range(12)}, seconds=40.6)
    assert (
        Budget(model_calls=80, tool_calls=300, seconds=1800).told(progress, now())
        == "Used: 3 of 80 replies · 12 of 300 calls · 41 of 1800 s"
    )
    assert Budget(tool_calls=300).told(progress, now()) == "Used: 12 of 300 calls"
    assert Budget(rounds=8).told(progress, now()) == ""


async def test_phased_has_bounds_of_its_own_where_the_agent_has_none(tmp_path: Path) -> None:
    assert Phased.budget == Budget(model_calls=80, tool_calls=300, seconds=1800)
    recorder = began_at(queued("phased"), now() - timedelta(seconds=1801))
    outcome = await play(worker(tmp_path, TEN), recorder)
    assert isinstance(outcome, Limit)
    assert told(recorder) == []


@pytest.mark.parametrize("rules", [(), None])
async def test_what_a_phase_forbids_is_refused_whatever_the_rules_say(tmp_path: Path, rules: tuple[()] | None) -> None:
    recorder = queued("react")
    agent = (
        worker(tmp_path, painting("a") + "- text: hm\n") if rules is None else worker(tmp_path, painting("a") + "- text: hm\n", rules=rules)
    )
    agent.forbids = lambda tool, context: f"No {tool.name} now."
    assert await play(agent, recorder) == Done()
    assert results(recorder)[0].error == "No paint now."
    assert Look.running == [0, 0]
