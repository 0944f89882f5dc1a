"""What a terminal is shown of a session."""

from __future__ import annotations

import pytest
from django.utils import timezone

from agents import events as e
from workspace.management.telling import told


def entry(fact: e.AnyFact) -> e.Entry:
    return e.Entry(seq=1, at=timezone.now(), fact=fact, by=None, run_id=None)


@pytest.mark.parametrize(
    ("fact", "line"),
    [
        (e.PhaseEntered(workflow="phased", phase="verify", cycle=2, detail="pytest -q"), "~ verify, round 2: pytest -q"),
        (e.PhaseEntered(workflow="verified", phase="act"), "~ act, round 1"),
        (e.VerdictGiven(verified=False, text="`pytest -q` failed.", by="command"), "~ not verified: `pytest -q` failed."),
        (e.ReplyRefused(reply_id="r", reason="no JSON", told="Write JSON."), "! The reply could not be read: no JSON"),
    ],
)
def test_where_a_workflow_stands_is_a_line(fact: e.AnyFact, line: str) -> None:
    assert told(entry(fact)) == line


@pytest.mark.parametrize("trick", ["\x1b[2K", "\r", "\x9b1A", "\u202e", "\x08"])
def test_nothing_that_a_tool_or_a_model_says_is_obeyed_by_the_terminal(trick: str) -> None:
    asked = e.ApprovalAsked(
        approval_id="a1", call_id="c1", tool="bash",
        args={}, prompt=f"rm -rf .{trick}ls", subject="", hash="", preview=f"+{trick}", risk="low"
    )  # fmt: skip
    shown = told(entry(asked))
    assert shown.startswith("? May it? rm -rf .\ufffd")
    assert trick[0] not in shown
