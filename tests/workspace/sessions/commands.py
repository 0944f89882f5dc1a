"""Commands as the tests give them, and what a session holds after."""

from __future__ import annotations

from collections.abc import Callable

from agents import events as e
from tests.workspace.sessions import worker
from workspace.accounts.models import User
from workspace.sessions import log
from workspace.sessions import protocol as p
from workspace.sessions.models import Run, Session

Do = Callable[[User, p.AnyCommand], e.Entry | None]
HELLO = p.SendMessage(message_id="message-1", text="Please fix the parser.\nIt drops the last line.")
ALLOW = p.DecideApproval(approval_id="a-c1", hash=worker.ASKED.hash, verdict="allow")
APPROVE = p.ReviewPlan(revision=1, hash=worker.PROPOSED.hash, verdict="approved")
CHANGE = APPROVE.model_copy(update={"verdict": "changes", "message": "Smaller steps, please."})
LEFT = p.AnswerQuestion(question_id="q-c1", answers=(e.Answer(labels=("Left",)),))
STOP = p.StopRun()


def facts(session: Session, since: int) -> list[e.AnyFact]:
    return [entry.fact for entry in log.read(session.pk, since)]


def state_of(session: Session) -> str:
    """The open run's state, or the last one's."""
    return Run.objects.filter(session=session).latest("pk").state
