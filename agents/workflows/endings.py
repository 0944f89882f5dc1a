"""When a run is over by the agent's own word, and when that word does not count."""

from __future__ import annotations

from agents.agent import Agent
from agents.history import History, closing_facts
from agents.loop import Failure, Outcome, act, say
from agents.ports import Recorder
from agents.providers.provider import AssistantMessage, UserMessage
from agents.workflows.texts import passed_on

COMPLETES = "attempt_completion"
"""The tool by which an agent says that it is done."""
LONGEST_REASON = 500


def is_done(history: History) -> bool:
    """Whether the agent said that the task is done, and no call of the same reply failed, waits, or asked people something."""
    return _counts(history) and (history.progress.completion is not None or history.progress.stop_reason == "done")


def is_completed(history: History) -> bool:
    """The same, said by attempt_completion alone."""
    return _counts(history) and history.progress.completion is not None


def _counts(history: History) -> bool:
    progress = history.progress
    return not (history.open_calls or progress.failed or progress.answered or is_unanswered(history))


def is_unanswered(history: History) -> bool:
    """Whether people, or a sub-agent's end, said something that the model has not replied to."""
    for message in reversed(history.transcript.messages):
        if isinstance(message, AssistantMessage) and not message.made:
            return False
        if isinstance(message, UserMessage) and not message.guides:
            return True
    return False


async def step(agent: Agent, history: History, recorder: Recorder) -> Outcome:
    """The loop's step, which a reply that gives the task up ends before its calls run."""
    return (
        await given_up(history, recorder)
        or await say(agent, history, recorder)
        or await given_up(history, recorder)
        or await act(agent, history, recorder)
    )


async def given_up(history: History, recorder: Recorder) -> Failure | None:
    """The run's end where the last reply gives the task up; its calls are not run then. None where it does not."""
    progress = history.progress
    if progress.stop_reason != "fail":
        return None
    if closing := closing_facts(history, "The agent gave the task up in the same reply."):
        await recorder.keep(*closing)
    if is_unanswered(history):
        return None
    return Failure(
        f"The agent gave up: {passed_on(progress.words, LONGEST_REASON)}" if progress.words else "The agent gave up and said no reason."
    )
