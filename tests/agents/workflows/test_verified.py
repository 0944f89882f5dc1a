"""Verified: who may do what in which phase, what ends it, and that it goes on from anywhere."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest

from agents import events as e
from agents.history import closing_facts
from agents.host import InMemoryRecorder
from agents.loop import Done, Failure, Limit, Waiting
from agents.providers.provider import UserMessage
from agents.workflows.verified import MOST_REPLIES
from tests.agents.toys import Look, Paint, answer
from tests.agents.workflows.stories import facts, phases, play, queued, results, taken_over, told, worker

PLAN = "- call: {tool: look, args: {at: wall}}\n- text: 1. Paint the wall.\n"
WORK = "- call: {tool: paint, args: {thing: wall}}\n"
CLAIM = "- call: {tool: attempt_completion, args: {result: The wall is red., command: look wall}}\n"
GOOD = "- call: {tool: look, args: {at: wall}}\n- text: 'VERIFIED: it is red.'\n"
BAD = "- text: 'NOT VERIFIED: one corner is missing.'\n"


async def test_the_work_is_planned_done_checked_and_then_over(tmp_path: Path) -> None:
    recorder = queued("verified")
    assert await play(worker(tmp_path, PLAN + WORK + CLAIM + GOOD), recorder) == Done()
    assert phases(recorder) == ["plan 1", "act 1", "verify 1", "verified"]
    assert Paint.done == ["wall"]


async def test_the_verifier_is_told_what_is_claimed(tmp_path: Path) -> None:
    recorder = queued("verified")
    await play(worker(tmp_path, PLAN + WORK + CLAIM + GOOD), recorder)
    assert "The wall is red." in told(recorder)[-1]
    assert "look wall" in told(recorder)[-1]


async def test_the_planner_is_refused_what_changes_anything_before_people_are_asked(tmp_path: Path) -> None:
    recorder = queued("verified")
    eager = "- - call: {tool: paint, args: {thing: wall}}\n  - call: {tool: bash, args: {command: touch x}}\n"
    await play(worker(tmp_path, eager + "- text: A plan.\n" + CLAIM + GOOD, rules=()), recorder)
    assert [result.error is not None and "phase plan" in result.error for result in results(recorder)[:2]] == [True, True]
    assert not any(isinstance(fact, e.ApprovalAsked) for fact in facts(recorder))
    assert Paint.done == []
    assert not (tmp_path / "x").exists()


async def test_the_planner_cannot_say_that_the_task_is_done(tmp_path: Path) -> None:
    recorder = queued("verified")
    await play(worker(tmp_path, CLAIM + "- text: A plan.\n" + WORK + CLAIM + GOOD), recorder)
    assert "phase plan ends with a reply without any call" in (results(recorder)[0].error or "")
    assert phases(recorder) == ["plan 1", "act 1", "verify 1", "verified"]


async def test_the_verifier_may_run_commands_and_change_no_file(tmp_path: Path) -> None:
    recorder = queued("verified")
    check = "- - call: {tool: bash, args: {command: echo seen}}\n  - call: {tool: write, args: {file_path: a, content: b}}\n"
    await play(worker(tmp_path, PLAN + WORK + CLAIM + check + "- text: 'VERIFIED: so it is.'\n"), recorder)
    ran, wrote = results(recorder)[-2:]
    assert ran.error is None
    assert "phase verify" in (wrote.error or "")
    assert not (tmp_path / "a").exists()


async def test_what_is_found_missing_is_planned_anew(tmp_path: Path) -> None:
    recorder = queued("verified")
    script = PLAN + WORK + CLAIM + BAD + "- text: Paint the corner.\n- call: {tool: paint, args: {thing: corner}}\n" + CLAIM + GOOD
    assert await play(worker(tmp_path, script), recorder) == Done()
    assert phases(recorder) == ["plan 1", "act 1", "verify 1", "not verified", "plan 2", "act 2", "verify 2", "verified"]
    assert any("one corner is missing" in text for text in told(recorder))
    assert Paint.done == ["wall", "corner"]


async def test_the_work_is_checked_three_times_at_most(tmp_path: Path) -> None:
    recorder = queued("verified")
    script = ("- text: A plan.\n" + CLAIM + BAD) * 5
    outcome = await play(worker(tmp_path, script), recorder)
    assert isinstance(outcome, Limit)
    assert phases(recorder)[-2:] == ["verify 3", "not verified"]


async def test_a_reply_without_a_call_is_no_end_and_brings_a_nudge(tmp_path: Path) -> None:
    recorder = queued("verified")
    assert await play(worker(tmp_path, PLAN + "- text: I am done.\n" + CLAIM + GOOD), recorder) == Done()
    assert any("called no tool" in text for text in told(recorder))


async def test_an_agent_that_only_talks_is_told_to_go_on_twice_and_then_ended(tmp_path: Path) -> None:
    recorder = queued("verified")
    outcome = await play(worker(tmp_path, PLAN + "- {parts: [{text: I am done.}], repeat: 9}\n"), recorder)
    assert isinstance(outcome, Limit)
    assert sum("called no tool" in text for text in told(recorder)) == 2


async def test_a_nudge_counts_anew_after_a_call(tmp_path: Path) -> None:
    recorder = queued("verified")
    talk = "- text: Hm.\n- text: Well.\n- call: {tool: look, args: {at: sky}}\n"
    assert await play(worker(tmp_path, PLAN + talk * 3 + CLAIM + GOOD), recorder) == Done()


async def test_a_completion_beside_a_call_that_failed_does_not_count(tmp_path: Path) -> None:
    recorder = queued("verified")
    both = "- - call: {tool: paint, args: {thing: glass}}\n  - call: {tool: attempt_completion, args: {result: done}}\n"
    assert await play(worker(tmp_path, PLAN + both + WORK + CLAIM + GOOD), recorder) == Done()
    assert phases(recorder).count("verify 1") == 1
    assert Paint.done == ["wall"]


async def test_a_verifier_that_gives_no_verdict_is_asked_for_it_once(tmp_path: Path) -> None:
    recorder = queued("verified")
    assert await play(worker(tmp_path, PLAN + CLAIM + "- text: Looks fine.\n- text: 'VERIFIED: yes.'\n"), recorder) == Done()
    recorder = queued("verified")
    await play(
        worker(tmp_path, PLAN + CLAIM + "- text: Looks fine.\n- text: Very fine.\n"),
        recorder,
        until=lambda: "not verified" in phases(recorder),
    )
    assert "gave no verdict" in next(fact.text for fact in facts(recorder) if isinstance(fact, e.VerdictGiven))


@pytest.mark.parametrize("phase", ["plan", "verify"])
async def test_planning_and_verifying_come_to_an_end(tmp_path: Path, phase: str) -> None:
    recorder = queued("verified")
    endless = "".join(f"- call: {{tool: look, args: {{at: 'place {number}'}}}}\n" for number in range(MOST_REPLIES))
    script = endless + CLAIM + GOOD if phase == "plan" else PLAN + CLAIM + endless + BAD
    await play(worker(tmp_path, script), recorder, until=lambda: len(phases(recorder)) > (1 if phase == "plan" else 3))
    assert phases(recorder)[-1] == ("act 1" if phase == "plan" else "not verified")


async def test_without_the_tool_for_it_a_reply_without_a_call_says_that_it_is_done(tmp_path: Path) -> None:
    recorder = queued("verified")
    agent = worker(tmp_path, PLAN + WORK + "- text: The wall is red.\n" + GOOD, tools=(Look, Paint))
    assert await play(agent, recorder) == Done()
    assert phases(recorder) == ["plan 1", "act 1", "verify 1", "verified"]
    assert "The wall is red." in told(recorder)[-1]


async def test_who_speaks_while_it_is_checked_is_heard_before_the_end(tmp_path: Path) -> None:
    recorder = queued("verified")
    agent = worker(tmp_path, PLAN + WORK + CLAIM + GOOD + WORK + CLAIM + GOOD)
    await play(agent, recorder, until=lambda: phases(recorder)[-1:] == ["verify 1"])
    recorder.add(e.UserSpoke(message_id="m2", text="The door, too"), by="bob")
    assert await play(agent, recorder) == Done()
    assert phases(recorder)[-4:] == ["verify 1", "act 1", "verify 1", "verified"]


async def test_an_agent_that_waits_for_people_goes_on_in_its_phase(tmp_path: Path) -> None:
    recorder = queued("verified")
    script = "- call: {tool: wonder, args: {question: Which red}, id: c1}\n- text: A plan.\n" + WORK + CLAIM + GOOD
    assert await play(worker(tmp_path, script), recorder) == Waiting(("c1",))
    recorder.add(answer("c1", "dark red"), by="bob")
    assert await play(worker(tmp_path, script), recorder) == Done()
    assert phases(recorder) == ["plan 1", "act 1", "verify 1", "verified"]


SCRIPT = PLAN + WORK + "- text: I am done.\n" + CLAIM + BAD + "- text: Look again.\n" + CLAIM + GOOD


async def test_another_worker_goes_on_from_every_entry_to_the_same_end(tmp_path: Path) -> None:
    whole = queued("verified")
    assert await play(worker(tmp_path, SCRIPT), whole) == Done()
    for upto in range(4, len(whole.entries) + 1):
        other = taken_over(whole, upto)
        assert await play(worker(tmp_path, SCRIPT), other) == Done(), upto
        assert phases(other) == phases(whole), upto


async def test_after_a_stop_in_any_phase_the_next_message_begins_at_the_first_phase(tmp_path: Path) -> None:
    whole = queued("verified")
    await play(worker(tmp_path, SCRIPT), whole)
    again = "scenarios:\n- match: Go on\n  turns:\n" + indent("- text: A plan.\n" + CLAIM + GOOD, "  ")
    for upto in range(4, len(whole.entries) + 1):
        other = taken_over(whole, upto)
        for fact in [*closing_facts(other.history, "Stopped by a person."), e.RunFinished(run_id="r1", outcome="stopped")]:
            other.add(fact)
        for fact in (e.UserSpoke(message_id="m2", text="Go on"), e.RunQueued(run_id="r2"), e.RunStarted(run_id="r2")):
            other.add(fact)
        assert await play(worker(tmp_path, again), other) == Done(), upto
        assert phases(other) == ["plan 1", "act 1", "verify 1", "verified"], upto


async def test_another_workflow_holds_from_the_next_step_on_and_no_run_is_stuck(tmp_path: Path) -> None:
    whole = queued("verified")
    await play(worker(tmp_path, SCRIPT), whole)
    for upto in range(4, len(whole.entries)):
        other = taken_over(whole, upto)
        other.add(e.SessionConfigured(toolset="oats", provider="scripted", model="scripted", workflow="react"))
        before = len(phases(other))
        assert await play(worker(tmp_path, SCRIPT), other) == Done(), upto
        assert phases(other)[before:] == []


async def test_back_from_another_workflow_it_begins_anew(tmp_path: Path) -> None:
    recorder = queued("verified")
    agent = worker(tmp_path, "- {parts: [{call: {tool: look, args: {at: sky}}}], repeat: 3}\n- text: A plan.\n" + CLAIM + GOOD)
    await play(agent, recorder, until=lambda: len(results(recorder)) == 1)
    for name in ("react", "verified"):
        recorder.add(e.SessionConfigured(toolset="oats", provider="scripted", model="scripted", workflow=name))
    assert await play(agent, recorder) == Done()
    assert [fact.phase for fact in facts(recorder) if isinstance(fact, e.PhaseEntered)] == ["plan", "plan", "act", "verify"]


async def test_a_reply_that_gives_up_ends_the_run_and_none_of_its_calls_run(tmp_path: Path) -> None:
    recorder = queued("verified")
    await play(worker(tmp_path, PLAN), recorder, until=lambda: phases(recorder)[-1:] == ["act 1"])
    calls = (e.Text(text="There is no paint."), e.Call(call_id="c9", tool="paint", arguments='{"thing": "wall"}'))
    recorder.add(e.AgentSpoke(reply_id="x", parts=calls, finish="calls", provider="scripted", stop_reason="fail"))
    assert await play(worker(tmp_path, PLAN), recorder) == Failure("The agent gave up: There is no paint.")
    assert Paint.done == []
    assert recorder.history.open_calls == []


async def test_a_verifier_that_says_fail_sends_the_work_back_and_ends_nothing(tmp_path: Path) -> None:
    recorder = queued("verified")
    agent = worker(tmp_path, PLAN + WORK + CLAIM + BAD + "- text: Paint the corner.\n" + CLAIM + GOOD)
    await play(agent, recorder, until=lambda: phases(recorder)[-1:] == ["verify 1"])
    verdict = (e.Text(text="NOT VERIFIED: one corner is missing."),)
    recorder.add(e.AgentSpoke(reply_id="x", parts=verdict, finish="stop", provider="scripted", stop_reason="fail"))
    assert await play(agent, recorder) == Done()
    assert phases(recorder)[-4:] == ["plan 2", "act 2", "verify 2", "verified"]


async def test_a_verdict_may_stand_behind_a_thought_where_a_reply_has_both(tmp_path: Path) -> None:
    recorder = queued("verified")
    agent = worker(tmp_path, PLAN + WORK + CLAIM)
    await play(agent, recorder, until=lambda: phases(recorder)[-1:] == ["verify 1"])
    said = (e.Text(text="I looked at the wall."), e.Text(text="VERIFIED: it is red."))
    recorder.add(e.AgentSpoke(reply_id="x", parts=said, finish="stop", provider="scripted", stop_reason="done"))
    assert await play(agent, recorder) == Done()
    assert phases(recorder)[-1] == "verified"


async def test_who_speaks_in_the_moment_before_it_is_checked_is_heard_before_the_end(tmp_path: Path) -> None:
    recorder = queued("verified")
    agent = worker(tmp_path, PLAN + WORK + CLAIM + WORK + CLAIM + GOOD)
    await play(agent, recorder, until=lambda: phases(recorder)[-1:] == ["verify 1"])
    entered = recorder.entries[-1].fact
    late = taken_over(recorder, len(recorder.entries) - 1)
    late.add(e.UserSpoke(message_id="m2", text="The door, too"), by="bob")
    late.add(entered)
    assert await play(agent, late) == Done()
    assert phases(late)[-4:] == ["verify 1", "act 1", "verify 1", "verified"]


KEY = "ghp_" + "a1B2" * 10


async def test_what_is_said_again_holds_no_secret_and_is_bounded(tmp_path: Path) -> None:
    recorder = queued("verified")
    claim = f"- call: {{tool: attempt_completion, args: {{result: 'The key is {KEY}. {'x' * 50_000}'}}}}\n"
    script = PLAN + claim + f"- text: 'NOT VERIFIED: {KEY} is wrong. {'y' * 50_000}'\n" + "- text: A plan.\n"
    await play(worker(tmp_path, script), recorder, until=lambda: phases(recorder)[-1:] == ["act 2"])
    verdict = next(fact for fact in facts(recorder) if isinstance(fact, e.VerdictGiven))
    for text in (*told(recorder), verdict.text):
        assert KEY not in text
        assert len(text) < 20_000
    assert "The key is [redacted]" in told(recorder)[2]
    assert "[redacted] is wrong" in verdict.text


def heard(recorder: InMemoryRecorder) -> list[str]:
    """What the model reads besides replies and results."""
    return [message.text for message in recorder.history.transcript.messages if isinstance(message, UserMessage)]


async def test_after_a_summary_the_model_is_told_again_what_holds_in_its_phase(tmp_path: Path) -> None:
    recorder = queued("verified")
    looks = "".join(f"- call: {{tool: look, args: {{at: 'place {number}'}}}}\n" for number in range(9))
    agent = worker(tmp_path, PLAN + looks)
    await play(agent, recorder, until=lambda: len(results(recorder)) == 9)
    guidance = told(recorder)[-1]
    for _ in range(2):
        recorder.add(e.HistoryCompacted(summary="They paint.", upto=recorder.entries[-5].seq))
        assert heard(recorder).count(guidance) == 1
    recorder.add(e.SessionConfigured(toolset="oats", provider="scripted", model="scripted", workflow="react"))
    recorder.add(e.HistoryCompacted(summary="They painted.", upto=recorder.entries[-1].seq))
    assert heard(recorder)[0].endswith("They painted.")
    assert guidance not in heard(recorder)
