"""How an agent goes about a run: drivers of the same step, each with phases of its own."""

from __future__ import annotations

from agents.workflows.phased import Phased
from agents.workflows.react import React
from agents.workflows.verified import Verified
from agents.workflows.workflow import Workflow

WORKFLOWS: dict[str, Workflow] = {workflow.name: workflow for workflow in (React(), Verified(), Phased())}


def workflow(name: str) -> Workflow:
    """The workflow of this name; `react` for one there is none of any more."""
    return WORKFLOWS.get(name) or WORKFLOWS["react"]
