"""React: what ends a run besides a reply without a call."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents import events as e
from agents.loop import Done, Failure, Waiting
from tests.agents.toys import Paint, answer
from tests.agents.workflows.stories import facts, play, queued, results, taken_over, worker

CLAIM = "- call: {tool: attempt_completion, args: {result: The wall is red.}}\n"


def replies(count: int) -> str:
    return f"- parts: [{{text: more}}]\n  repeat: {count}\n"


def reply(*calls: e.Call, reason: str, text: str = "") -> e.AgentSpoke:
    parts: tuple[e.Part, ...] = (*((e.Text(text=text),) if text else ()), *calls)
    return e.AgentSpoke.model_validate(
        {"reply_id": "x", "parts": parts, "finish": "calls" if calls else "stop", "provider": "scripted", "stop_reason": reason}
    )


PAINT = e.Call(call_id="p", tool="paint", arguments='{"thing": "wall"}')
BREAK = e.Call(call_id="g", tool="paint", arguments='{"thing": "glass"}')


async def test_attempt_completion_ends_the_run_and_the_model_is_not_asked_again(tmp_path: Path) -> None:
    recorder = queued("react")
    assert await play(worker(tmp_path, CLAIM + replies(3)), recorder) == Done()
    assert recorder.history.progress.model_calls == 1


async def test_another_worker_finds_the_completion_in_the_log(tmp_path: Path) -> None:
    whole = queued("react")
    await play(worker(tmp_path, CLAIM + replies(3)), whole)
    for upto in range(4, len(whole.entries) + 1):
        other = taken_over(whole, upto)
        assert await play(worker(tmp_path, CLAIM + replies(3)), other) == Done()
        assert other.history.progress.model_calls == 1, upto


async def test_a_completion_beside_a_failed_call_does_not_end_the_run(tmp_path: Path) -> None:
    recorder = queued("react")
    both = "- - call: {tool: attempt_completion, args: {result: done}}\n  - call: {tool: paint, args: {thing: glass}}\n"
    assert await play(worker(tmp_path, both + "- text: I see.\n"), recorder) == Done()
    assert recorder.history.progress.model_calls == 2


async def test_a_completion_does_not_end_a_run_in_which_somebody_spoke_meanwhile(tmp_path: Path) -> None:
    recorder = queued("react")
    ask = "- - call: {tool: attempt_completion, args: {result: done}}\n  - call: {tool: wonder, args: {question: Which}, id: c1}\n"
    agent = worker(tmp_path, ask + "- text: The door, too.\n")
    await play(agent, recorder)
    recorder.add(e.UserSpoke(message_id="m2", text="and the door"), by="bob")
    recorder.add(e.QuestionAnswered(question_id="q-c1", call_id="c1", answers=(e.Answer(text="red"),)), by="bob")
    assert await play(agent, recorder) == Done()
    assert recorder.history.progress.model_calls == 2


async def test_done_with_calls_ends_the_run_once_they_have_succeeded(tmp_path: Path) -> None:
    recorder = queued("react")
    recorder.add(reply(PAINT, reason="done"))
    assert await play(worker(tmp_path, replies(3)), recorder) == Done()
    assert Paint.done == ["wall"]
    assert recorder.history.progress.model_calls == 1


async def test_done_with_a_call_that_fails_lets_the_model_read_why(tmp_path: Path) -> None:
    recorder = queued("react")
    recorder.add(reply(BREAK, reason="done"))
    assert await play(worker(tmp_path, "- text: I see.\n"), recorder) == Done()
    assert recorder.history.progress.model_calls == 2


async def test_fail_ends_the_run_as_failed_and_its_calls_are_not_run(tmp_path: Path) -> None:
    recorder = queued("react")
    recorder.add(reply(PAINT, reason="fail", text="No paint left."))
    assert await play(worker(tmp_path, replies(3)), recorder) == Failure("The agent gave up: No paint left.")
    assert Paint.done == []
    assert "gave the task up" in (results(recorder)[0].error or "")


async def test_who_speaks_when_the_agent_gives_up_is_still_answered(tmp_path: Path) -> None:
    recorder = queued("react")
    recorder.add(reply(PAINT, reason="fail"))
    recorder.add(e.UserSpoke(message_id="m2", text="Take the blue one"), by="bob")
    assert await play(worker(tmp_path, "- text: Then blue.\n"), recorder) == Done()


async def test_continue_without_a_call_is_the_end_as_ever(tmp_path: Path) -> None:
    recorder = queued("react")
    recorder.add(reply(reason="continue", text="Let me see."))
    assert await play(worker(tmp_path, replies(3)), recorder) == Done()
    assert not any(isinstance(fact, e.PhaseEntered) for fact in facts(recorder))


ASK = "call: {tool: wonder, args: {question: Which}, id: c1}"


@pytest.mark.parametrize("calls", [(ASK, CLAIM[2:].strip()), (CLAIM[2:].strip(), ASK)])
async def test_a_completion_beside_a_question_does_not_count_until_the_answer_was_read(tmp_path: Path, calls: tuple[str, str]) -> None:
    recorder = queued("react")
    agent = worker(tmp_path, f"- - {calls[0]}\n  - {calls[1]}\n- text: Red it is.\n")
    assert await play(agent, recorder) == Waiting(("c1",))
    recorder.add(answer("c1", "red"), by="bob")
    assert await play(agent, recorder) == Done()
    assert recorder.history.progress.words == "Red it is."


async def test_the_reason_for_giving_up_holds_no_secret(tmp_path: Path) -> None:
    recorder = queued("react")
    key = "ghp_" + "a1B2" * 10
    recorder.add(reply(reason="fail", text=f"{key} is refused. {'x' * 5000}"))
    outcome = await play(worker(tmp_path, replies(3)), recorder)
    assert isinstance(outcome, Failure)
    assert outcome.detail.startswith("The agent gave up: [redacted] is refused.")
    assert len(outcome.detail) < 600
