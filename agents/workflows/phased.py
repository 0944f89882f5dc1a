"""Phased: discover, plan, act, verify, round by round, within a budget. The project's own tests have the last word."""

from __future__ import annotations

import asyncio
import uuid
from datetime import UTC, datetime

from agents import events as e
from agents import loop
from agents.agent import Agent
from agents.budget import GO_ON, Budget
from agents.history import History
from agents.ports import Recorder
from agents.progress import Progress
from agents.tools.tool import Tool
from agents.workflows.checking import call_of, is_lost, verdict_of, was_run
from agents.workflows.discovery import discover, known_check
from agents.workflows.endings import given_up, is_done
from agents.workflows.stage import Stage
from agents.workflows.texts import said

CLAIMS = 3
"""Times that an agent may say it is done though the tests fail, before the run ends so."""
NUDGES = 2
"""Times in a row that an agent which wants to continue but calls nothing is told to go on."""
ATTEMPTS = 2
"""At one verification, where a worker is lost while the tests run."""
UNTESTED = ("memory", "planning")
"""Groups of tools whose work no test can judge."""


class Phased:
    """Each reply of the model is the plan of one round; its calls are carried out, and what they changed is put to the tests."""

    name = "phased"
    title = "Phased"
    about = "Looks around first, then works in rounds; after every change the project's own tests are run, within a budget."
    phases: tuple[str, ...] = ("discover", "plan", "act", "verify")
    tools: tuple[type[Tool], ...] = ()
    budget = Budget(model_calls=80, tool_calls=300, seconds=1800)

    async def step(self, agent: Agent, history: History, recorder: Recorder) -> loop.Outcome:
        agent = agent.within(self.budget)
        stage = Stage(self.name, agent, history, recorder)
        match stage.phase:
            case "discover":
                return await _set_to_plan(stage)
            case "plan":
                return await _plan(stage)
            case "act":
                return await _act(stage)
            case "verify":
                return await _verify(stage)
        return await stage.begin() or await _discover(stage)


async def _discover(stage: Stage) -> loop.Outcome:
    pack = await discover(stage.agent, stage.progress.task)
    told = said("phased-discover", cycle=1, pack=await asyncio.to_thread(pack.told))
    return await stage.enter("discover", 1, told, pack.in_short)


async def _set_to_plan(stage: Stage) -> loop.Outcome:
    if stage.cycle > 1:
        return await stage.enter("plan", stage.cycle, detail=stage.agent.budget.told(stage.progress, datetime.now(UTC)))
    check = await known_check(stage.agent)
    can = check is not None and call_of(stage.agent.tools, check.command, "") is not None
    tests = (
        f"After calls that may have changed something the project's tests are run for you: `{check.command}`."
        if check is not None and can
        else "There is no command known here that runs the project's tests, so check your work as well as you can."
    )
    return await stage.enter("plan", 1, said("phased-plan", tests=tests))


async def _plan(stage: Stage) -> loop.Outcome:
    """One reply. With calls it is the plan of this round, without any it says that the task is done."""
    history = stage.history
    if failure := await given_up(history, stage.recorder):
        return failure
    if history.open_calls:
        return await stage.enter("act", stage.cycle)
    if not history.wants_reply:
        return await _go_on(stage) if stage.progress.stop_reason == "continue" and stage.idle <= NUDGES else await _judge_claim(stage)
    return await loop.say(stage.agent, history, stage.recorder) or loop.Continue()


async def _go_on(stage: Stage) -> loop.Outcome:
    """The agent wants to continue, but called nothing."""
    return await stage.enter("plan", stage.cycle, said("phased-nudge", cycle=stage.cycle), "Told to go on: it called nothing.")


async def _act(stage: Stage) -> loop.Outcome:
    if stage.history.open_calls:
        return await _carried_out(stage)
    if not _may_have_changed(stage):
        return await _next_round(stage)
    check = await known_check(stage.agent)
    if check is None:
        return await _enter_unverified(stage, "no command is known that runs this project's tests")
    if call_of(stage.agent.tools, check.command, "") is None:
        return await _enter_unverified(stage, "this agent has no tool to run commands")
    return await stage.enter("verify", stage.cycle, detail=check.command)


async def _carried_out(stage: Stage) -> loop.Outcome:
    """Calls come to their ends: the model reads them in the next round."""
    outcome = await loop.act(stage.agent, stage.history, stage.recorder)
    return outcome if isinstance(outcome, loop.Waiting) else loop.Continue()


def _may_have_changed(stage: Stage) -> bool:
    """Whether a tool was used, since the last verdict, that the tests could tell something of."""
    tools = [tool for name in stage.progress.touched if (tool := stage.agent.tool(name)) is not None]
    changing = any(tool.mutates and not tool.read_only and tool.group not in UNTESTED for tool in tools)
    return changing and not stage.history.plan.holds_back


async def _enter_unverified(stage: Stage, reason: str) -> loop.Outcome:
    return await stage.enter("verify", stage.cycle, detail=f"Nothing is verified: {reason}.")


async def _verify(stage: Stage) -> loop.Outcome:
    """Run the tests by a call like any other, so that people may allow, watch and stop it; then say what came of it."""
    progress = stage.progress
    if stage.history.open_calls:
        return await _carried_out(stage)
    check = None if progress.judged else await known_check(stage.agent)
    if check is None:
        return await _next_round(stage)
    if progress.own and progress.check is not None and not _is_to_be_repeated(progress):
        verified, text = verdict_of(progress.check, check.command, progress.started)
        told = f"[Workflow: verify, round {stage.cycle}] {text}"
        await stage.recorder.keep(e.VerdictGiven(verified=verified, text=text, cycle=stage.cycle, by="command", told=told))
        return loop.Continue()
    return await _run_check(stage, check.command)


def _is_to_be_repeated(progress: Progress) -> bool:
    return progress.check is not None and is_lost(progress.check, progress.started) and progress.own_replies < ATTEMPTS


async def _run_check(stage: Stage, command: str) -> loop.Outcome:
    if over := loop.limit(stage.agent, stage.history):
        return over
    call = call_of(stage.agent.tools, command, f"verify_{uuid.uuid4().hex[:20]}")
    if call is None:
        return await _next_round(stage)
    await stage.recorder.keep(e.AgentSpoke(reply_id=uuid.uuid4().hex, parts=(call,), finish="calls"))
    return loop.Continue()


async def _next_round(stage: Stage) -> loop.Outcome:
    if is_done(stage.history):
        return await _judge_claim(stage)
    return await stage.enter("discover", stage.cycle + 1)


async def _judge_claim(stage: Stage) -> loop.Outcome:
    """The agent says that it is done: so it is, unless the tests said otherwise when they ran last."""
    progress = stage.progress
    verdict = progress.verdict
    if verdict is None or verdict.verified or not was_run(progress.check, progress.started):
        return loop.Done()
    if progress.claims > CLAIMS:
        return loop.Limit(f"The agent says that it is done, but the last verification did not pass: {verdict.text} {GO_ON}")
    cycle = stage.cycle + 1
    return await stage.enter("discover", cycle, said("phased-failed", cycle=cycle, verdict=verdict.text), "Done was said too early.")
