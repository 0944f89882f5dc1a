"""What happens when a conversation nears the end of the model's context."""

from __future__ import annotations

from pathlib import Path

from agents import events as e
from agents.history import History
from agents.host import InMemoryRecorder
from agents.loop import Done, step
from agents.providers.provider import ToolMessage, UserMessage
from tests.agents.toys import told, toy_agent


def long_talk(replies: int, tokens: int) -> InMemoryRecorder:
    """Questions and answers, the last of which filled `tokens` of the context, and one more question."""
    recorder = InMemoryRecorder()
    for number in range(replies):
        recorder.add(e.UserSpoke(message_id=f"m{number}", text=f"question {number}"), by="alice")
        usage = e.Usage(input=tokens, output=1)
        recorder.add(e.AgentSpoke(reply_id=f"r{number}", parts=(e.Text(text=f"answer {number}"),), finish="stop", usage=usage))
    recorder.add(e.UserSpoke(message_id="last", text="last question"), by="alice")
    recorder.add(e.RunQueued(run_id="r"))
    return recorder


SCRIPT = """
scenarios:
- match: Write a summary
  turns: [{text: They asked and were answered.}]
- match: last question
  restart: true
  turns: [{text: the last answer}]
"""


async def test_a_full_context_is_summarized_before_the_next_request(tmp_path: Path) -> None:
    recorder = long_talk(10, tokens=120_000)
    assert await step(toy_agent(str(tmp_path), SCRIPT), recorder.history, recorder) == Done()
    assert told(recorder)[-2:] == ["history.compacted", "agent.spoke"]
    first = recorder.history.transcript.messages[0]
    assert isinstance(first, UserMessage)
    assert "They asked and were answered." in first.text
    assert "last question" in [m.text for m in recorder.history.transcript.messages if isinstance(m, UserMessage)]


async def test_nothing_of_the_log_is_lost_and_a_history_made_again_is_the_same(tmp_path: Path) -> None:
    recorder = long_talk(10, tokens=120_000)
    before = len(recorder.entries)
    await step(toy_agent(str(tmp_path), SCRIPT), recorder.history, recorder)
    assert [entry.seq for entry in recorder.entries] == list(range(1, before + 3))
    again = History()
    for entry in recorder.entries:
        again.apply(entry)
    assert again.transcript.messages == recorder.history.transcript.messages


async def test_a_context_with_room_is_left_alone(tmp_path: Path) -> None:
    recorder = long_talk(10, tokens=1_000)
    await step(toy_agent(str(tmp_path), SCRIPT), recorder.history, recorder)
    assert "history.compacted" not in told(recorder)


async def test_a_request_that_outgrew_the_model_is_summarized_and_asked_again(tmp_path: Path) -> None:
    recorder = long_talk(10, tokens=1_000)
    script = SCRIPT.replace(
        "turns: [{text: the last answer}]",
        "asides: [{when: {messages: 11}, parts: [{error: {kind: context, message: too long}}]}]\n  turns: [{text: the last answer}]",
    )
    assert await step(toy_agent(str(tmp_path), script), recorder.history, recorder) == Done()
    assert told(recorder)[-3:] == ["provider.failed", "history.compacted", "agent.spoke"]


async def test_a_summary_that_fails_leaves_the_conversation_whole_and_says_so(tmp_path: Path) -> None:
    recorder = long_talk(10, tokens=120_000)
    script = SCRIPT.replace("{text: They asked and were answered.}", "{error: {kind: overloaded, message: busy}}")
    assert await step(toy_agent(str(tmp_path), script), recorder.history, recorder) == Done()
    assert told(recorder)[-2:] == ["notice.given", "agent.spoke"]


async def test_a_cut_never_parts_a_call_from_its_result(tmp_path: Path) -> None:
    recorder = InMemoryRecorder()
    recorder.add(e.UserSpoke(message_id="m", text="last question"), by="alice")
    for number in range(12):
        call = e.Call(call_id=f"c{number}", tool="look", arguments='{"at": "x"}')
        recorder.add(e.AgentSpoke(reply_id=f"r{number}", parts=(call,), finish="calls", usage=e.Usage(input=120_000, output=1)))
        recorder.add(e.ToolFinished(call_id=f"c{number}", tool="look", title="t", output="seen"))
    await step(toy_agent(str(tmp_path), SCRIPT), recorder.history, recorder)
    assert not isinstance(recorder.history.transcript.messages[1], ToolMessage)
