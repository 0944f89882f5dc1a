"""How far one run may go: replies of the model, calls of tools, time of work."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from agents.progress import Progress

GO_ON = "Send a message to let it go on."


@dataclass(frozen=True)
class Budget:
    """Bounds of one run; None where there is none. `seconds` are of work: the time that people take to decide is not counted."""

    model_calls: int | None = None
    tool_calls: int | None = None
    seconds: float | None = None
    rounds: int | None = None
    """Replies with calls."""

    def or_else(self, usual: Budget) -> Budget:
        """These bounds, and where there is none the usual one."""
        return replace(self, **{name: bound for name, bound in vars(usual).items() if getattr(self, name) is None})

    def used_up(self, progress: Progress, now: datetime) -> str:
        """Which bound keeps the model from speaking once more; "" where none does."""
        if _reached(progress.model_calls, self.model_calls):
            return f"Budget exhausted: the run made {self.model_calls} model calls. {GO_ON}"
        if _reached(progress.tool_calls, self.tool_calls):
            return f"Budget exhausted: the run made {self.tool_calls} tool calls. {GO_ON}"
        if _reached(progress.worked(now), self.seconds):
            return self.time_over
        if _reached(progress.rounds, self.rounds):
            return f"[loop warning] The agent used tools in {self.rounds} rounds, the most that its toolset allows in one run. {GO_ON}"
        return ""

    @property
    def time_over(self) -> str:
        return f"Budget exhausted: the run worked for {self.seconds:g} seconds. {GO_ON}"

    def told(self, progress: Progress, now: datetime) -> str:
        """How much of each bound is used, for people: "Used: 3 of 80 replies · 12 of 300 calls · 41 of 1800 s"; "" without bounds."""
        used = (
            (progress.model_calls, self.model_calls, "replies"),
            (progress.tool_calls, self.tool_calls, "calls"),
            (progress.worked(now), self.seconds, "s"),
        )  # fmt: skip
        parts = [f"{amount:.0f} of {bound:g} {unit}" for amount, bound, unit in used if bound is not None]
        return f"Used: {' · '.join(parts)}" if parts else ""

    def refusal(self, progress: Progress, now: datetime, more: int) -> str:
        """Why `more` calls cannot be made besides those that have started; "" where they can."""
        if self.tool_calls is not None and progress.tool_calls + more > self.tool_calls:
            return f"This call was not run: the run may make {self.tool_calls} tool calls, and they are used up."
        if _reached(progress.worked(now), self.seconds):
            return f"This call was not run: the run may work for {self.seconds:g} seconds, and they are over."
        return ""

    def seconds_left(self, progress: Progress, now: datetime) -> float | None:
        """Of the run's time; None where it is not bounded."""
        return None if self.seconds is None else max(0.0, self.seconds - progress.worked(now))


def _reached(used: float, bound: float | None) -> bool:
    return bound is not None and used >= bound
