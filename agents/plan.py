"""What state a session's plan is in: a small fold of plan facts, shared by the tools, the permissions and the page."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Literal

from agents.events import AnyFact, AskCanceled, PlanEntered, PlanLeft, PlanProposed, PlanReviewed

Stage = Literal["none", "planning", "proposed", "approved", "left"]


@dataclass(frozen=True)
class PlanState:
    """`stage` "planning" and "proposed" hold back every tool that could change anything. `revision` 0 = none proposed yet."""

    stage: Stage = "none"
    reason: str = ""
    plan_file: str = ""
    revision: int = 0
    summary: str = ""
    text: str = ""
    hash: str = ""
    call_id: str = ""
    own: str = ""
    """Hash of the text that the agent itself proposed last; people may have revised it since."""

    @property
    def holds_back(self) -> bool:
        return self.stage in ("planning", "proposed")


def plan_after(plan: PlanState, fact: AnyFact) -> PlanState:
    """The plan's state once this fact has happened."""
    match fact:
        case PlanEntered():
            return replace(plan, stage="planning", reason=fact.reason, plan_file=fact.plan_file)
        case PlanProposed():
            return replace(
                plan, stage="proposed", revision=fact.revision, text=fact.text, summary=fact.summary,
                hash=fact.hash, plan_file=fact.plan_file, call_id=fact.call_id or plan.call_id,
                own=plan.own if plan.stage == "proposed" else fact.hash,  # while its proposal waits, only people write another
            )  # fmt: skip
        case PlanReviewed(verdict="approved") if fact.hash == plan.hash:
            return replace(plan, stage="approved", call_id="")
        case PlanReviewed(verdict="changes"):
            return replace(plan, stage="planning", call_id="")
        case PlanLeft():
            return replace(plan, stage="left", call_id="")
        case AskCanceled(ask="plan"):
            return replace(plan, stage="planning", call_id="")
    return plan


def plan_hash(text: str) -> str:
    """SHA-256 (hex) of the plan's text: what an approval of it names."""
    return hashlib.sha256(text.encode()).hexdigest()
