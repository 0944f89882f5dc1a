"""What people decide: once, by whoever is first, and only for exactly what was looked at."""

from __future__ import annotations

from typing import Any

import pytest

from agents import events as e
from agents.plan import plan_hash
from tests.workspace.sessions import worker
from tests.workspace.sessions.commands import ALLOW, APPROVE, CHANGE, LEFT, STOP, Do, facts, state_of
from workspace.accounts.models import Membership, Team, User
from workspace.errors import Conflict, Forbidden, Invalid, Missing
from workspace.projects.models import Project, Rule
from workspace.sessions import log, runs
from workspace.sessions import protocol as p
from workspace.sessions.actions import perform
from workspace.sessions.models import Approval, PlanRevision, Question, Session

# --- approvals ---------------------------------------------------------------------------------------------------------


def test_an_approval_wakes_the_run(started: Session, alice: User, do: Do) -> None:
    lease = worker.wait_on(started, worker.ASKED)
    do(alice, ALLOW)
    assert facts(started, started.head - 2) == [
        e.ApprovalDecided(approval_id="a-c1", call_id="c1", verdict="allow", hash=worker.ASKED.hash),
        e.RunResumed(run_id=lease.run_id),
    ]
    assert (state_of(started), started.asks) == ("queued", 0)
    row = Approval.objects.get()
    assert (row.state, row.decided_by, row.decided_seq) == ("allow", alice, started.head - 1)


def test_the_second_decision_is_told_who_was_first(started: Session, team: Team, alice: User, bob: User, do: Do) -> None:
    Membership.objects.filter(user=bob).update(role="reviewer")
    worker.wait_on(started, worker.ASKED)
    do(bob, ALLOW.model_copy(update={"verdict": "deny", "reason": "Not today."}))
    with pytest.raises(Conflict, match="Bob Boyd declined it") as late:
        do(alice, ALLOW)
    assert late.value.by == bob


def test_an_approval_of_anything_else_is_refused(started: Session, alice: User, do: Do) -> None:
    worker.wait_on(started, worker.ASKED)
    with pytest.raises(Conflict, match="changed since you looked"):
        do(alice, ALLOW.model_copy(update={"hash": "0" * 64}))
    assert started.asks == 1


def test_an_approval_that_was_never_asked_is_missing(started: Session, alice: User, do: Do) -> None:
    with pytest.raises(Missing):
        do(alice, ALLOW)


def test_an_approval_after_the_stop_is_told_of_the_stop(started: Session, alice: User, bob: User, do: Do) -> None:
    worker.wait_on(started, worker.ASKED)
    do(bob, STOP)
    with pytest.raises(Conflict, match="stopped the run") as late:
        do(alice, ALLOW)
    assert late.value.by == bob


def test_a_decision_while_the_step_still_runs_leaves_the_run_to_its_worker(started: Session, alice: User, do: Do) -> None:
    lease = worker.take_up(started)
    worker.say(started, lease.run_id, worker.spoke("c1"), worker.ASKED)
    do(alice, ALLOW)
    assert state_of(started) == "running"
    assert not runs.wait(lease, ["c1"])
    assert runs.renew(lease) == "held"


def test_the_same_id_may_be_asked_about_again(started: Session, alice: User, do: Do) -> None:
    worker.wait_on(started, worker.ASKED)
    do(alice, ALLOW)
    worker.wait_on(started, worker.ASKED)
    do(alice, ALLOW)
    assert started.asks == 0


def test_a_decision_for_the_project_becomes_a_rule(started: Session, alice: User, do: Do) -> None:
    asked = worker.ASKED.model_copy(update={"tool": "write", "subject": "docs/[a]*.md"})
    worker.wait_on(started, asked)
    do(alice, ALLOW.model_copy(update={"scope": "project"}))
    rule = Rule.objects.get()
    assert (rule.tool, rule.action, rule.made_by) == ("write", "allow", alice)
    matches = started.project.rules_for_agent()[0].matches
    assert matches("write", "docs/[a]*.md")
    assert not matches("write", "docs/a1.md")


def test_a_rule_for_a_command_line_names_each_of_its_commands(started: Session, alice: User, do: Do) -> None:
    worker.wait_on(started, worker.ASKED.model_copy(update={"subject": "make lint && make test"}))
    do(alice, ALLOW.model_copy(update={"scope": "project"}))
    assert [rule.pattern for rule in Rule.objects.all()] == ["make lint", "make test"]


def test_no_rule_is_made_of_a_command_that_computes(started: Session, alice: User, do: Do) -> None:
    worker.wait_on(started, worker.ASKED.model_copy(update={"subject": "rm $(cat list)"}))
    with pytest.raises(Invalid, match="No rule can name this"):
        do(alice, ALLOW.model_copy(update={"scope": "project"}))
    assert (started.asks, Rule.objects.count()) == (1, 0)


def test_a_reviewer_cannot_make_rules(started: Session, bob: User, do: Do) -> None:
    Membership.objects.filter(user=bob).update(role="reviewer")
    worker.wait_on(started, worker.ASKED)
    with pytest.raises(Forbidden):
        do(bob, ALLOW.model_copy(update={"scope": "project"}))
    assert started.asks == 1


# --- questions ---------------------------------------------------------------------------------------------------------


def test_an_answer_wakes_the_run(started: Session, bob: User, do: Do) -> None:
    worker.wait_on(started, worker.CHOICE)
    do(bob, LEFT)
    assert (state_of(started), Question.objects.get().state) == ("queued", "answered")
    with pytest.raises(Conflict, match="Bob Boyd answered it"):
        do(bob, LEFT)


@pytest.mark.parametrize(
    "answers",
    [
        (e.Answer(labels=("Up",)),),
        (e.Answer(labels=("Left", "Right")),),
        (e.Answer(text="  "),),
        (e.Answer(labels=("Left",)), e.Answer(labels=("Left",))),
    ],
)
def test_an_answer_that_does_not_fit_is_refused(started: Session, bob: User, do: Do, answers: tuple[e.Answer, ...]) -> None:
    worker.wait_on(started, worker.CHOICE)
    with pytest.raises(Invalid):
        do(bob, p.AnswerQuestion(question_id="q-c1", answers=answers))
    assert (started.asks, Question.objects.get().state) == (1, "open")


# --- plans -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def proposed(started: Session) -> Session:
    worker.wait_on(started, worker.ENTERED, worker.PROPOSED)
    return started


def test_an_approved_plan_wakes_the_run(proposed: Session, alice: User, do: Do) -> None:
    do(alice, APPROVE)
    assert (proposed.view.plan.stage, proposed.view.plan.reviewed_by) == ("approved", alice.public_id)
    assert (state_of(proposed), PlanRevision.objects.get().state) == ("queued", "approved")
    with pytest.raises(Conflict, match="Alice Ames approved it"):
        do(alice, CHANGE)


def test_a_request_for_changes_takes_the_comments_along_and_approves_nothing(proposed: Session, alice: User, bob: User, do: Do) -> None:
    do(bob, p.CommentPlan(revision=1, text="Why twice?", quote="Read", start=0))
    do(alice, CHANGE)
    reviewed = facts(proposed, proposed.head - 2)[0]
    assert isinstance(reviewed, e.PlanReviewed)
    assert [(one.text, one.quote, one.start) for one in reviewed.comments] == [("Why twice?", "Read", 8)]
    assert (proposed.view.plan.stage, PlanRevision.objects.get().state) == ("planning", "changes")


def test_a_request_for_changes_says_something(proposed: Session, alice: User, do: Do) -> None:
    with pytest.raises(Invalid):
        do(alice, CHANGE.model_copy(update={"message": " "}))
    assert proposed.view.plan.stage == "proposed"


def test_a_comment_quotes_words_of_the_plan(proposed: Session, bob: User, do: Do) -> None:
    with pytest.raises(Invalid):
        do(bob, p.CommentPlan(revision=1, text="Hm", quote="delete everything"))
    with pytest.raises(Missing):
        do(bob, p.CommentPlan(revision=2, text="Hm"))


def test_a_person_revises_the_plan_and_the_old_revision_is_past_approval(proposed: Session, alice: User, bob: User, do: Do) -> None:
    do(bob, p.RevisePlan(base=1, text="# Plan\n\nEdit."))
    latest = PlanRevision.objects.get(revision=2)
    assert (latest.by, latest.hash, latest.call_id) == (bob, plan_hash("# Plan\n\nEdit."), "c1")
    assert state_of(proposed) == "waiting"
    with pytest.raises(Conflict, match="Bob Boyd put up a newer revision"):
        do(alice, APPROVE)
    do(alice, p.ReviewPlan(revision=2, hash=latest.hash, verdict="approved"))
    assert proposed.view.plan.text == "# Plan\n\nEdit."


@pytest.mark.parametrize(("stands", "then"), [("as proposed", "Mine"), ("newer", "newer"), (None, None)])
def test_a_revision_goes_into_the_plan_file_unless_something_else_stands_there(
    session: Session, project: Project, bob: User, django_capture_on_commit_callbacks: Any, stands: str | None, then: str | None
) -> None:  # fmt: skip
    plan = worker.PROPOSED.model_copy(update={"plan_file": ".coder/plan.md"})
    log.append(session.pk, [worker.ENTERED, plan])
    file = project.root / plan.plan_file
    if stands is not None:
        file.parent.mkdir()
        file.write_text(plan.text if stands == "as proposed" else stands)
    with django_capture_on_commit_callbacks(execute=True):
        perform(session, bob, p.RevisePlan(base=1, text="Mine"))
    assert (file.read_text() if file.exists() else None) == then
    assert PlanRevision.objects.get(revision=2).text == "Mine"


def test_nobody_revises_what_he_has_not_read(proposed: Session, alice: User, bob: User, do: Do) -> None:
    do(bob, p.RevisePlan(base=1, text="Mine"))
    with pytest.raises(Conflict) as late:
        do(alice, p.RevisePlan(base=1, text="Hers"))
    assert late.value.by == bob
    assert PlanRevision.objects.count() == 2


def test_plan_mode_can_be_left_without_a_plan(proposed: Session, alice: User, do: Do) -> None:
    do(alice, p.LeavePlan(reason="Small enough"))
    assert (proposed.view.plan.stage, state_of(proposed), PlanRevision.objects.get().state) == ("left", "queued", "left")
    with pytest.raises(Conflict):
        do(alice, p.LeavePlan())


def test_an_approval_of_another_text_is_refused(proposed: Session, alice: User, do: Do) -> None:
    with pytest.raises(Conflict, match="changed since you looked"):
        do(alice, APPROVE.model_copy(update={"hash": "0" * 64}))
