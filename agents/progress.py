"""How far a run has come: a fold of a session's facts for whoever bounds or drives it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from agents import events as e


@dataclass
class Progress:
    """Counted since the run was queued: a new run begins a new one. Replies that a workflow made itself are none of the model's."""

    model_calls: int = 0
    tool_calls: int = 0
    rounds: int = 0
    """Replies of the model that called tools."""
    seconds: float = 0.0
    """Of work, up to the last pause; the time that people took to decide is not counted. See `worked`."""
    working_since: datetime | None = None
    phase: e.PhaseEntered | None = None
    """The phase that stands; None before a workflow with phases has begun, and after the run's end."""
    phase_replies: int = 0
    """Replies of the model in this phase."""
    completion: e.CompletionAttempted | None = None
    """Set from the moment the agent says it is done until somebody speaks."""
    verdict: e.VerdictGiven | None = None
    """The last of this run."""
    stop_reason: str = ""
    """Of the last reply."""
    corrections: int = 0
    """How many replies in a row could not be read."""
    _refused: bool = False

    def apply(self, entry: e.Entry) -> None:
        """Take in the next entry."""
        match entry.fact:
            case e.RunStarted():
                self.working_since = entry.at
            case e.RunWaiting() | e.RunLost() | e.RunFinished():
                self._pause(entry)
            case e.AgentSpoke():
                self._take_reply(entry.fact)
            case e.UserSpoke():
                self.completion = None
            case e.ToolStarted():
                self.tool_calls += 1
            case _:
                self._follow_workflow(entry.fact)

    def worked(self, now: datetime) -> float:
        """Seconds of work until `now`."""
        return self.seconds + ((now - self.working_since).total_seconds() if self.working_since else 0.0)

    def _pause(self, entry: e.Entry) -> None:
        self.seconds, self.working_since = self.worked(entry.at), None
        if isinstance(entry.fact, e.RunFinished):
            self.phase = None

    def _take_reply(self, reply: e.AgentSpoke) -> None:
        self.completion, self.stop_reason = None, reply.stop_reason
        self.corrections, self._refused = (self.corrections if self._refused else 0), False
        if reply.provider:
            self.model_calls += 1
            self.phase_replies += 1
            self.rounds += any(isinstance(part, e.Call) for part in reply.parts)

    def _follow_workflow(self, fact: e.AnyFact) -> None:
        match fact:
            case e.ReplyRefused():
                self.corrections, self._refused = self.corrections + 1, True
            case e.PhaseEntered():
                self.phase, self.phase_replies = fact, 0
            case e.CompletionAttempted():
                self.completion = fact
            case e.VerdictGiven():
                self.verdict = fact
