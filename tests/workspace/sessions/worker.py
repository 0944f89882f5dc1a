"""A worker's part played by hand: what a run says, without a model."""

from __future__ import annotations

import json

from agents import events as e
from agents.plan import plan_hash
from agents.tools.tool import call_hash
from workspace.sessions import log, runs
from workspace.sessions.models import Run, Session
from workspace.sessions.runs import Lease

MAKE = {"command": "make test"}
ASKED = e.ApprovalAsked(
    approval_id="a-c1", call_id="c1", tool="bash", args=MAKE, prompt="bash make test", subject="make test", hash=call_hash("bash", MAKE)
)
CHOICE = e.QuestionAsked(
    question_id="q-c1",
    call_id="c1",
    questions=(e.QuestionItem(question="Which way?", options=(e.Option(label="Left"), e.Option(label="Right"))),),
)
TEXT = "# Plan\n\nRead, then edit."
PROPOSED = e.PlanProposed(revision=1, text=TEXT, summary="Two steps", hash=plan_hash(TEXT), plan_file=".plan.md", call_id="c1")
ENTERED = e.PlanEntered(reason="It is large", plan_file=".plan.md")


def spoke(*calls: str, text: str = "I see.") -> e.AgentSpoke:
    """A reply that calls bash under each of these ids."""
    made = tuple(e.Call(call_id=call_id, tool="bash", arguments=json.dumps(MAKE)) for call_id in calls)
    return e.AgentSpoke(reply_id=f"reply-{'-'.join(calls)}", parts=(e.Text(text=text), *made), finish="calls" if calls else "stop")


def take_up(session: Session) -> Lease:
    """Claim the session's open run, as a worker does."""
    run_id = Run.objects.filter(session=session).unfinished().values_list("public_id", flat=True).get()
    run = Run.objects.claim(run_id)
    assert run is not None
    say(session, run.public_id, e.RunStarted(run_id=run.public_id))
    return Lease(run.public_id, run.lease)


def say(session: Session, run_id: str, *facts: e.AnyFact) -> None:
    log.append(session.pk, facts, run=run_id)


def wait_on(session: Session, *asks: e.AnyFact) -> Lease:
    """Make a call, ask about it, and leave the run to people."""
    lease = take_up(session)
    say(session, lease.run_id, spoke("c1"), *asks)
    assert runs.wait(lease, ["c1"])
    return lease
