"""One step after another: what is kept, in which order, and what stops it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from agents import events as e
from agents.history import History, closing_facts
from agents.loop import Continue, Done, Failure, Limit, Waiting, step
from agents.providers.provider import AssistantMessage, ToolMessage, UserMessage
from tests.agents.toys import ALLOW, Paint, answer, asked, results, run, told, toy_agent


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


async def test_what_people_say_while_the_model_speaks_is_answered_next(tmp_path: Path) -> None:
    recorder = asked()
    agent = toy_agent(str(tmp_path), "speed: 40\nturns:\n- parts:\n  - text: four words of text\n- text: and one more\n")
    task = asyncio.create_task(step(agent, recorder.history, recorder))
    while not recorder.notes:
        await asyncio.sleep(0)
    recorder.add(e.UserSpoke(message_id="m2", text="by the way"), by="alice")
    assert await task == Continue()
    assert [type(message) for message in recorder.history.transcript.messages] == [UserMessage, AssistantMessage, UserMessage]
    assert await step(agent, recorder.history, recorder) == Done()
    assert isinstance(recorder.history.transcript.messages[-1], AssistantMessage)


async def test_what_people_say_while_the_model_makes_a_call_is_read_after_its_result(tmp_path: Path) -> None:
    recorder = asked()
    agent = toy_agent(str(tmp_path), "speed: 40\nturns:\n- - text: I look at it.\n  - call: {tool: look, args: {at: moon}}\n- text: seen\n")
    task = asyncio.create_task(step(agent, recorder.history, recorder))
    while not recorder.notes:
        await asyncio.sleep(0)
    recorder.add(e.UserSpoke(message_id="m2", text="by the way"), by="alice")
    assert await task == Continue()
    kinds = [type(message) for message in recorder.history.transcript.messages]
    assert kinds == [UserMessage, AssistantMessage, ToolMessage, UserMessage]


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
