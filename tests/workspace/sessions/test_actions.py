"""What people do: each action once done, once refused, always with every fold of the log in step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from agents import events as e
from tests.workspace.sessions import worker
from tests.workspace.sessions.commands import ALLOW, APPROVE, HELLO, LEFT, STOP, Do, facts, state_of
from workspace.accounts.models import Membership, User
from workspace.errors import Conflict, Forbidden, Invalid, Missing
from workspace.projects import git, worktrees
from workspace.sessions import log, runs
from workspace.sessions import protocol as p
from workspace.sessions.actions import ACTIONS, perform
from workspace.sessions.models import Approval, Run, Session
from workspace.sessions.worktree import changed_in

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
    "leave_out_memory": (p.LeaveOutMemory(memory_id="m1"), "member"),
    "rename_session": (p.RenameSession(title="Mine"), "member"),
    "configure_session": (p.ConfigureSession(provider="openai", model="m", toolset="oats"), "member"),
    "archive_session": (p.ArchiveSession(archived=True), "member"),
    "land_worktree": (p.LandWorktree(hash="as it is now"), "reviewer"),
    "drop_worktree": (p.DropWorktree(), "reviewer"),
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
    if isinstance(command, p.LandWorktree):
        command = p.LandWorktree(hash=changed_in(Session.objects.get(pk=session.pk)).hash)
    assert perform(session, bob, command) is not None


def _prepare(session: Session, command: p.AnyCommand) -> None:
    """Bring the session to where the command makes sense."""
    log.append(session.pk, [worker.spoke("c1"), worker.ENTERED, worker.PROPOSED])
    if isinstance(command, p.DecideApproval):
        log.append(session.pk, [worker.ASKED])
    if isinstance(command, p.AnswerQuestion):
        log.append(session.pk, [worker.CHOICE])
    if isinstance(command, p.LeaveOutMemory):
        told = e.RecalledMemory(memory_id="m1", title="Style", content="Tabs")
        log.append(session.pk, [e.MemoryRecalled(memory_ids=("m1",), titles=("Style",), memories=(told,))])
    if isinstance(command, p.StopRun):
        Run.objects.create(session=session)
    if isinstance(command, p.LandWorktree | p.DropWorktree):
        git.begin(session.project.root)
        made = worktrees.make(session.project, session.public_id)
        log.append(session.pk, [e.WorktreeMade(branch=made.branch, base=made.base)])


def test_a_person_who_was_deactivated_may_nothing(session: Session, bob: User, do: Do) -> None:
    User.objects.filter(pk=bob.pk).update(is_active=False)
    with pytest.raises(Missing):
        do(bob, HELLO)
