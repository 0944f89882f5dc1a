"""Workflows and budgets as a worker drives them: through the real log, tools and sandbox, with the scripted provider as the model."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from pytest_django.fixtures import Settings

from agents import events as e
from agents.budget import Budget
from tests.workspace.sessions import agency
from tests.workspace.sessions.conftest import holds
from tests.workspace.sessions.driving import allow_everything, carry, decide, facts, of, send, state, until
from workspace.accounts.models import User
from workspace.projects.models import Project
from workspace.sessions import actions, log, protocol
from workspace.sessions.models import Session
from workspace.sessions.state import SessionState
from workspace.sessions.workbench import budget_for

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("worker_threads")]

WRITE = "- call: {tool: write, args: {file_path: mood.txt, content: good}, id: w1}\n"
CLAIM = "- call: {tool: attempt_completion, args: {result: It is good.}}\n"
PHASED = WRITE + "- text: It is done.\n"
VERIFIED = "- text: 1. Write.\n" + WRITE + CLAIM + "- text: 'VERIFIED: it is good.'\n"


def work(session: Session, workflow: str, toolset: str = "oats") -> None:
    configured = e.SessionConfigured(toolset=toolset, provider="scripted", model="scripted", workflow=workflow)
    log.append(session.pk, [configured])


def testable(project: Project) -> None:
    (project.root / "build.gradle").write_text("")
    (project.root / "gradlew").write_text("#!/bin/sh\ngrep -qx good mood.txt\n")
    (project.root / "gradlew").chmod(0o755)


async def way(session: Session) -> list[str]:
    return [
        fact.phase if isinstance(fact, e.PhaseEntered) else str(fact.verified)
        for fact in await facts(session)
        if isinstance(fact, e.PhaseEntered | e.VerdictGiven)
    ]


async def test_a_phased_run_ends_verified_and_every_fold_agrees(session: Session, project: Project, alice: User, scripted: Any) -> None:
    testable(project)
    await sync_to_async(work)(session, "phased")
    await allow_everything(session)
    scripted(PHASED)
    await send(session, alice)
    await carry(session)
    assert await state(session) == "done"
    assert await way(session) == ["discover", "plan", "act", "verify", "True", "discover", "plan"]
    assert session.view.phase.verified is True
    await sync_to_async(holds)(session, SessionState())


async def test_people_approve_the_tests_of_a_phased_run(session: Session, project: Project, alice: User, scripted: Any) -> None:
    testable(project)
    await sync_to_async(work)(session, "phased")
    scripted(PHASED)
    await send(session, alice)
    await carry(session)
    (first,) = await of(e.ApprovalAsked, session)
    await decide(session, alice, first)
    assert (await state(session), session.view.phase.phase) == ("waiting", "verify")
    asked = (await of(e.ApprovalAsked, session))[-1]
    assert (asked.tool, asked.subject) == ("bash", "./gradlew test")
    await decide(session, alice, asked)
    assert await state(session) == "done"
    await sync_to_async(holds)(session, SessionState())


async def test_a_verified_run_of_a_toolset_without_completion_is_given_it(session: Session, alice: User, scripted: Any) -> None:
    await sync_to_async(work)(session, "verified")
    await allow_everything(session)
    scripted(VERIFIED)
    await send(session, alice)
    await carry(session)
    assert await state(session) == "done"
    assert await way(session) == ["plan", "act", "verify", "True"]
    (done,) = await of(e.CompletionAttempted, session)
    assert done.result == "It is good."
    await sync_to_async(holds)(session, SessionState())


async def test_a_worker_that_shuts_down_in_any_phase_leaves_the_run_to_another(
    session: Session, project: Project, alice: User, scripted: Any
) -> None:
    testable(project)
    await sync_to_async(work)(session, "phased")
    await allow_everything(session)
    slow = WRITE.replace("- call", "- - delay: 0.3\n  - call")
    scripted(slow + "- text: It is done.\n")
    await send(session, alice)
    for phase in ("plan", "verify"):
        task = asyncio.create_task(carry(session))
        await until(lambda phase=phase: entered(session, phase))  # type: ignore[misc]
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    await carry(session)
    assert await state(session) == "done"
    assert (await way(session))[-4:] == ["verify", "True", "discover", "plan"]
    await sync_to_async(holds)(session, SessionState())


async def entered(session: Session, phase: str) -> bool:
    return any(fact.phase == phase for fact in await of(e.PhaseEntered, session))


@pytest.mark.parametrize("phase", ["plan", "act", "verify"])
async def test_a_stop_in_any_phase_ends_the_run(session: Session, project: Project, alice: User, scripted: Any, phase: str) -> None:
    testable(project)
    (project.root / "gradlew").write_text("#!/bin/sh\nsleep 60\n")
    await sync_to_async(work)(session, "phased")
    await allow_everything(session)
    sleep = "- call: {tool: bash, args: {command: sleep 60}}\n"
    scripted({"plan": "- - hang: true\n", "act": sleep, "verify": WRITE}[phase])
    await send(session, alice)
    task = asyncio.create_task(carry(session))
    await until(lambda: begun(session, phase))
    await sync_to_async(actions.stop_run)(session, alice, protocol.StopRun())
    await task
    assert await state(session) == "stopped"
    assert session.view.phase.phase == ""
    assert all(finished.error for finished in await of(e.ToolFinished, session) if finished.tool == "bash")
    await sync_to_async(holds)(session, SessionState())


async def begun(session: Session, phase: str) -> bool:
    started = [fact.tool for fact in await of(e.ToolStarted, session)]
    return await entered(session, phase) and (phase == "plan" or "bash" in started)


async def test_another_workflow_chosen_while_the_run_waits_holds_when_it_goes_on(
    session: Session, project: Project, alice: User, scripted: Any
) -> None:
    testable(project)
    await sync_to_async(work)(session, "phased")
    scripted(PHASED)
    await send(session, alice)
    await carry(session)
    chosen = protocol.ConfigureSession(provider="scripted", model="scripted", toolset="oats", workflow="react")
    await sync_to_async(actions.configure_session)(session, alice, chosen)
    (asked,) = await of(e.ApprovalAsked, session)
    await decide(session, alice, asked)
    assert await state(session) == "done"
    assert await way(session) == ["discover", "plan", "act"]


async def test_the_operators_budget_holds_in_every_workflow(session: Session, alice: User, scripted: Any, settings: Settings) -> None:
    settings.TOOL_CALLS = 2
    calls = "  ".join(f"- call: {{tool: glob, args: {{pattern: '*.{number}'}}}}\n" for number in range(10))
    scripted(f"- {calls}- text: seen\n")
    await send(session, alice)
    await carry(session)
    assert await state(session) == "limit"
    assert len(await of(e.ToolStarted, session)) == 2
    assert "2 tool calls" in session.view.run.detail


async def test_the_seconds_of_a_run_cut_its_command(session: Session, alice: User, scripted: Any, settings: Settings) -> None:
    settings.RUN_SECONDS = 1
    await allow_everything(session)
    scripted("- call: {tool: bash, args: {command: 'echo begun; sleep 60'}}\n")
    await send(session, alice)
    await carry(session)
    assert await state(session) == "limit"
    (finished,) = await of(e.ToolFinished, session)
    assert "time that the run may work is over" in finished.error


async def test_agent_loop_ends_after_eight_rounds_with_a_warning(session: Session, project: Project, alice: User, scripted: Any) -> None:
    (project.root / "a.txt").write_text("hello\n")
    await sync_to_async(work)(session, "react", "agent_loop")
    scripted("".join(f"- call: {{tool: calculate, args: {{expression: '{number} + 1'}}}}\n" for number in range(20)))
    await send(session, alice)
    await carry(session)
    assert await state(session) == "limit"
    assert len(await of(e.ToolFinished, session)) == 8
    assert session.view.run.detail.startswith("[loop warning]")


async def test_a_workflow_there_is_none_of_any_more_is_react(session: Session, alice: User, scripted: Any) -> None:
    await sync_to_async(work)(session, "gone")
    scripted("- text: hello\n")
    await send(session, alice)
    await carry(session)
    assert await state(session) == "done"


def test_a_toolset_brings_its_rounds_and_the_operator_the_rest(settings: Settings) -> None:
    settings.MODEL_CALLS, settings.TOOL_CALLS, settings.RUN_SECONDS = 5, None, 60
    assert budget_for("agent_loop") == Budget(5, None, 60, 8)
    assert budget_for("oats") == Budget(5, None, 60, None)


async def test_a_sub_agent_that_ends_by_completion_reports_its_result(session: Session, alice: User, scripted: Any) -> None:
    await sync_to_async(work)(session, "react", "alfredo")
    await allow_everything(session)
    child = "- match: child\n  turns: [{call: {tool: attempt_completion, args: {result: The wall is red.}}}]\n"
    scripted(f"scenarios:\n{child}- turns:\n  - call: {{tool: agent, args: {{prompt: child}}}}\n  - text: Thanks.\n")
    await send(session, alice)
    await agency.work()
    assert await state(session) == "done"
    (finished,) = await of(e.AgentFinished, session)
    assert finished.output == "The wall is red."
