"""What people do: each action once done, once refused, always with every fold of the log in step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from agents import events as e
from agents.plan import plan_hash
from tests.workspace.sessions import worker
from workspace.accounts.models import Membership, Team, User
from workspace.errors import Conflict, Forbidden, Invalid, Missing
from workspace.projects.models import Rule
from workspace.sessions import log, runs
from workspace.sessions import protocol as p
from workspace.sessions.actions import ACTIONS, perform
from workspace.sessions.models import Approval, PlanRevision, Question, Run, Session

Do = Callable[[User, p.AnyCommand], e.Entry | None]
HELLO = p.SendMessage(message_id="message-1", text="Please fix the parser.\nIt drops the last line.")
ALLOW = p.DecideApproval(approval_id="a-c1", hash=worker.ASKED.hash, verdict="allow")
APPROVE = p.ReviewPlan(revision=1, hash=worker.PROPOSED.hash, verdict="approved")
CHANGE = APPROVE.model_copy(update={"verdict": "changes", "message": "Smaller steps, please."})
LEFT = p.AnswerQuestion(question_id="q-c1", answers=(e.Answer(labels=("Left",)),))
STOP = p.StopRun()


@pytest.fixture
def do(session: Session, verify: Callable[[Callable[[], Any]], Any]) -> Do:
    """Perform a command on the session, checking all its folds afterwards."""

    def do(person: User, command: p.AnyCommand) -> e.Entry | None:
        done: e.Entry | None = verify(lambda: perform(session, person, command))
        return done

    return do


@pytest.fixture
def started(session: Session, alice: User) -> Session:
    """Alice has spoken and her run is queued."""
    perform(session, alice, HELLO)
    return session


def facts(session: Session, since: int) -> list[e.AnyFact]:
    return [entry.fact for entry in log.read(session.pk, since)]


def state_of(session: Session) -> str:
    """The open run's state, or the last one's."""
    return Run.objects.filter(session=session).latest("pk").state


# --- talking -----------------------------------------------------------------------------------------------------------


def test_a_message_queues_a_run_that_acts_for_its_sender(session: Session, alice: User, do: Do) -> None:
    entry = do(alice, HELLO)
    run = Run.objects.get(session=session)
    assert entry is not None
    assert (entry.by, entry.run_id) == (alice.public_id, run.public_id)
    assert facts(session, 1) == [
        e.UserSpoke(message_id="message-1", text=HELLO.text),
        e.RunQueued(run_id=run.public_id, acting_for=alice.public_id),
    ]
    assert (run.state, run.acting_for, session.view.run.state) == ("queued", alice, "queued")


def test_the_same_message_twice_is_said_once(started: Session, alice: User, do: Do) -> None:
    assert do(alice, HELLO) is None
    assert started.head == 3


def test_a_message_to_a_busy_agent_waits_in_the_log(started: Session, bob: User, do: Do) -> None:
    worker.take_up(started)
    do(bob, p.SendMessage(message_id="message-2", text="And the lexer."))
    assert Run.objects.count() == 1
    assert state_of(started) == "running"


def test_a_message_does_not_wake_a_run_that_waits_for_an_approval(started: Session, bob: User, do: Do) -> None:
    worker.wait_on(started, worker.ASKED)
    do(bob, p.SendMessage(message_id="message-2", text="Hurry."))
    assert state_of(started) == "waiting"


def test_the_first_message_names_a_session_without_a_title(session: Session, alice: User, do: Do) -> None:
    log.append(session.pk, [e.SessionRenamed(title="")])
    do(alice, HELLO)
    assert session.title == "Please fix the parser."


def test_an_archived_session_takes_no_message(session: Session, alice: User, do: Do) -> None:
    do(alice, p.ArchiveSession(archived=True))
    with pytest.raises(Conflict):
        do(alice, HELLO)


def test_a_nul_character_is_refused_and_nothing_is_lost(session: Session, alice: User, do: Do) -> None:
    with pytest.raises(Invalid):
        do(alice, p.SendMessage(message_id="message-1", text="zero\x00byte"))
    assert session.head == 1


def test_a_comment_is_for_people(session: Session, bob: User, do: Do) -> None:
    do(bob, p.AddComment(text="Nice title", about=1))
    assert log.history(session.pk).transcript.messages == []
    with pytest.raises(Invalid):
        do(bob, p.AddComment(text="About what?", about=9))


# --- stopping ----------------------------------------------------------------------------------------------------------


def test_stopping_an_idle_session_changes_nothing(session: Session, alice: User, do: Do) -> None:
    assert do(alice, STOP) is None
    assert session.head == 1


def test_a_queued_run_is_stopped_at_once(started: Session, bob: User, do: Do) -> None:
    do(bob, STOP)
    assert [fact.type for fact in facts(started, 3)] == ["stop.asked", "run.finished"]
    assert (state_of(started), started.view.run.state) == ("stopped", "stopped")


def test_a_running_run_is_asked_to_stop_once(started: Session, alice: User, bob: User, do: Do) -> None:
    lease = worker.take_up(started)
    do(bob, STOP)
    assert do(alice, STOP) is None
    assert [fact.type for fact in facts(started, 4)] == ["stop.asked"]
    assert runs.renew(lease) == "stop"
    assert started.view.run.stop_asked


def test_a_waiting_run_is_stopped_and_its_calls_are_closed(started: Session, bob: User, do: Do) -> None:
    worker.wait_on(started, worker.ASKED)
    head = Session.objects.get(pk=started.pk).head
    do(bob, STOP)
    assert [fact.type for fact in facts(started, head)] == ["stop.asked", "ask.canceled", "tool.finished", "run.finished"]
    assert (started.asks, Approval.objects.get().state) == (0, "canceled")
    assert log.history(started.pk).open_calls == []


def test_a_run_whose_worker_went_silent_is_stopped_at_once(started: Session, bob: User, do: Do) -> None:
    worker.take_up(started)
    Run.objects.update(lease_until=started.opened_at)
    do(bob, STOP)
    assert state_of(started) == "stopped"


def test_after_a_stop_a_message_starts_a_new_run(started: Session, bob: User, do: Do) -> None:
    do(bob, STOP)
    do(bob, p.SendMessage(message_id="message-2", text="Go on."))
    assert [run.state for run in Run.objects.order_by("pk")] == ["stopped", "queued"]


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


# --- the session itself ------------------------------------------------------------------------------------------------


def test_a_member_writes_todos_and_settings(session: Session, bob: User, do: Do) -> None:
    do(bob, p.WriteTodos(todos=(e.Todo(content="Read", status="pending"),)))
    do(bob, p.RenameSession(title="The parser"))
    do(bob, p.ConfigureSession(provider="openai", model="m", toolset="oats"))
    view = session.view
    assert (view.title, view.provider, view.model, len(view.todos)) == ("The parser", "openai", "m", 1)


def test_a_provider_nobody_knows_is_refused(session: Session, bob: User, do: Do) -> None:
    with pytest.raises(Invalid, match="No such provider"):
        do(bob, p.ConfigureSession(provider="oracle", model="m", toolset="oats"))
    with pytest.raises(Invalid, match="No such toolset"):
        do(bob, p.ConfigureSession(provider="openai", model="m", toolset="hammers"))


def test_a_busy_session_is_not_archived(started: Session, bob: User, do: Do) -> None:
    with pytest.raises(Conflict):
        do(bob, p.ArchiveSession(archived=True))
    do(bob, STOP)
    do(bob, p.ArchiveSession(archived=True))
    assert started.archived
    assert do(bob, p.ArchiveSession(archived=True)) is None


# --- who may -----------------------------------------------------------------------------------------------------------

EVERY: dict[str, tuple[p.AnyCommand, str]] = {
    "send_message": (HELLO.model_copy(update={"message_id": "message-2"}), "member"),
    "stop_run": (STOP, "member"),
    "add_comment": (p.AddComment(text="Hm"), "member"),
    "decide_approval": (ALLOW, "reviewer"),
    "answer_question": (LEFT, "member"),
    "review_plan": (APPROVE, "reviewer"),
    "leave_plan": (p.LeavePlan(), "reviewer"),
    "comment_plan": (p.CommentPlan(revision=1, text="Hm"), "member"),
    "revise_plan": (p.RevisePlan(base=1, text="Mine"), "member"),
    "write_todos": (p.WriteTodos(todos=()), "member"),
    "rename_session": (p.RenameSession(title="Mine"), "member"),
    "configure_session": (p.ConfigureSession(provider="openai", model="m", toolset="oats"), "member"),
    "archive_session": (p.ArchiveSession(archived=True), "member"),
}
"""Each command, and the least role that may give it."""
BELOW = {"member": "viewer", "reviewer": "member"}


def test_every_command_has_its_action() -> None:
    assert set(EVERY) == set(ACTIONS)
    assert all(action.__name__ == name for name, action in ACTIONS.items())


@pytest.mark.parametrize("name", EVERY)
def test_the_role_below_is_forbidden_and_a_stranger_sees_nothing(
    session: Session, bob: User, charlie: User, verify: Callable[[Callable[[], Any]], Any], name: str
) -> None:
    command, least = EVERY[name]
    Membership.objects.filter(user=bob).update(role=BELOW[least])
    for person, refusal in ((bob, Forbidden), (charlie, Missing)):
        with pytest.raises(refusal):
            verify(lambda person=person: perform(session, person, command))  # type: ignore[misc]  # bound on purpose
    assert Session.objects.get(pk=session.pk).head == 1


@pytest.mark.parametrize("name", EVERY)
def test_the_least_role_may(session: Session, bob: User, name: str) -> None:
    command, least = EVERY[name]
    Membership.objects.filter(user=bob).update(role=least)
    _prepare(session, command)
    assert perform(session, bob, command) is not None


def _prepare(session: Session, command: p.AnyCommand) -> None:
    """Bring the session to where the command makes sense."""
    log.append(session.pk, [worker.spoke("c1"), worker.ENTERED, worker.PROPOSED])
    if isinstance(command, p.DecideApproval):
        log.append(session.pk, [worker.ASKED])
    if isinstance(command, p.AnswerQuestion):
        log.append(session.pk, [worker.CHOICE])
    if isinstance(command, p.StopRun):
        Run.objects.create(session=session)


def test_a_person_who_was_deactivated_may_nothing(session: Session, bob: User, do: Do) -> None:
    User.objects.filter(pk=bob.pk).update(is_active=False)
    with pytest.raises(Missing):
        do(bob, HELLO)
