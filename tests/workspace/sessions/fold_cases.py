"""Logs that use every fact there is, for the two folds that must agree: `state_after` here and `stateAfter` in the page.

`python -m tests.workspace.sessions.fold_cases` writes them, with the states they lead to, to tests/cases/folds/.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import reduce
from pathlib import Path
from typing import Any

from agents import events as e
from workspace.sessions.protocol import WireEntry
from workspace.sessions.state import SessionState, state_after

FOLDER = Path(__file__).parents[2] / "cases" / "folds"
NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)

OPENED = e.SessionOpened(title="Fix the parser", toolset="oats", provider="scripted", model="demo")
QUEUED = e.RunQueued(run_id="run-1", acting_for="alice")
STARTED = e.RunStarted(run_id="run-1", sandbox="bubblewrap")
PLAN = e.PlanProposed(revision=1, text="# Plan\n\nRead, then edit.", summary="Two steps", hash="h1", plan_file=".plan.md", call_id="c1")
REMARK = e.PlanCommented(comment_id="k1", revision=1, text="Why twice?", quote="Read", start=8)
BASH = e.ApprovalAsked(
    approval_id="a1", call_id="c1", tool="bash", args={"command": "make"}, prompt="bash make", subject="make", hash="h", risk="high"
)
CHOICE = e.QuestionAsked(
    question_id="q1", call_id="c2",
    questions=(e.QuestionItem(question="Which?", header="Way", options=(e.Option(label="A"), e.Option(label="B"))),),
)  # fmt: skip


def spoke(reply: str, *parts: e.Text | e.Reasoning | e.Call, cost: float | None = 0.0125, tokens: int = 100) -> e.AgentSpoke:
    finish = "calls" if any(isinstance(part, e.Call) for part in parts) else "stop"
    usage = e.Usage(input=tokens, output=tokens // 5, cache_read=tokens // 2, cost=cost)
    return e.AgentSpoke(reply_id=reply, parts=parts, finish=finish, provider="scripted", model="demo", usage=usage, seconds=1.5)


def call(call_id: str, tool: str, **arguments: Any) -> e.Call:
    return e.Call(call_id=call_id, tool=tool, arguments=json.dumps(arguments))


ORIGIN = e.AgentOrigin(parent="s-root", root="s-root", call_id="c1", agent_id="ab12cd34", agent_type="explore", depth=1)
JOB = e.JobStarted(job_id="a1", call_id="c1", command="make serve", timeout=300)
REPORT = e.AgentReported(session_id="s-child", title="Look around", origin=ORIGIN, state="running")


LOGS: dict[str, tuple[e.AnyFact, ...]] = {
    "approval": (
        OPENED, e.UserSpoke(message_id="message-1", text="Build it"), QUEUED, STARTED,
        spoke("r1", e.Reasoning(text="Think 🤔"), e.Text(text="I build."), call("c1", "bash", command="make")),
        BASH, e.RunWaiting(run_id="run-1", calls=("c1",)),
        e.ApprovalDecided(approval_id="a1", call_id="c1", verdict="allow", scope="session", hash="h"),
        e.RunResumed(run_id="run-1"), STARTED, e.ToolStarted(call_id="c1", tool="bash", args={"command": "make"}),
        e.ToolFinished(
            call_id="c1", tool="bash", title="Bash", output="ok", seconds=0.4,
            changes=(e.FileChange(path="out", change="created", added=1, diff="+ok"),),
        ),
        spoke("r2", e.Text(text="Done."), cost=None), e.RunFinished(run_id="run-1", outcome="done"),
        e.CommentAdded(comment_id="k0", text="Well done", about=12),
    ),
    "plan": (
        OPENED, QUEUED, STARTED, e.PlanEntered(reason="Large", plan_file=".plan.md"),
        spoke("r1", call("c1", "plan_exit", summary="Two steps")), PLAN, e.RunWaiting(run_id="run-1", calls=("c1",)), REMARK,
        e.PlanReviewed(revision=1, hash="h1", verdict="changes", message="Once", comments=(REMARK,), call_id="c1"),
        e.RunResumed(run_id="run-1"), STARTED, PLAN.model_copy(update={"revision": 2, "hash": "h2", "call_id": "c2"}),
        e.PlanReviewed(revision=1, hash="h1", verdict="approved"), PLAN.model_copy(update={"revision": 3, "hash": "h3", "call_id": ""}),
        e.PlanReviewed(revision=3, hash="h3", verdict="approved", call_id="c2"),
        e.PlanEntered(reason="Again", plan_file=".plan.md"), e.PlanLeft(reason="Enough"),
    ),
    "questions": (
        OPENED, QUEUED, STARTED, BASH, CHOICE, e.QuestionAnswered(question_id="q1", call_id="c2", answers=(e.Answer(labels=("A",)),)),
        e.StopAsked(run_id="run-1"), e.AskCanceled(call_id="c1", ask="approval", reason="stopped"),
        e.PlanEntered(reason="", plan_file="p"), PLAN, e.AskCanceled(call_id="c1", ask="plan", reason="stopped"),
        e.RunFinished(run_id="run-1", outcome="stopped", detail="by alice"),
    ),
    "agents": (
        OPENED, QUEUED, STARTED, spoke("r1", call("c1", "agent", prompt="Look"), call("c2", "agent", prompt="Try")),
        e.AgentStarted(agent_id="ab12cd34", session_id="s-child", call_id="c1", agent_type="explore", title="Look around"), REPORT,
        e.AgentStarted(agent_id="ef56ab78", session_id="s-two", call_id="c2", agent_type="general", title="Try", background=True),
        REPORT.model_copy(update={"session_id": "s-two", "worktree": "open"}), e.RunWaiting(run_id="run-1", calls=("c1",)),
        REPORT.model_copy(update={"state": "waiting", "asks": (
            e.AgentAsk(ask="approval", call_id="c9", seq=7, at=NOON, approval=BASH),
            e.AgentAsk(ask="plan", call_id="c8", seq=8, at=NOON, plan=PLAN),
        )}),
        e.AgentFinished(
            agent_id="ab12cd34", session_id="s-child", call_id="c1", agent_type="explore", outcome="done", output="Found it.", tool_calls=3,
        ),
        REPORT.model_copy(update={"state": "done", "cost": 0.5, "replies": 2}), e.RunResumed(run_id="run-1"), STARTED,
        e.ToolFinished(call_id="c1", tool="agent", title="Agent", output="Found it."), e.ToolsLoaded(tools=("agent_status",)),
    ),
    "below": (
        OPENED.model_copy(update={"origin": ORIGIN}), e.WorktreeMade(branch="countersign/ab12cd34", base="abc"),
        e.MemoryRecalled(
            memory_ids=("m1",), titles=("Style",), memories=(e.RecalledMemory(memory_id="m1", title="Style", content="Tabs", why="tabs"),),
        ),
        e.MemoryLeftOut(memory_id="m1", title="Style"), e.WorktreeLanded(changes=(e.FileChange(path="a", change="created", added=1),)),
        e.WorktreeMade(branch="countersign/two", base="def"), e.WorktreeDropped(reason="Not wanted."),
    ),
    "failures": (
        OPENED, QUEUED, STARTED,
        e.ProviderFailed(reply_id="r1", kind="rate_limit", message="slow down", status=429, retry_in=4.0),
        e.ProviderFailed(reply_id="r1", kind="auth", message="bad key", status=401, attempt=2),
        e.RunFinished(run_id="run-1", outcome="failed", detail="bad key"), QUEUED, e.RunLost(run_id="run-1"), STARTED,
        spoke("r2", e.Text(text="Back."), tokens=0), spoke("r3", e.Text(text="Working."), cost=0.1, tokens=1000),
        e.HistoryCompacted(summary="So far", upto=5, tokens_before=900, usage=e.Usage(input=10, output=5, cost=0.2)),
        e.NoticeGiven(level="warning", text="A weaker sandbox"), e.RunFinished(run_id="run-1", outcome="limit", detail="100 steps"),
    ),
    "jobs": (
        OPENED, QUEUED, STARTED, spoke("r1", call("c1", "bash", command="make serve")), JOB,
        e.ToolFinished(call_id="c1", tool="bash", title="Bash (job a1)", output="Started"),
        JOB.model_copy(update={"job_id": "a2", "call_id": "c2", "terminal": True}), JOB.model_copy(update={"job_id": "a3"}),
        e.JobFinished(job_id="a1", state="completed", exit_code=0, seconds=2.5, artifact=1), e.RunFinished(run_id="run-1", outcome="done"),
        e.JobFinished(job_id="a2", state="failed", error="aborted", seconds=4.0), e.JobFinished(job_id="a3", state="lost", error="Gone."),
        e.JobFinished(job_id="nobody-knows", state="lost"),
        *(JOB.model_copy(update={"job_id": f"b{number}"}) for number in range(19)),
        e.JobFinished(job_id="b3", state="failed", error="Command exited with code 2", exit_code=2, seconds=1.0),
        JOB.model_copy(update={"job_id": "last"}),
    ),
    "workflows": (
        OPENED.model_copy(update={"toolset": "alfredo", "workflow": "verified", "protocol": "xml"}), QUEUED, STARTED,
        e.PhaseEntered(workflow="verified", phase="plan", detail="1 of 50 replies", told="Plan first."),
        spoke("r1", e.Text(text="I plan."), cost=None), e.PhaseEntered(workflow="verified", phase="act"),
        e.ReplyRefused(reply_id="r2", reason="no closing tag", told="Close it."),
        spoke("r3", call("c1", "attempt_completion", result="ok")),
        e.CompletionAttempted(call_id="c1", result="ok", command="make test"), e.PhaseEntered(workflow="verified", phase="verify"),
        e.VerdictGiven(verified=False, text="One test fails", told="Again."),
        e.PhaseEntered(workflow="verified", phase="plan", cycle=2), e.VerdictGiven(verified=True, text="All pass", cycle=2, by="command"),
        e.RunFinished(run_id="run-1", outcome="done"),
        e.SessionConfigured(toolset="atloop", provider="openai", model="m", workflow="phased"),
        e.SessionConfigured(toolset="atloop", provider="openai", model="m", protocol="json"), QUEUED,
        e.PhaseEntered(workflow="phased", phase="discover"), e.SessionConfigured(toolset="atloop", provider="openai", model="m"),
        e.PhaseEntered(workflow="phased", phase="plan"),
        e.SessionConfigured(toolset="atloop", provider="openai", model="m", workflow="react"),
    ),
    "settings": (
        OPENED, e.SessionRenamed(title="Fix the lexer"), e.SessionConfigured(toolset="oats", provider="openai", model="m"),
        e.TodosWritten(todos=(e.Todo(content="Read", status="completed", active="Reading"), e.Todo(content="Edit", status="pending"))),
        e.MemoryWritten(memory_id="m1", title="Style", scope="project", memory_type="feedback"),
        e.MemoryRecalled(memory_ids=("m1",), titles=("Style",)), e.MemoryDeleted(memory_id="m1", title="Style"),
        e.SessionArchived(archived=True),
    ),
}  # fmt: skip


def entries(log: Sequence[e.AnyFact]) -> list[e.Entry]:
    return [
        e.Entry(seq=seq, at=NOON + timedelta(seconds=seq), fact=fact, by="bob" if seq % 3 == 0 else None, run_id=None)
        for seq, fact in enumerate(log, start=1)
    ]


def case(name: str) -> dict[str, Any]:
    """One log as the page gets it, and the state it must lead to."""
    log = entries(LOGS[name])
    state = reduce(state_after, log, SessionState())
    return {"entries": [WireEntry(**vars(entry)).model_dump(mode="json") for entry in log], "state": state.model_dump(mode="json")}


def as_text(name: str) -> str:
    return json.dumps(case(name), indent=1, ensure_ascii=False) + "\n"


def write_all() -> None:
    for name in LOGS:
        (FOLDER / f"{name}.json").write_text(as_text(name), encoding="utf-8")


if __name__ == "__main__":
    write_all()
