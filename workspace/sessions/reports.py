"""What a sub-agent's session lets the root of its tree know of itself."""

from __future__ import annotations

from agents import events as e
from workspace.sessions.state import OpenAsk, SessionState


def report_due(before: SessionState, after: SessionState, session_id: str) -> e.AgentReported | None:
    """The report to keep in the root's log, None where nothing has changed that it shows. Counts alone are no reason for one."""
    if after.origin is None or _shown(before) == _shown(after):
        return None
    return e.AgentReported(
        session_id=session_id, title=after.title, origin=after.origin, state=after.run.state, detail=after.run.detail,
        worktree=after.worktree.state if after.worktree else "", asks=tuple(_ask(after, ask) for ask in after.asks),
        replies=after.usage.requests, cost=after.usage.cost,
    )  # fmt: skip


def _shown(state: SessionState) -> tuple[object, ...]:
    worktree = state.worktree.state if state.worktree else ""
    return state.origin, state.title, state.run.state, state.asks, state.plan.hash if state.plan.stage == "proposed" else "", worktree


def _ask(state: SessionState, ask: OpenAsk) -> e.AgentAsk:
    plan = state.plan
    proposed = e.PlanProposed(
        revision=plan.revision, text=plan.text, summary=plan.summary, hash=plan.hash, plan_file=plan.plan_file, call_id=plan.call_id
    )
    return e.AgentAsk(
        ask=ask.ask, call_id=ask.call_id, seq=ask.seq, at=ask.at, approval=ask.approval, question=ask.question,
        plan=proposed if ask.ask == "plan" else None,
    )  # fmt: skip
