"""A conversation without a page: drives its runs in this process, follows the log, and decides what it was told to decide."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from threading import Event

from agents import events as e
from workspace.accounts.models import User
from workspace.ids import new_id
from workspace.sessions import actions, log, runner, telling
from workspace.sessions import protocol as p
from workspace.sessions.agents import below
from workspace.sessions.loop import worker_loop
from workspace.sessions.models import Run, Session
from workspace.sessions.state import OpenAsk, SessionState

LOOK_AGAIN = 0.05
"""Seconds between two looks at the log."""


class Headless:
    """One person's conversation in one session. With `decides` every approval and plan is allowed in that person's name."""

    def __init__(self, session: Session, person: User, *, decides: bool, tell: Callable[[e.Entry], None]) -> None:
        self.session = session
        self.person = person
        self.decides = decides
        self.tell = tell
        self.seen = 0
        self.interrupted = Event()

    def say(self, prompt: str) -> str:
        """Send the message and follow until the run ends or waits; the state it is in then. Ctrl-C stops the run, as its button does."""
        signal.signal(signal.SIGINT, lambda *_: self.interrupted.set())
        actions.send_message(self.session, self.person, p.SendMessage(message_id=new_id(), text=prompt))
        with ThreadPoolExecutor(1) as threads:
            while True:
                while at_work := self._at_work():
                    self._follow(threads.submit(_advance, at_work))
                if not (self.decides and self._decide()):
                    return self._view().run.state

    def _at_work(self) -> list[str]:
        """The runs of the session and of the sub-agents below it that can go on now."""
        tree = [self.session, *below(self.session)]
        return list(Run.objects.filter(session__in=tree, state__in=["queued", "running"]).values_list("public_id", flat=True))

    def _follow(self, work: Future[None]) -> None:
        """Tell what is logged while the work goes on."""
        while wait([work], LOOK_AGAIN).not_done:
            self._tell()
            if self.interrupted.is_set():
                self.interrupted.clear()
                actions.stop_run(self.session, self.person, p.StopRun())
        work.result()
        self._tell()

    def _tell(self) -> None:
        for entry in log.read(self.session.pk, self.seen):
            self.seen = entry.seq
            self.tell(entry)

    def _decide(self) -> bool:
        """Whether anything was decided."""
        self.session.refresh_from_db()
        tree = [self.session, *below(self.session)]
        return sum(self._decide_one(session, session.view, ask) for session in tree for ask in session.view.asks) > 0

    def _decide_one(self, session: Session, view: SessionState, ask: OpenAsk) -> bool:
        if ask.approval is not None:
            command = p.DecideApproval(approval_id=ask.approval.approval_id, hash=ask.approval.hash, verdict="allow")
            actions.decide_approval(session, self.person, command)
        elif ask.ask == "plan":
            review = p.ReviewPlan(revision=view.plan.revision, hash=view.plan.hash, verdict="approved")
            actions.review_plan(session, self.person, review)
        elif ask.question is not None and ask.question.default:
            answer = _default(ask.question)
            actions.answer_question(session, self.person, p.AnswerQuestion(question_id=ask.question.question_id, answers=(answer,)))
        else:
            return False
        return True

    def _view(self) -> SessionState:
        self.session.refresh_from_db()
        return self.session.view


def _advance(run_ids: list[str]) -> None:
    """A worker's part: carry these runs as far as they go, side by side, and tell parents of the ends."""
    worker_loop.run(_carry(run_ids))
    for run_id in run_ids:
        telling.tell_after(run_id)


async def _carry(run_ids: list[str]) -> None:
    await asyncio.gather(*map(runner.advance, run_ids))


def _default(question: e.QuestionAsked) -> e.Answer:
    """What the agent itself said it would take for an answer."""
    labels = [option.label for option in question.questions[0].options]
    return e.Answer(labels=(question.default,)) if question.default in labels else e.Answer(text=question.default)
