"""How far a run has come: a fold of a session's facts for whoever bounds or drives it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from agents import events as e

LONGEST_TASK = 20_000


@dataclass
class Progress:
    """Counted since the run was queued: a new run begins a new one. Replies that a workflow made itself are none of the model's."""

    task: str = ""
    """What a person said last; the only thing that outlasts the run."""
    model_calls: int = 0
    rounds: int = 0
    """Replies of the model that called tools."""
    idle: int = 0
    """Replies of the model in a row that called nothing."""
    claims: int = 0
    """Replies by which the model said that it is done, since somebody spoke: those that called nothing, too."""
    seconds: float = 0.0
    """Of work, up to the last pause; the time that people took to decide is not counted. See `worked`."""
    working_since: datetime | None = None
    phase: e.PhaseEntered | None = None
    """The phase that stands; None before a workflow with phases has begun, after it was exchanged, and after the run's end."""
    guidance: str = ""
    """What the model was told last of how to go on in the phases of this workflow."""
    phase_replies: int = 0
    """Replies of the model in this phase. A phase that is entered again while it stands goes on."""
    interjected: bool = False
    """Somebody spoke since the phase began, or right before and the model has not replied yet."""
    completion: e.CompletionAttempted | None = None
    """Set from the moment the agent says it is done until it says something else, or somebody speaks."""
    stop_reason: str = ""
    """Of the model's last reply, until somebody speaks."""
    texts: tuple[str, ...] = ()
    """Of the model's last reply, one by one: some protocols have several in a reply."""
    failed: bool = False
    """A call of the model's last reply ended with an error."""
    answered: bool = False
    """People answered a call of the model's last reply, which has not been read yet."""
    verdict: e.VerdictGiven | None = None
    """The last of this run."""
    judged: bool = False
    """There was one in this phase."""
    touched: set[str] = field(default_factory=set)
    """Tools that the model's calls began since the last verification did, or since the run began."""
    own_replies: int = 0
    """Replies that a workflow made itself in this phase."""
    own: frozenset[str] = frozenset()
    """Call ids of the last of these."""
    check: e.ToolFinished | None = None
    """How the last such call ended, in whichever phase."""
    corrections: int = 0
    """How many replies in a row could not be read."""
    started: set[str] = field(default_factory=set)
    """Call ids of every call that was begun."""
    _refused: bool = False
    _heard_at: int | None = None
    """The entry by which somebody spoke last, while the model has not replied to it."""

    @property
    def words(self) -> str:
        """Of the model's last reply."""
        return "\n\n".join(self.texts).strip()

    @property
    def tool_calls(self) -> int:
        """Calls that were begun; one that a lost worker had begun and another began again is one."""
        return len(self.started)

    def anew(self) -> Progress:
        """That of the next run."""
        return Progress(task=self.task)

    def apply(self, entry: e.Entry) -> None:
        """Take in the next entry."""
        match entry.fact:
            case e.RunStarted():
                self.working_since = entry.at
            case e.RunWaiting() | e.RunLost() | e.RunFinished():
                self._pause(entry)
            case e.AgentSpoke():
                self._take_reply(entry.fact)
            case e.UserSpoke() | e.AgentFinished(background=True):
                self._hear(entry)
            case e.TodosWritten() if entry.by is not None:
                self._hear(entry)
            case e.QuestionAnswered() | e.PlanReviewed() | e.PlanLeft():
                self.answered = True
            case e.ToolStarted() | e.ToolFinished():
                self._follow_call(entry.fact)
            case _:
                self._follow_workflow(entry.fact)

    def worked(self, now: datetime) -> float:
        """Seconds of work until `now`."""
        return self.seconds + ((now - self.working_since).total_seconds() if self.working_since else 0.0)

    def _pause(self, entry: e.Entry) -> None:
        self.seconds, self.working_since = self.worked(entry.at), None
        if isinstance(entry.fact, e.RunFinished):
            self._leave()

    def _leave(self) -> None:
        self.phase, self.guidance = None, ""

    def _hear(self, entry: e.Entry) -> None:
        """What was said meanwhile has to be answered before anything can be done."""
        self.completion, self.stop_reason, self.interjected = None, "", True
        self.idle, self.claims, self._heard_at = 0, 0, entry.seq
        if isinstance(entry.fact, e.UserSpoke):
            self.task = entry.fact.text[:LONGEST_TASK]

    def _take_reply(self, reply: e.AgentSpoke) -> None:
        calls = frozenset(part.call_id for part in reply.parts if isinstance(part, e.Call))
        if not reply.provider:
            self.own, self.check, self.own_replies = calls, None, self.own_replies + 1
            return
        self.completion, self.stop_reason, self.failed, self.answered = None, reply.stop_reason, False, False
        self.texts = tuple(part.text for part in reply.parts if isinstance(part, e.Text))
        if self._heard_at is not None and (reply.read_to is None or reply.read_to >= self._heard_at):
            self._heard_at = None
        self.corrections, self._refused = (self.corrections if self._refused else 0), False
        self.model_calls, self.phase_replies = self.model_calls + 1, self.phase_replies + 1
        self.rounds += bool(calls)
        self.idle = 0 if calls else self.idle + 1
        self.claims += not calls or reply.stop_reason == "done"

    def _follow_call(self, fact: e.ToolStarted | e.ToolFinished) -> None:
        if isinstance(fact, e.ToolStarted):
            self.started.add(fact.call_id)
            if fact.call_id not in self.own:
                self.touched.add(fact.tool)
        elif fact.call_id in self.own:
            self.check = fact
        elif fact.error is not None:
            self.failed = True

    def _follow_workflow(self, fact: e.AnyFact) -> None:
        match fact:
            case e.ReplyRefused():
                self.corrections, self._refused = self.corrections + 1, True
                self.idle, self.claims = max(0, self.idle - 1), max(0, self.claims - 1)
            case e.PhaseEntered():
                self._enter(fact)
            case e.SessionConfigured() if self.phase and fact.workflow not in ("", self.phase.workflow):
                self._leave()
            case e.CompletionAttempted():
                self.completion, self.claims = fact, self.claims + (self.stop_reason != "done")
            case e.VerdictGiven():
                self.verdict, self.judged = fact, True
                self.stop_reason = "" if fact.by == "model" else self.stop_reason  # that of the verifier speaks of the work it saw

    def _enter(self, fact: e.PhaseEntered) -> None:
        before, self.phase, self.guidance = self.phase, fact, fact.told or self.guidance
        if before is None or (before.workflow, before.phase, before.cycle) != (fact.workflow, fact.phase, fact.cycle):
            self.phase_replies, self.interjected, self.judged = 0, self._heard_at is not None, False
            self.own, self.own_replies = frozenset(), 0
            self.touched = set() if fact.phase == "verify" else self.touched
