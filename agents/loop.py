"""One step of an agent: the model speaks once, then the tools it called run. Read this file first.

    step = say (unless calls of the last reply are still open) → act (settle those calls)

A host calls `step` again and again, keeps what it says through the recorder, and looks at the outcome: `Continue` means call
again, `Waiting` means people must decide first, anything else ends the run. All state is in the history, which is a
fold of the kept facts; so a step may be cut off anywhere, by a stop or by a crash, and the next one goes on from the log.
"""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import dataclass
from time import monotonic

from agents.agent import Agent
from agents.budget import GO_ON
from agents.calls import settle_calls
from agents.compaction import compact, is_full
from agents.history import History
from agents.ports import Recorder
from agents.providers.provider import Ended, Failed, Grew, Prompt
from agents.reply import MOST_CORRECTIONS, TOO_MANY_UNREADABLE, Reply, failure

TOO_MANY_REPEATS = 20


@dataclass(frozen=True)
class Done:
    """The model has said all it wanted; nothing is open."""


@dataclass(frozen=True)
class Continue:
    """There is more to do."""


@dataclass(frozen=True)
class Waiting:
    """People must decide; `calls` are the ids of the calls that wait."""

    calls: tuple[str, ...]


@dataclass(frozen=True)
class Failure:
    """The model could not be asked; `detail` says why."""

    detail: str


@dataclass(frozen=True)
class Limit:
    """A bound of the run was reached; `detail` says which."""

    detail: str


Outcome = Done | Continue | Waiting | Failure | Limit


async def step(agent: Agent, history: History, recorder: Recorder) -> Outcome:
    """Let the model speak if it has something to answer, then run its calls.

    Contract: raises nothing but CancelledError and what the recorder raises; before CancelledError leaves, what had been
    streamed or started is kept as cut short.
    """
    return await say(agent, history, recorder) or await act(agent, history, recorder)


async def say(agent: Agent, history: History, recorder: Recorder) -> Outcome | None:
    """The first half of a step. None where the model has spoken, or calls are still open, so that the second half is due."""
    if history.open_calls:
        return None
    if not history.wants_reply:
        return Done()
    if over := limit(agent, history):
        return over
    try:
        async with asyncio.timeout(agent.seconds_left(history)) as bound:
            if is_full(agent, history):
                await compact(agent, history, recorder)
            failed = await speak(agent, history, recorder)
    except TimeoutError:
        if not bound.expired():
            raise
        return Limit(agent.budget.time_over)
    return Failure(failed.message) if failed is not None else None


async def act(agent: Agent, history: History, recorder: Recorder) -> Outcome:
    """The second half of a step: bring the open calls to their ends."""
    waiting = await settle_calls(agent, history, recorder)
    if waiting:
        return Waiting(waiting)
    # A call that is still open now was decided while others ran.
    return Continue() if history.wants_reply or history.open_calls else Done()


def limit(agent: Agent, history: History) -> Limit | None:
    """The bound that keeps the model from speaking once more, if one is reached."""
    if history.progress.model_calls >= agent.max_steps:
        return Limit(f"The run made {agent.max_steps} replies, which is its limit. {GO_ON}")
    if history.repeats >= TOO_MANY_REPEATS:
        return Limit(f"The agent repeated the same calls {history.repeats + 1} times in a row.")
    over = agent.used_up(history)
    return Limit(over) if over else None


async def speak(agent: Agent, history: History, recorder: Recorder) -> Failed | None:
    """Ask the model once and keep its reply. A request that outgrew the model's context is compacted and asked again, once.

    A reply that cannot be read is kept too, and answered with what was wrong; the last of too many in a row is a failure.
    """
    failed = await _ask(agent, history, recorder)
    if failed is not None and failed.kind == "context" and await compact(agent, history, recorder):
        failed = await _ask(agent, history, recorder)
    if failed is None and history.progress.corrections > MOST_CORRECTIONS:
        return TOO_MANY_UNREADABLE
    return failed


async def _ask(agent: Agent, history: History, recorder: Recorder) -> Failed | None:
    prompt = Prompt(agent.model, agent.system, history.transcript, agent.offers(history.loaded))
    read_to, began = history.seq, monotonic()
    reply = Reply(read_to)
    try:
        async with aclosing(agent.provider.ask(prompt)) as deltas:
            async for delta in deltas:
                match delta:
                    case Grew():
                        recorder.show(reply.grow(delta))
                    case Failed():
                        await recorder.keep(failure(reply.reply_id, delta))
                        if delta.retry_in is None:
                            return delta
                        reply = Reply(read_to)
                    case Ended():
                        reply.over = True
                        await recorder.keep(*reply.ended(agent, history, delta, monotonic() - began))
        return None
    except asyncio.CancelledError:
        if not reply.over:
            await asyncio.shield(recorder.keep(reply.stopped(agent, monotonic() - began)))
        raise
