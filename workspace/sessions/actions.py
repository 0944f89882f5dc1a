"""What people do in a session: one function a command, named as the command is.

Each takes the session's lock, checks the person's right as it is now, and logs what happened with everything that follows
from it in one transaction. It gives the entry that tells of it, or None where there was nothing to do.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from django.db import transaction

from agents import events as e
from agents.plan import plan_hash
from workspace.accounts.models import User
from workspace.accounts.rights import Right
from workspace.errors import AppError, Conflict, Invalid, Missing
from workspace.ids import new_id
from workspace.projects import landing
from workspace.sessions import access, asks, choosing, log, planfile, plans, queueing, recall, runs, stopping, worktree
from workspace.sessions import protocol as p
from workspace.sessions.agents import below
from workspace.sessions.choices import AskState
from workspace.sessions.models import Job, LoggedFact, Run, Session
from workspace.sessions.places import landing_place


def perform(session: Session, person: User, command: p.AnyCommand, **more: Any) -> e.Entry | None:
    """Do what was commanded; `more` is for an action's further arguments. Raises AppError with the reason for refusing."""
    if holds_nul(command.model_dump()):
        raise Invalid("This text cannot be kept", "It holds a NUL character. Remove it and send the text again.")
    return ACTIONS[command.command](session, person, command, **more)


def holds_nul(value: object) -> bool:
    """Whether a NUL stands in any string of this: databases do not take it."""
    match value:
        case str():
            return "\0" in value
        case dict():
            return any(map(holds_nul, value.values()))
        case tuple() | list():
            return any(map(holds_nul, value))
    return False


@contextmanager
def _writing(session: Session, person: User, *needed: Right) -> Iterator[Session]:
    """The session, locked, for somebody who may do this."""
    with transaction.atomic():
        held = Session.objects.locked(session.pk)
        access.require(person, held, *needed)
        yield held


def _say(session: Session, person: User, *facts: e.AnyFact, run: Run | None = None) -> e.Entry:
    """Log it, and hand the run to the workers once that is committed."""
    if run is not None:
        transaction.on_commit(partial(queueing.queue, run.public_id))
    return log.append(session.pk, facts, by=person, run=run.public_id if run else "")[0]


# --- talking and stopping ----------------------------------------------------------------------------------------------


def send_message(session: Session, person: User, command: p.SendMessage, without: Collection[str] = ()) -> e.Entry | None:
    """Say something to the agent. While a run is open the message waits in the log: the agent reads it between its steps.

    The first message of a session brings memories back, but those in `without`.
    """
    with _writing(session, person, "prompt") as held:
        if LoggedFact.objects.filter(session=held, message_id=command.message_id).exists():
            return None
        if held.archived or (held.root is not None and held.root.archived):
            raise Conflict("This session is archived", "Take it out of the archive to go on.")
        log.append(held.pk, recall.recalled(held, person, command.text, without), by=person)
        facts: list[e.AnyFact] = [e.UserSpoke(message_id=command.message_id, text=command.text)]
        if not held.title:
            facts.append(e.SessionRenamed(title=choosing.title_of(command.text)))
        queued = runs.queue(held, person)
        if queued is None:
            return _say(held, person, *facts)
        return _say(held, person, *facts, queued[1], run=queued[0])


def stop_run(session: Session, person: User, command: p.StopRun) -> e.Entry | None:
    """Stop the open run, whatever it does, and every sub-agent below. Where no run is open, the sub-agents that still work."""
    known = log.history(session.pk)  # read before the lock is taken: nobody should wait for it
    with _writing(session, person, "stop") as held:
        return stopping.stop(held, known, person, f"Stopped by {person.shown_name}.")


def add_comment(session: Session, person: User, command: p.AddComment) -> e.Entry:
    """Remark something to the others; the agent does not read it."""
    with _writing(session, person, "comment") as held:
        if command.about is not None and not 1 <= command.about <= held.head:
            raise Invalid("There is no such entry", f"This session has entries 1 to {held.head}.")
        return _say(held, person, e.CommentAdded(comment_id=new_id(), text=command.text, about=command.about))


# --- deciding ----------------------------------------------------------------------------------------------------------


def decide_approval(session: Session, person: User, command: p.DecideApproval) -> e.Entry:
    """Allow or decline exactly the call that was asked about. For the whole project it becomes a rule there."""
    needed: tuple[Right, ...] = ("approve_tools", "manage_projects") if command.scope == "project" else ("approve_tools",)
    with _writing(session, person, *needed) as held:
        approval = asks.decide(held.approvals.filter(approval_id=command.approval_id), person, AskState(command.verdict), command.hash)
        if command.scope == "project":
            choosing.make_rules(held, person, approval, command.verdict)
        said = command.model_dump(include={"approval_id", "verdict", "scope", "reason", "hash"})
        return _decided(held, person, e.ApprovalDecided(call_id=approval.call_id, **said))


def answer_question(session: Session, person: User, command: p.AnswerQuestion) -> e.Entry:
    with _writing(session, person, "prompt") as held:
        question = asks.decide(held.questions.filter(question_id=command.question_id), person, AskState.ANSWERED)
        asks.check_answers(held, question, command.answers)
        answered = e.QuestionAnswered(question_id=command.question_id, call_id=question.call_id, answers=command.answers)
        return _decided(held, person, answered)


def review_plan(session: Session, person: User, command: p.ReviewPlan) -> e.Entry:
    """Approve the revision, or hand the message and every comment on it back to the agent."""
    with _writing(session, person, "approve_plans") as held:
        revision = asks.decide(held.planrevisions.filter(revision=command.revision), person, AskState(command.verdict), command.hash)
        comments = plans.comments_on(held, command.revision) if command.verdict == "changes" else ()
        if command.verdict == "changes" and not command.message.strip() and not comments:
            raise Invalid("Say what should change", "Write a message, or comment on the words you mean.")
        said = command.model_dump(exclude={"command"})
        return _decided(held, person, e.PlanReviewed(**said, comments=comments, call_id=revision.call_id))


def leave_plan(session: Session, person: User, command: p.LeavePlan) -> e.Entry:
    """End plan mode without a plan."""
    with _writing(session, person, "approve_plans") as held:
        if held.view.plan.stage not in ("planning", "proposed"):
            raise Conflict("Plan mode is not on")
        return _decided(held, person, e.PlanLeft(reason=command.reason))


def _decided(session: Session, person: User, decision: e.AnyFact) -> e.Entry:
    """Log the decision. A run that waited goes on at once: its next step asks again for what is still open."""
    resumed = runs.resume(session)
    if resumed is None:
        return _say(session, person, decision)
    return _say(session, person, decision, resumed[1], run=resumed[0])


# --- plans and todos ---------------------------------------------------------------------------------------------------


def comment_plan(session: Session, person: User, command: p.CommentPlan) -> e.Entry:
    with _writing(session, person, "comment") as held:
        start = plans.anchor(plans.revision_of(held, command.revision).text, command.quote, command.start)
        said = command.model_dump(include={"revision", "text", "quote"})
        return _say(held, person, e.PlanCommented(comment_id=new_id(), start=start, **said))


def revise_plan(session: Session, person: User, command: p.RevisePlan) -> e.Entry:
    """Put up a revision of one's own, in the plan's file too. Nothing is approved by that."""
    with _writing(session, person, "prompt") as held:
        base = plans.under_review(held, command.base)
        bring_up = partial(planfile.bring_up, held, base.plan_file, base.text, command.text)
        transaction.on_commit(bring_up, robust=True)
        text = e.PlanProposed(
            revision=base.revision + 1, text=command.text, summary=base.summary, hash=plan_hash(command.text),
            plan_file=base.plan_file, call_id=base.call_id,
        )  # fmt: skip
        return _say(held, person, text)


def write_todos(session: Session, person: User, command: p.WriteTodos) -> e.Entry:
    with _writing(session, person, "prompt") as held:
        return _say(held, person, e.TodosWritten(todos=command.todos))


def leave_out_memory(session: Session, person: User, command: p.LeaveOutMemory) -> e.Entry | None:
    """Take a recalled memory out: the agent does not read it any more."""
    with _writing(session, person, "prompt") as held:
        told = next((one for one in held.view.recalled if one.memory_id == command.memory_id), None)
        if told is None:
            raise Missing("This memory was not recalled", "Only what the session was told of at its start can be left out.")
        return None if told.left_out else _say(held, person, e.MemoryLeftOut(memory_id=told.memory_id, title=told.title))


# --- the session itself ------------------------------------------------------------------------------------------------


def rename_session(session: Session, person: User, command: p.RenameSession) -> e.Entry:
    with _writing(session, person, "prompt") as held:
        return _say(held, person, e.SessionRenamed(title=command.title))


def configure_session(session: Session, person: User, command: p.ConfigureSession) -> e.Entry:
    """Choose provider, model, toolset, workflow and protocol for the next step on."""
    choosing.check(command.provider, command.toolset, command.workflow, command.protocol)
    with _writing(session, person, "prompt") as held:
        return _say(held, person, e.SessionConfigured(**command.model_dump(exclude={"command"})))


def archive_session(session: Session, person: User, command: p.ArchiveSession) -> e.Entry | None:
    with _writing(session, person, "prompt") as held:
        if held.archived == command.archived:
            return None
        if command.archived and _works(held):
            raise Conflict("The agent is still at work here", "Stop it first.")
        if command.archived and Job.objects.running().filter(session__in=[held, *below(held)]).exists():
            raise Conflict("A background job still runs here", "Cancel it, or wait until it has ended.")
        if command.archived and held.root_id is None and (own := held.view.worktree) is not None and own.state == "open":
            raise Conflict("Its worktree is still open", "Land what it changed, or drop it, first.")
        return _say(held, person, e.SessionArchived(archived=command.archived))


def _works(session: Session) -> bool:
    """Whether its agent, or one below it, has not ended yet."""
    tree = [session, *below(session)]
    return Run.objects.filter(session__in=tree).unfinished().exists()


# --- a worktree of its own ---------------------------------------------------------------------------------------------


def land_worktree(session: Session, person: User, command: p.LandWorktree) -> e.Entry:
    """Merge what the agent changed, as the person saw it, into the files of the project or of the agent above it; then it is done with."""
    access.require(person, session, "approve_tools")
    base = worktree.to_land(session).base

    def keep(merged: landing.Landing) -> e.Entry:
        with _writing(session, person, "approve_tools") as held:
            worktree.to_decide(held)
            entry = _say(held, person, e.WorktreeLanded(changes=worktree.kept(merged.changes)))
            merged.put()  # last: what it refuses was never said
            return entry

    try:
        entry = landing.land(session.project, session.public_id, base, keep, command.hash, landing_place(session))
    except AppError:
        worktree.to_decide(session)  # somebody else may have decided meanwhile, and that is why
        raise
    worktree.remove(session)
    return entry


def drop_worktree(session: Session, person: User, command: p.DropWorktree) -> e.Entry:
    with _writing(session, person, "approve_tools") as held:
        worktree.to_decide(held)
        entry = _say(held, person, e.WorktreeDropped(reason=command.reason))
    worktree.remove(session)
    return entry


ACTIONS: dict[str, Callable[..., e.Entry | None]] = {
    "send_message": send_message,
    "stop_run": stop_run,
    "add_comment": add_comment,
    "decide_approval": decide_approval,
    "answer_question": answer_question,
    "review_plan": review_plan,
    "leave_plan": leave_plan,
    "comment_plan": comment_plan,
    "revise_plan": revise_plan,
    "write_todos": write_todos,
    "leave_out_memory": leave_out_memory,
    "rename_session": rename_session,
    "configure_session": configure_session,
    "archive_session": archive_session,
    "land_worktree": land_worktree,
    "drop_worktree": drop_worktree,
}
