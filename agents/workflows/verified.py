"""Verified: plan, act, verify, and plan again what was found missing. The agent's own word that it is done is never the end."""

from __future__ import annotations

import re

from agents import events as e
from agents import loop
from agents.agent import Agent
from agents.budget import GO_ON, Budget
from agents.history import History
from agents.ports import Recorder
from agents.tools.alfredo.attempt_completion import AttemptCompletion
from agents.tools.tool import Tool
from agents.workflows.endings import COMPLETES, is_completed
from agents.workflows.stage import Stage
from agents.workflows.texts import passed_on, said

CYCLES = 3
"""Times that the work is checked, at most."""
MOST_REPLIES = 20
"""In planning, and in verifying."""
NUDGES, REMINDERS = 2, 1
"""Times in a row that an agent which calls nothing is told to go on, and a verifier to give its verdict."""
VERDICT = re.compile(r"[\s*_#>`]*(NOT\s+)?VERIFIED[\s*_`]*:", re.IGNORECASE)


class Verified:
    """The planner reads, the agent works until it calls attempt_completion, the verifier judges by what it sees."""

    name = "verified"
    title = "Verified"
    about = "A plan first, then the work, then somebody who checks it and sends it back; at most three rounds."
    phases: tuple[str, ...] = ("plan", "act", "verify")
    tools: tuple[type[Tool], ...] = (AttemptCompletion,)
    budget = Budget()

    async def step(self, agent: Agent, history: History, recorder: Recorder) -> loop.Outcome:
        stage = Stage(self.name, agent, history, recorder)
        match stage.phase:
            case "plan":
                return await _plan(stage.only_reading())
            case "act":
                return await _act(stage)
            case "verify":
                return await _verify(stage.only_checking())
        return await stage.begin() or await stage.enter("plan", 1, said("verified-plan", cycle=1))


async def _plan(stage: Stage) -> loop.Outcome:
    outcome = await stage.step()
    if isinstance(outcome, loop.Done):
        return await _set_to_work(stage)
    if isinstance(outcome, loop.Continue) and stage.has_gone_on(MOST_REPLIES):
        return await _set_to_work(stage, f"Planning ended after {MOST_REPLIES} replies.")
    return outcome


async def _set_to_work(stage: Stage, detail: str = "") -> loop.Outcome:
    text = "verified-act" if COMPLETES in stage.agent.tools else "verified-act-alone"
    return await stage.enter("act", stage.cycle, said(text, cycle=stage.cycle), detail)


async def _act(stage: Stage) -> loop.Outcome:
    outcome: loop.Outcome = loop.Continue()
    if not is_completed(stage.history):
        outcome = await stage.step()
    if isinstance(outcome, loop.Continue) and is_completed(stage.history):
        return await _have_checked(stage)
    if not isinstance(outcome, loop.Done):
        return outcome
    return await _nudge(stage) if COMPLETES in stage.agent.tools else await _have_checked(stage)


async def _have_checked(stage: Stage) -> loop.Outcome:
    completion = stage.progress.completion
    claim = completion.result if completion else stage.progress.words
    if completion and completion.command:
        claim = f"{claim}\n\nA command that is said to show it: {completion.command}"
    return await stage.enter(
        "verify", stage.cycle, said("verified-verify", cycle=stage.cycle, claim=passed_on(claim) or "(nothing was said)")
    )


async def _nudge(stage: Stage) -> loop.Outcome:
    if stage.idle > NUDGES:
        return loop.Limit(f"The agent called nothing in {stage.idle} replies in a row and never said that it is done. {GO_ON}")
    return await stage.enter("act", stage.cycle, said("verified-nudge", cycle=stage.cycle), "Told to go on: it called nothing.")


async def _verify(stage: Stage) -> loop.Outcome:
    if not stage.history.open_calls:
        if stage.progress.interjected:
            return await _set_to_work(stage, "Somebody spoke, so the work goes on.")
        if stage.progress.judged:
            return await _conclude(stage)
    outcome = await loop.step(stage.agent, stage.history, stage.recorder)  # a verifier's "fail" is its verdict
    if isinstance(outcome, loop.Done):
        return await _judge(stage)
    if isinstance(outcome, loop.Continue) and stage.has_gone_on(MOST_REPLIES):
        return await _give_verdict(stage, verified=False, text=f"The verifier came to no verdict in {MOST_REPLIES} replies.")
    return outcome


async def _judge(stage: Stage) -> loop.Outcome:
    words = stage.progress.words
    verdict = next((found for text in stage.progress.texts if (found := VERDICT.match(text))), None)
    if verdict:
        return await _give_verdict(stage, verified=verdict[1] is None, text=words)
    if stage.idle <= REMINDERS:
        return await stage.enter("verify", stage.cycle, said("verified-verdict", cycle=stage.cycle), "Asked for the verdict.")
    return await _give_verdict(stage, verified=False, text=f"The verifier gave no verdict. It said: {words or '(nothing)'}")


async def _give_verdict(stage: Stage, *, verified: bool, text: str) -> loop.Outcome:
    await stage.recorder.keep(e.VerdictGiven(verified=verified, text=passed_on(text), cycle=stage.cycle))
    return loop.Continue()


async def _conclude(stage: Stage) -> loop.Outcome:
    """What follows from the verdict of this phase."""
    verdict = stage.progress.verdict
    if verdict is not None and verdict.verified:
        return loop.Done()
    if stage.cycle >= CYCLES:
        return loop.Limit(f"The work was checked {CYCLES} times and never found done. {GO_ON}")
    cycle, reason = stage.cycle + 1, verdict.text if verdict else ""
    return await stage.enter("plan", cycle, said("verified-replan", cycle=cycle, verdict=reason), "What was found missing is planned anew.")
