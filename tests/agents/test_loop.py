"""One step after another: what is kept, in which order, and what stops it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from agents import events as e
from agents.history import History, closing_facts
from agents.host import InMemoryRecorder
from agents.loop import Continue, Done, Failure, Limit, Outcome, Waiting, step
from agents.permissions import Rule
from agents.providers.provider import AssistantMessage, ToolMessage, UserMessage
from tests.agents.toys import Look, Paint, answer, told, toy_agent

ALLOW = (Rule("paint", "*", "allow"),)


@pytest.fixture(autouse=True)
def fresh_paint() -> None:
    Paint.done.clear()
    Look.running[:] = [0, 0]


def asked(text: str = "go") -> InMemoryRecorder:
    recorder = InMemoryRecorder()
    recorder.add(e.UserSpoke(message_id="m1", text=text), by="alice")
    recorder.add(e.RunQueued(run_id="r1"))
    return recorder


async def run(root: Path, script: str, recorder: InMemoryRecorder, rules: tuple[Rule, ...] = (), steps: int = 9) -> Outcome:
    agent = toy_agent(str(root), script, rules)
    outcome: Outcome = Continue()
    for _ in range(steps):
        outcome = await step(agent, recorder.history, recorder)
        if not isinstance(outcome, Continue):
            break
    return outcome


def results(recorder: InMemoryRecorder) -> list[e.ToolFinished]:
    return [entry.fact for entry in recorder.entries if isinstance(entry.fact, e.ToolFinished)]


async def test_the_model_speaks_a_tool_runs_and_the_model_ends(tmp_path: Path) -> None:
    recorder = asked()
    outcome = await run(tmp_path, "- call: {tool: look, args: {at: moon}}\n- text: I saw it.\n", recorder)
    assert outcome == Done()
    assert told(recorder)[2:] == ["agent.spoke", "tool.started", "tool.finished", "agent.spoke"]
    assert isinstance(recorder.history.transcript.messages[-1], AssistantMessage)


async def test_streamed_words_are_shown_with_their_place(tmp_path: Path) -> None:
    recorder = asked()
    await run(tmp_path, "speed: 100\nturns:\n- text: four words of text\n", recorder)
    grown = [note for note in recorder.notes if isinstance(note, e.TextGrew)]
    assert len(grown) > 1
    assert "".join(note.text for note in grown) == "four words of text"
    assert [note.at for note in grown] == [sum(len(n.text) for n in grown[:i]) for i in range(len(grown))]


async def test_read_only_calls_run_side_by_side_and_answer_in_order(tmp_path: Path) -> None:
    recorder = asked()
    turn = "- parts:\n" + "".join(f"  - call: {{tool: look, args: {{at: '{at}'}}}}\n" for at in "abc") + "- text: done\n"
    await run(tmp_path, turn, recorder)
    assert Look.running[1] == 3
    said = [m.text for m in recorder.history.transcript.messages if isinstance(m, ToolMessage)]
    assert said == ["a seen", "b seen", "c seen"]


async def test_a_writing_call_waits_for_approval_and_nothing_behind_it_runs(tmp_path: Path) -> None:
    recorder = asked()
    turn = "- parts:\n  - call: {tool: paint, args: {thing: wall}, id: c1}\n  - call: {tool: look, args: {at: wall}, id: c2}\n"
    turn += "  - call: {tool: paint, args: {thing: door}, id: c3}\n- text: done\n"
    outcome = await run(tmp_path, turn, recorder)
    assert outcome == Waiting(("c1", "c3"))
    asks = [entry.fact for entry in recorder.entries if isinstance(entry.fact, e.ApprovalAsked)]
    assert [ask.subject for ask in asks] == ["wall", "door"]
    assert Paint.done == []
    assert await run(tmp_path, turn, recorder) == outcome
    assert told(recorder).count("approval.asked") == 2


def decide(recorder: InMemoryRecorder, call_id: str, verdict: str, **more: str) -> None:
    open_call = recorder.history.find(call_id)
    assert open_call is not None
    assert open_call.approval is not None
    asked = open_call.approval
    fact = {"approval_id": asked.approval_id, "call_id": call_id, "verdict": verdict, "hash": asked.hash, **more}
    recorder.add(e.ApprovalDecided.model_validate(fact), by="bob")


TWO_PAINTS = "- call: {tool: paint, args: {thing: wall}, id: c1}\n- call: {tool: paint, args: {thing: wall}, id: c2}\n- text: done\n"


async def test_an_approved_call_runs_and_the_next_asks_again(tmp_path: Path) -> None:
    recorder = asked()
    assert await run(tmp_path, TWO_PAINTS, recorder) == Waiting(("c1",))
    decide(recorder, "c1", "allow")
    assert await run(tmp_path, TWO_PAINTS, recorder) == Waiting(("c2",))
    assert Paint.done == ["wall"]


async def test_an_approval_for_the_session_covers_the_same_subject_only(tmp_path: Path) -> None:
    recorder = asked()
    script = TWO_PAINTS.replace("- text: done\n", "- call: {tool: paint, args: {thing: roof}, id: c3}\n")
    await run(tmp_path, script, recorder)
    decide(recorder, "c1", "allow", scope="session")
    assert await run(tmp_path, script, recorder) == Waiting(("c3",))
    assert Paint.done == ["wall", "wall"]


async def test_a_deny_rule_beats_what_was_allowed_for_the_session(tmp_path: Path) -> None:
    recorder = asked()
    await run(tmp_path, TWO_PAINTS, recorder)
    decide(recorder, "c1", "allow", scope="session")
    recorder.history.find("c1")
    outcome = await run(tmp_path, TWO_PAINTS, recorder, (Rule("paint", "*", "deny"),))
    assert outcome == Done()
    assert Paint.done == ["wall"]


async def test_an_approval_of_other_arguments_is_no_approval(tmp_path: Path) -> None:
    recorder = asked()
    await run(tmp_path, TWO_PAINTS, recorder)
    recorder.add(e.ApprovalDecided(approval_id="a-c1", call_id="c1", verdict="allow", hash="0" * 64), by="bob")
    assert await run(tmp_path, TWO_PAINTS, recorder) == Waiting(("c1",))
    assert Paint.done == []


async def test_a_declined_call_tells_the_model_why(tmp_path: Path) -> None:
    recorder = asked()
    await run(tmp_path, TWO_PAINTS, recorder)
    decide(recorder, "c1", "deny", reason="Not in red.")
    await run(tmp_path, TWO_PAINTS, recorder)
    assert "Not in red." in (results(recorder)[0].error or "")
    assert Paint.done == []


async def test_a_question_waits_and_its_answer_reaches_the_model(tmp_path: Path) -> None:
    recorder = asked()
    script = "- call: {tool: wonder, args: {question: 'Which?'}, id: c1}\n- text: thanks\n"
    assert await run(tmp_path, script, recorder) == Waiting(("c1",))
    recorder.add(answer("c1", "the blue one"), by="bob")
    assert await run(tmp_path, script, recorder) == Done()
    assert results(recorder)[0].output == "the blue one"


async def test_what_people_say_meanwhile_is_read_after_the_results(tmp_path: Path) -> None:
    recorder = asked()
    script = "- call: {tool: wonder, args: {question: 'Which?'}, id: c1}\n- text: thanks\n"
    await run(tmp_path, script, recorder)
    recorder.add(e.UserSpoke(message_id="m2", text="by the way"), by="alice")
    recorder.add(answer("c1", "blue"), by="bob")
    await run(tmp_path, script, recorder, steps=1)
    kinds = [type(message) for message in recorder.history.transcript.messages]
    assert kinds[:4] == [UserMessage, AssistantMessage, ToolMessage, UserMessage]


PLAN = e.PlanEntered(reason="big", plan_file="plan.md")


async def test_in_plan_mode_only_the_plan_file_can_be_changed(tmp_path: Path) -> None:
    recorder = asked()
    recorder.add(PLAN)
    turn = "- parts:\n  - call: {tool: paint, args: {thing: wall}}\n  - call: {tool: paint, args: {thing: plan.md}}\n"
    turn += "  - call: {tool: look, args: {at: wall}}\n- text: done\n"
    await run(tmp_path, turn, recorder, ALLOW)
    assert Paint.done == ["plan.md"]
    first, second, third = results(recorder)
    assert "plan_exit" in (first.error or "")
    assert (second.error, third.error) == (None, None)


async def write_plan(root: Path, plan_file: str, *rules: Rule) -> Outcome:
    recorder = asked()
    recorder.add(e.PlanEntered(reason="big", plan_file=plan_file))
    return await run(root, f"- call: {{tool: paint, args: {{thing: {plan_file}}}}}\n- text: done\n", recorder, rules)


async def test_the_plan_file_is_written_without_asking_unless_a_rule_forbids_it(tmp_path: Path) -> None:
    assert await write_plan(tmp_path, ".coder/plan.md") == Done()
    assert Paint.done == [".coder/plan.md"]
    await write_plan(tmp_path, ".coder/plan.md", Rule("paint", ".coder/*", "deny"))
    assert Paint.done == [".coder/plan.md"]


async def test_a_plan_file_among_the_projects_own_is_asked_for(tmp_path: Path) -> None:
    assert isinstance(await write_plan(tmp_path, "README.md"), Waiting)
    assert Paint.done == []


async def test_after_a_proposal_everything_stays_held_back_until_that_very_plan_is_approved(tmp_path: Path) -> None:
    recorder = asked()
    script = "".join(f"- call: {{tool: paint, args: {{thing: wall{i}}}}}\n" for i in range(4)) + "- text: done\n"
    recorder.add(PLAN)
    recorder.add(e.PlanProposed(revision=1, text="t", hash="h1", plan_file="plan.md"))
    await run(tmp_path, script, recorder, ALLOW, steps=1)
    recorder.add(e.PlanReviewed(revision=1, hash="h1", verdict="changes", message="more"), by="bob")
    await run(tmp_path, script, recorder, ALLOW, steps=1)
    recorder.add(e.PlanProposed(revision=2, text="t2", hash="h2", plan_file="plan.md"))
    recorder.add(e.PlanReviewed(revision=1, hash="h1", verdict="approved"), by="bob")
    await run(tmp_path, script, recorder, ALLOW, steps=1)
    assert Paint.done == []
    recorder.add(e.PlanReviewed(revision=2, hash="h2", verdict="approved"), by="bob")
    await run(tmp_path, script, recorder, ALLOW, steps=1)
    assert Paint.done == ["wall3"]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("{tool: pain, args: {}}", "Did you mean paint?"),
        ('{tool: paint, raw: \'{"thing": "wa\'}', "not valid JSON"),
        ("{tool: paint, raw: '[1]'}", "must be a JSON object"),
        ("{tool: paint, args: {}}", "thing: field required"),
        ("{tool: paint, args: {thing: x, tone: 1}}", "tone"),
        ("{tool: paint, args: {thing: glass}}", "Glass cannot be painted."),
        ("{tool: paint, args: {thing: air}}", "ZeroDivisionError"),
    ],
)
async def test_a_bad_call_is_a_result_the_model_can_act_on(tmp_path: Path, call: str, words: str) -> None:
    recorder = asked()
    assert await run(tmp_path, f"- call: {call}\n- text: I see.\n", recorder, ALLOW) == Done()
    assert words in (results(recorder)[0].error or "")


async def test_secrets_never_reach_the_log_or_the_model(tmp_path: Path) -> None:
    recorder = asked()
    await run(tmp_path, "- call: {tool: look, args: {at: AKIAABCDEFGHIJKLMNOP}}\n- text: done\n", recorder)
    assert "AKIAABCDEFGHIJKLMNOP" not in results(recorder)[0].output
    assert results(recorder)[0].redactions == 1
    assert "AKIAABCDEFGHIJKLMNOP" not in "".join(m.text for m in recorder.history.transcript.messages if isinstance(m, ToolMessage))


async def test_an_alias_finds_its_tool(tmp_path: Path) -> None:
    recorder = asked()
    await run(tmp_path, "- call: {tool: peek, args: {at: moon}}\n- text: done\n", recorder)
    assert results(recorder)[0].output == "moon seen"


async def test_a_reply_that_breaks_off_runs_none_of_its_calls(tmp_path: Path) -> None:
    recorder = asked()
    turn = "- parts:\n  - call: {tool: paint, args: {thing: wall}}\n  - cut: true\n- text: again\n"
    assert await run(tmp_path, turn, recorder, ALLOW) == Done()
    assert Paint.done == []
    assert "broke off" in (results(recorder)[0].error or "")


async def test_a_call_that_had_started_when_the_worker_was_lost_is_not_run_again(tmp_path: Path) -> None:
    recorder = asked()
    reply = e.AgentSpoke(reply_id="x", parts=(e.Call(call_id="c1", tool="paint", arguments='{"thing":"wall"}'),), finish="calls")
    recorder.add(reply)
    recorder.add(e.ToolStarted(call_id="c1", tool="paint", args={"thing": "wall"}))
    await run(tmp_path, "- text: first\n- text: I will check.\n", recorder, ALLOW)
    assert Paint.done == []
    assert "was not run again" in (results(recorder)[0].error or "")


async def test_a_reading_call_that_was_cut_short_is_simply_run_again(tmp_path: Path) -> None:
    recorder = asked()
    recorder.add(e.AgentSpoke(reply_id="x", parts=(e.Call(call_id="c1", tool="look", arguments='{"at":"moon"}'),), finish="calls"))
    recorder.add(e.ToolStarted(call_id="c1", tool="look", args={"at": "moon"}))
    await run(tmp_path, "- text: first\n- text: seen\n", recorder)
    assert results(recorder)[0].output == "moon seen"


async def test_a_stop_in_mid_stream_keeps_the_words_said_so_far(tmp_path: Path) -> None:
    recorder = asked()
    agent = toy_agent(str(tmp_path), "- parts:\n  - text: half a\n  - hang: true\n")
    task = asyncio.create_task(step(agent, recorder.history, recorder))
    while not recorder.notes:
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    spoke = recorder.entries[-1].fact
    assert isinstance(spoke, e.AgentSpoke)
    assert (spoke.finish, spoke.parts) == ("stopped", (e.Text(text="half a"),))


async def test_a_stop_in_a_tool_keeps_what_it_had_shown(tmp_path: Path) -> None:
    recorder = asked()
    agent = toy_agent(str(tmp_path), "- call: {tool: paint, args: {thing: wet}}\n", ALLOW)
    task = asyncio.create_task(step(agent, recorder.history, recorder))
    while not any(isinstance(note, e.OutputGrew) for note in recorder.notes):
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    (finished,) = results(recorder)
    assert (finished.output, finished.error) == ("painting wet", "Stopped by a person before it ended.")


async def test_closing_facts_leave_nothing_open(tmp_path: Path) -> None:
    recorder = asked()
    turn = "- parts:\n  - call: {tool: paint, args: {thing: a}, id: c1}\n  - call: {tool: wonder, args: {question: q}, id: c2}\n"
    await run(tmp_path, turn, recorder)
    for fact in closing_facts(recorder.history, "Stopped by alice."):
        recorder.add(fact)
    assert recorder.history.open_calls == []
    assert told(recorder).count("ask.canceled") == 1
    assert recorder.history.wants_reply


async def test_a_failed_request_ends_the_run_with_its_reason(tmp_path: Path) -> None:
    recorder = asked()
    outcome = await run(tmp_path, "- error: {kind: auth, status: 401, message: The key is wrong.}\n", recorder)
    assert outcome == Failure("The key is wrong.")
    assert told(recorder)[-1] == "provider.failed"


async def test_a_wait_for_a_rate_limit_is_told_before_the_reply(tmp_path: Path) -> None:
    recorder = asked()
    turn = "- parts:\n  - error: {kind: rate_limit, status: 429, message: Slow down., retry_in: 0.01}\n  - text: here I am\n"
    assert await run(tmp_path, turn, recorder) == Done()
    failed = recorder.entries[2].fact
    assert isinstance(failed, e.ProviderFailed)
    assert failed.retry_in == 0.01
    assert told(recorder)[-1] == "agent.spoke"


async def test_a_run_ends_at_its_limit_of_replies_and_goes_on_when_asked(tmp_path: Path) -> None:
    recorder = asked()
    agent = toy_agent(str(tmp_path), "loop: true\nturns:\n- call: {tool: look, args: {at: moon}}\n", max_steps=3)
    outcomes = [await step(agent, recorder.history, recorder) for _ in range(4)]
    assert isinstance(outcomes[3], Limit)
    recorder.add(e.RunQueued(run_id="r2"))
    assert await step(agent, recorder.history, recorder) == Continue()


async def test_the_same_calls_over_and_over_end_the_run(tmp_path: Path) -> None:
    recorder = asked()
    outcome = await run(tmp_path, "loop: true\nturns:\n- call: {tool: look, args: {at: moon}}\n", recorder, steps=40)
    assert isinstance(outcome, Limit)
    assert "repeated" in outcome.detail


async def test_a_history_made_again_from_the_log_reads_the_same(tmp_path: Path) -> None:
    recorder = asked()
    script = "- call: {tool: wonder, args: {question: 'Which?'}, id: c1}\n- text: thanks\n"
    await run(tmp_path, script, recorder)
    recorder.add(answer("c1", "blue"), by="bob")
    await run(tmp_path, script, recorder)
    again = History()
    for entry in recorder.entries:
        again.apply(entry)
    assert again.transcript.messages == recorder.history.transcript.messages
    assert (again.seq, again.plan, again.context_tokens) == (recorder.history.seq, recorder.history.plan, recorder.history.context_tokens)
