"""A session in a protocol of words, as the loop drives it: calls run, bad replies are corrected, and too many of them end the run."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents import events as e
from agents.compaction import compact
from agents.host import InMemoryRecorder
from agents.loop import Continue, Done, Failure, Outcome, step
from agents.protocols import spoken
from tests.agents.toys import ALLOW, Paint, asked, results, told, toy_agent

BAD = "- text: '{\"actions\": ['\n"
JSON_CALL = """- text: |
    {"thought_summary": "I paint.", "actions": [{"tool": "paint", "args": {"thing": "FILE_CONTENT_#1"}}]}
    ---(FILE_CONTENT_#1)---
    the door
    ---(FILE_CONTENT_#1)---
"""
XML_CALL = "- text: 'I paint. <paint><thing>the door</thing></paint>'\n"


async def run(root: Path, protocol: str, script: str, recorder: InMemoryRecorder, steps: int = 9) -> Outcome:
    agent = toy_agent(str(root), script, ALLOW)
    agent.provider = spoken(agent.provider, protocol)
    outcome: Outcome = Continue()
    for _ in range(steps):
        outcome = await step(agent, recorder.history, recorder)
        if not isinstance(outcome, Continue):
            break
    return outcome


def refusals(recorder: InMemoryRecorder) -> list[e.ReplyRefused]:
    return [entry.fact for entry in recorder.entries if isinstance(entry.fact, e.ReplyRefused)]


@pytest.mark.parametrize(("protocol", "call"), [("json", JSON_CALL), ("xml", XML_CALL)])
async def test_a_call_in_words_runs_and_its_result_is_read(tmp_path: Path, protocol: str, call: str) -> None:
    recorder = asked()
    script = f"{call}- parts: [{{text: '{{{{output}}}} by {{{{tool}}}}'}}]\n  when: {{tool: paint, failed: false}}\n"
    assert await run(tmp_path, protocol, script, recorder) == Done()
    assert Paint.done == ["the door"]
    assert told(recorder)[2:] == ["agent.spoke", "tool.started", "tool.finished", "agent.spoke"]
    last = recorder.entries[-1].fact
    assert isinstance(last, e.AgentSpoke)
    assert last.parts == (e.Text(text="the door is red by paint"),)


async def test_a_call_is_shown_while_it_is_written(tmp_path: Path) -> None:
    recorder = asked()
    await run(tmp_path, "xml", "speed: 100\nturns:\n" + XML_CALL, recorder, steps=1)
    grown = [note for note in recorder.notes if isinstance(note, e.CallGrew)]
    assert "".join(note.text for note in grown) == '{"thing": "the door'
    assert {note.call_id for note in grown} == {results(recorder)[0].call_id}


async def test_what_a_reply_says_of_the_task_is_kept(tmp_path: Path) -> None:
    recorder = asked()
    script = """- text: '{"result_message": "It is dry.", "stop_reason": "done"}'\n"""
    assert await run(tmp_path, "json", script, recorder) == Done()
    spoke = recorder.entries[-1].fact
    assert isinstance(spoke, e.AgentSpoke)
    assert (spoke.stop_reason, spoke.parts) == ("done", (e.Text(text="It is dry."),))


async def test_a_reply_that_cannot_be_read_is_kept_and_corrected(tmp_path: Path) -> None:
    recorder = asked()
    assert await run(tmp_path, "json", BAD + JSON_CALL + "- text: done\n", recorder) == Done()
    assert told(recorder)[2:5] == ["agent.spoke", "reply.refused", "agent.spoke"]
    spoke = recorder.entries[2].fact
    assert isinstance(spoke, e.AgentSpoke)
    assert spoke.parts == (e.Text(text='{"actions": ['),)
    refused = refusals(recorder)[0]
    assert refused.reply_id == spoke.reply_id
    assert refused.reason in refused.told
    assert Paint.done == ["the door"]


async def test_the_third_bad_reply_in_a_row_ends_the_run(tmp_path: Path) -> None:
    recorder = asked()
    outcome = await run(tmp_path, "json", BAD * 5, recorder)
    assert isinstance(outcome, Failure)
    assert "3 times in a row" in outcome.detail
    assert len(refusals(recorder)) == 3


async def test_a_good_reply_between_begins_a_new_count(tmp_path: Path) -> None:
    recorder = asked()
    assert await run(tmp_path, "json", BAD * 2 + JSON_CALL + BAD * 2 + "- text: done\n", recorder, steps=20) == Done()
    assert len(refusals(recorder)) == 4


async def test_a_new_message_lets_a_failed_run_go_on(tmp_path: Path) -> None:
    recorder = asked()
    script = BAD * 3 + "- text: done\n"
    await run(tmp_path, "json", script, recorder)
    recorder.add(e.UserSpoke(message_id="m2", text="again"), by="alice")
    recorder.add(e.RunQueued(run_id="r2"))
    assert await run(tmp_path, "json", script, recorder) == Done()


async def test_a_cut_reply_writes_nothing_and_the_model_is_told_to_write_less(tmp_path: Path) -> None:
    recorder = asked()
    script = "- parts: [{text: '<paint><thing>the do'}]\n  finish: length\n- text: done\n"
    assert await run(tmp_path, "xml", script, recorder) == Done()
    assert Paint.done == []
    assert "Say less at once" in refusals(recorder)[0].told


async def test_calls_of_a_scripts_own_run_in_any_protocol(tmp_path: Path) -> None:
    recorder = asked()
    script = "- call: {tool: paint, args: {thing: door}}\n- parts: [{text: ok}]\n  when: {tool: paint}\n"
    assert await run(tmp_path, "json", script, recorder) == Done()
    assert Paint.done == ["door"]


@pytest.mark.parametrize("protocol", ["json", "xml"])
async def test_a_conversation_in_a_protocol_can_be_summarized(tmp_path: Path, protocol: str) -> None:
    recorder = asked()
    script = (
        "- match: summar\n  turns: [{text: All in short.}]\n- turns:\n"
        + "  - call: {tool: look, args: {at: moon}}\n" * 6
        + "  - text: done\n"
    )
    await run(tmp_path, protocol, f"scenarios:\n{script}", recorder, steps=20)
    agent = toy_agent(str(tmp_path), f"scenarios:\n{script}")
    agent.provider = spoken(agent.provider, protocol)
    assert await compact(agent, recorder.history, recorder)
    kept = [entry.fact for entry in recorder.entries if isinstance(entry.fact, e.HistoryCompacted)]
    assert [fact.summary for fact in kept] == ["All in short."]
