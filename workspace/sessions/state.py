"""What a session's page shows besides its transcript: one small value folded from the log, kept on the session's row.

`state_after` is pure and has a twin in the page (`frontend/src/sessions/apply.ts`); both are tested on the same logs.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict

from agents import events as e
from agents.plan import PlanState, Stage, plan_after

RunState = Literal["idle", "queued", "running", "waiting", "done", "stopped", "failed", "limit"]


class Value(BaseModel):
    """Base of what this module holds: immutable and closed."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class RunView(Value):
    """The session's latest run. `since` is when it entered this state."""

    run_id: str = ""
    state: RunState = "idle"
    detail: str = ""
    acting_for: str = ""
    sandbox: str = ""
    stop_asked: bool = False
    since: datetime | None = None


class PlanView(Value):
    """The plan as it stands, with every comment made on any of its revisions."""

    stage: Stage = "none"
    reason: str = ""
    plan_file: str = ""
    revision: int = 0
    summary: str = ""
    text: str = ""
    hash: str = ""
    call_id: str = ""
    comments: tuple[e.PlanCommented, ...] = ()
    reviewed_by: str | None = None


class OpenAsk(Value):
    """Something that waits for a person: an approval, a question or a proposed plan (whose text is in `PlanView`)."""

    ask: Literal["approval", "question", "plan"]
    call_id: str
    seq: int
    at: datetime
    approval: e.ApprovalAsked | None = None
    question: e.QuestionAsked | None = None


class UsageView(Value):
    """Tokens and dollars of the whole session. `context` is how much the last request and its reply held."""

    requests: int = 0
    input: int = 0
    output: int = 0
    cache_read: int = 0
    cost: float = 0.0
    unpriced: int = 0
    context: int = 0


class WorktreeView(Value):
    """Where a sub-agent's own git worktree stands. `base` is the commit it began with, `changes` what was landed."""

    branch: str
    base: str
    state: Literal["open", "landed", "dropped"] = "open"
    changes: tuple[e.FileChange, ...] = ()


class Recalled(Value):
    """A memory the agent was told of at the start. `left_out`: a person took it out again."""

    memory_id: str
    title: str
    why: str
    left_out: bool = False


class JobView(Value):
    """A background job. `seconds` is how long it took, `artifact` the number of its whole output; both once it has ended."""

    job_id: str
    call_id: str
    command: str
    state: Literal["running", "completed", "failed", "lost"] = "running"
    terminal: bool = False
    began: datetime
    exit_code: int | None = None
    error: str = ""
    seconds: float = 0.0
    artifact: int | None = None


class PhaseView(Value):
    """Where the run's workflow stands; `phase` is "" outside of it. `verified` is what the run's last check found, None before one."""

    phase: str = ""
    cycle: int = 0
    detail: str = ""
    since: datetime | None = None
    verified: bool | None = None


MOST_JOBS = 20
"""Jobs that the state tells of; of more the oldest that have ended leave."""


class SessionState(Value):
    """Snapshot of one session at `head`; every entry behind it is applied with `state_after`."""

    head: int = 0
    title: str = ""
    toolset: str = ""
    provider: str = ""
    model: str = ""
    workflow: str = "react"
    protocol: str = "native"
    phase: PhaseView = PhaseView()
    archived: bool = False
    run: RunView = RunView()
    plan: PlanView = PlanView()
    todos: tuple[e.Todo, ...] = ()
    asks: tuple[OpenAsk, ...] = ()
    usage: UsageView = UsageView()
    origin: e.AgentOrigin | None = None
    worktree: WorktreeView | None = None
    agents: tuple[e.AgentReported, ...] = ()
    """Every sub-agent below a root session, in the order they began."""
    pending: tuple[str, ...] = ()
    """Call ids of the sub-agents that calls wait for."""
    recalled: tuple[Recalled, ...] = ()
    jobs: tuple[JobView, ...] = ()


def state_after(state: SessionState, entry: e.Entry) -> SessionState:
    """The state once this entry has happened. Contract: `entry.seq` is `state.head + 1`."""
    changed = _changes(state, entry)
    return state.model_copy(update={**changed, "head": entry.seq})


def _changes(state: SessionState, entry: e.Entry) -> dict[str, object]:  # noqa: C901 — one arm a fact, nothing nested
    fact = entry.fact
    match fact:
        case e.SessionOpened() | e.SessionConfigured():
            return _set_to(state, fact)
        case e.SessionRenamed():
            return {"title": fact.title}
        case e.SessionArchived():
            return {"archived": fact.archived}
        case e.TodosWritten():
            return {"todos": fact.todos}
        case e.AgentSpoke() | e.HistoryCompacted():
            return {"usage": _usage_after(state.usage, fact)}
        case e.ApprovalAsked():
            return {"asks": (*state.asks, OpenAsk(ask="approval", call_id=fact.call_id, seq=entry.seq, at=entry.at, approval=fact))}
        case e.QuestionAsked():
            return {"asks": (*state.asks, OpenAsk(ask="question", call_id=fact.call_id, seq=entry.seq, at=entry.at, question=fact))}
        case e.ApprovalDecided() | e.QuestionAnswered():
            return {"asks": _without(state.asks, fact.call_id)}
        case e.AskCanceled():
            return {"asks": _without(state.asks, fact.call_id), **(_plan_changes(state, entry) if fact.ask == "plan" else {})}
        case e.PlanEntered() | e.PlanProposed() | e.PlanReviewed() | e.PlanLeft() | e.PlanCommented():
            return _plan_changes(state, entry)
        case e.AgentStarted() | e.AgentFinished() | e.ToolFinished() | e.AgentReported():
            return _agent_changes(state, fact)
        case e.WorktreeMade() | e.WorktreeLanded() | e.WorktreeDropped():
            return {"worktree": _worktree_after(state.worktree, fact)}
        case e.JobStarted() | e.JobFinished():
            return {"jobs": _jobs_after(state.jobs, entry.at, fact)}
        case e.PhaseEntered() | e.VerdictGiven():
            return {"phase": _phase_after(state.phase, entry.at, fact)}
        case e.RunQueued() | e.RunFinished():
            return {**_run_changes(state.run, entry), "phase": _phase_after(state.phase, entry.at, fact)}
        case e.MemoryRecalled() | e.MemoryLeftOut():
            return {"recalled": _recalled_after(state.recalled, fact)}
        case _:
            return _run_changes(state.run, entry)


def _set_to(state: SessionState, fact: e.SessionOpened | e.SessionConfigured) -> dict[str, object]:
    changed: dict[str, object] = {name: told for name, told in fact if name != "type" and (told or name not in ("workflow", "protocol"))}
    same = changed.get("workflow", state.workflow) == state.workflow
    return changed if same else {**changed, "phase": PhaseView(verified=state.phase.verified)}


def _phase_after(phase: PhaseView, at: datetime, fact: e.PhaseEntered | e.VerdictGiven | e.RunQueued | e.RunFinished) -> PhaseView:
    match fact:
        case e.VerdictGiven():
            return phase.model_copy(update={"verified": fact.verified})
        case e.PhaseEntered():
            return PhaseView(phase=fact.phase, cycle=fact.cycle, detail=fact.detail, since=at, verified=phase.verified)
    return PhaseView(verified=phase.verified if isinstance(fact, e.RunFinished) else None)


def _agent_changes(state: SessionState, fact: e.AgentStarted | e.AgentFinished | e.ToolFinished | e.AgentReported) -> dict[str, object]:
    match fact:
        case e.AgentReported():
            known = any(agent.session_id == fact.session_id for agent in state.agents)
            replaced = tuple(fact if agent.session_id == fact.session_id else agent for agent in state.agents)
            return {"agents": replaced if known else (*state.agents, fact)}
        case e.AgentStarted():
            return {} if fact.background else {"pending": (*state.pending, fact.call_id)}
    return {"pending": tuple(call_id for call_id in state.pending if call_id != fact.call_id)} if state.pending else {}


def _worktree_after(worktree: WorktreeView | None, fact: e.WorktreeMade | e.WorktreeLanded | e.WorktreeDropped) -> WorktreeView | None:
    match fact:
        case e.WorktreeMade():
            return WorktreeView(branch=fact.branch, base=fact.base)
        case e.WorktreeLanded():
            return worktree and worktree.model_copy(update={"state": "landed", "changes": fact.changes})
        case e.WorktreeDropped():
            return worktree and worktree.model_copy(update={"state": "dropped"})


def _recalled_after(recalled: tuple[Recalled, ...], fact: e.MemoryRecalled | e.MemoryLeftOut) -> tuple[Recalled, ...]:
    if isinstance(fact, e.MemoryRecalled):
        return (*recalled, *(Recalled(memory_id=one.memory_id, title=one.title, why=one.why) for one in fact.memories))
    return tuple(one.model_copy(update={"left_out": True}) if one.memory_id == fact.memory_id else one for one in recalled)


def _jobs_after(jobs: tuple[JobView, ...], at: datetime, fact: e.JobStarted | e.JobFinished) -> tuple[JobView, ...]:
    if isinstance(fact, e.JobStarted):
        past = [job for job in jobs if job.state != "running"]
        gone = past[: max(0, len(jobs) + 1 - MOST_JOBS)]
        begun = JobView(job_id=fact.job_id, call_id=fact.call_id, command=fact.command, terminal=fact.terminal, began=at)
        return (*(job for job in jobs if job not in gone), begun)
    ended = fact.model_dump(exclude={"type", "job_id"})
    return tuple(job.model_copy(update=ended) if job.job_id == fact.job_id else job for job in jobs)


def _usage_after(usage: UsageView, fact: e.AgentSpoke | e.HistoryCompacted) -> UsageView:
    more = fact.usage
    counted = more.input + more.output > 0
    context = more.input + more.output if counted else usage.context
    return UsageView(
        requests=usage.requests + counted,
        input=usage.input + more.input,
        output=usage.output + more.output,
        cache_read=usage.cache_read + more.cache_read,
        cost=round(usage.cost + (more.cost or 0.0), 6),
        unpriced=usage.unpriced + (counted and more.cost is None),
        context=0 if isinstance(fact, e.HistoryCompacted) else context,
    )


def _without(asks: tuple[OpenAsk, ...], call_id: str) -> tuple[OpenAsk, ...]:
    return tuple(ask for ask in asks if ask.call_id != call_id)


def _plan_changes(state: SessionState, entry: e.Entry) -> dict[str, object]:
    fact, plan = entry.fact, state.plan
    fields = plan.model_dump(exclude={"comments", "reviewed_by"})
    after = plan_after(PlanState(**fields), fact)
    update: dict[str, object] = {name: value for name, value in vars(after).items() if name in fields}
    if isinstance(fact, e.PlanCommented):
        update["comments"] = (*plan.comments, fact)
    if isinstance(fact, e.PlanReviewed):
        update["reviewed_by"] = entry.by
    asks = _without(state.asks, plan.call_id) if plan.call_id else state.asks
    asks = tuple(ask for ask in asks if ask.ask != "plan")
    if after.stage == "proposed":
        asks = (*asks, OpenAsk(ask="plan", call_id=after.call_id, seq=entry.seq, at=entry.at))
    return {"plan": plan.model_copy(update=update), "asks": asks if not isinstance(fact, e.PlanCommented) else state.asks}


def _run_changes(run: RunView, entry: e.Entry) -> dict[str, object]:
    def now(state: RunState, **more: object) -> dict[str, object]:
        return {"run": run.model_copy(update={"state": state, "since": entry.at, **more})}

    fact = entry.fact
    match fact:
        case e.RunQueued():
            return {"run": RunView(run_id=fact.run_id, state="queued", acting_for=fact.acting_for, since=entry.at)}
        case e.RunStarted():
            return now("running", sandbox=fact.sandbox)
        case e.RunWaiting():
            return now("waiting")
        case e.RunResumed() | e.RunLost():
            return now("queued")
        case e.StopAsked():
            return {"run": run.model_copy(update={"stop_asked": True})}
        case e.RunFinished():
            return now(fact.outcome, detail=fact.detail, stop_asked=False)
    return {}
