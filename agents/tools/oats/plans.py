"""The tools `plan_enter`, `plan_exit` and `plan_status`: look and plan first, act when people have approved the plan."""

from __future__ import annotations

import asyncio
from pathlib import PurePosixPath
from typing import Any, ClassVar, Literal

from pydantic import Field

from agents.edits.diff import file_change
from agents.errors import PathRefused, ToolError
from agents.events import FileChange, PlanCommented, PlanEntered, PlanProposed, PlanReviewed
from agents.plan import PlanState, plan_hash
from agents.sandboxes.sandbox import Files
from agents.tools.places import errors_told, existing
from agents.tools.tool import Decision, Tool, ToolContext, ToolResult

PLAN_FILE = ".coder/plan.md"
SKELETON = "# Plan\n\n## Goal\n\n\n## What I found\n\n\n## Steps\n\n1. \n\n## How to check it\n\n"
LABELS = {
    "planning": "active", "proposed": "awaiting approval", "approved": "approved", "left": "ended without an approved plan",
}  # fmt: skip
MOST_SHOWN = 2000


class PlanEnter(Tool):
    """Plan mode: until people approve a plan, nothing but the plan's own file may change."""

    name: ClassVar[str] = "plan_enter"
    description: ClassVar[str] = (
        "Begin plan mode: you look and think, but change nothing except the plan file, until people have approved the plan. Use it before "
        "large or risky work. Write the plan with write or edit, then call plan_exit."
    )
    keywords: ClassVar[tuple[str, ...]] = ("plan", "design", "think", "approve")
    mutates: ClassVar[bool] = False
    asks: ClassVar[Literal["allow", "ask"]] = "allow"
    group: ClassVar[str] = "planning"
    always_load: ClassVar[bool] = True
    brings: ClassVar[tuple[str, ...]] = ("plan_exit", "plan_status")

    reason: str = Field("", description="Why a plan is needed; people see it.")
    file: str = Field(
        PLAN_FILE, min_length=1, alias="plan_file", description=f"Where to write the plan, a .md file; {PLAN_FILE} by default."
    )

    async def run(self, context: ToolContext) -> ToolResult:
        if context.plan.holds_back:
            said = f"Plan mode is already active; nothing changed. Plan file: {context.plan.plan_file}"
            return ToolResult("Plan mode", said, _state(context.plan))
        with errors_told(self.file):
            path = await asyncio.to_thread(self._prepared, context)
        fact = PlanEntered(reason=self.reason or "To agree on a plan before anything changes.", plan_file=path)
        output = (
            f"Plan mode is on.\nReason: {fact.reason}\nPlan file: {path}\n\nYou may read, search and ask, and write the plan file. "
            "Everything else that could change something is refused until people approve the plan. When it is written, call plan_exit."
        )
        metadata = {"active": True, "awaiting_approval": False, "reason": fact.reason, "plan_file": path}
        return ToolResult("Plan mode", output, metadata, facts=(fact,))

    def _prepared(self, context: ToolContext) -> str:
        """The plan file's path in the workspace; a skeleton is put there when there is no such file, and only then."""
        files = context.sandbox.files
        path = files.relative(self.file)
        if PurePosixPath(path).suffix.lower() not in (".md", ".markdown", ".txt"):
            raise PathRefused(f"{self.file}: a plan is written to a .md file of its own, so that plan mode opens no other file.")
        with files.locked(path):
            try:
                files.stat(path)
            except FileNotFoundError:
                files.write(path, SKELETON.encode())
        return path


class PlanExit(Tool):
    """Puts the plan before people and waits for their review; the plan is what stands in the plan file."""

    name: ClassVar[str] = "plan_exit"
    description: ClassVar[str] = (
        "Propose the plan that you wrote to the plan file and wait until people have reviewed it. They approve it, and you may act, "
        "or they ask for changes, and you revise the plan and propose it again."
    )
    keywords: ClassVar[tuple[str, ...]] = ("plan", "propose", "approve", "review")
    mutates: ClassVar[bool] = False
    asks: ClassVar[Literal["allow", "ask"]] = "allow"
    group: ClassVar[str] = "planning"

    summary: str = Field("", description="The plan in a sentence or two.")
    plan: str = Field("", description="The plan's text, if you cannot write the plan file yourself; it is put there.")

    async def run(self, context: ToolContext) -> ToolResult:
        plan = context.plan
        if not plan.holds_back:
            raise ToolError("Plan mode is not active, so there is no plan to propose. Call plan_enter first.")
        text = await asyncio.to_thread(_written, context, self.plan)
        ask = PlanProposed(
            revision=plan.revision + 1, text=text, summary=self.summary, hash=plan_hash(text),
            plan_file=plan.plan_file, call_id=context.call_id,
        )  # fmt: skip
        metadata = {
            "active": False, "awaiting_approval": True, "reason": plan.reason, "plan_file": plan.plan_file, "summary": self.summary,
            "revision": ask.revision, "plan_preview": text[:500],
        }  # fmt: skip
        return ToolResult("Plan proposed", self._said(ask), metadata, waits=ask)

    def _said(self, ask: PlanProposed) -> str:
        more = f"\n[{len(ask.text) - MOST_SHOWN} more characters in the file]" if len(ask.text) > MOST_SHOWN else ""
        summary = f"Summary: {self.summary}\n" if self.summary else ""
        return (
            f"The plan waits for people's approval.\nPlan file: {ask.plan_file} (revision {ask.revision})\n{summary}\n"
            f"{ask.text[:MOST_SHOWN]}{more}\n\nThey may approve it, ask to modify it, or cancel. Until it is approved nothing may change."
        )

    async def conclude(self, decision: Decision, context: ToolContext) -> ToolResult:
        if not isinstance(decision, PlanReviewed):
            raise ToolError("This call waits for the review of a plan, not for an answer.")
        metadata = {"verdict": decision.verdict, "revision": decision.revision, "comments": len(decision.comments)}
        said = approved(decision) if decision.verdict == "approved" else changes_asked(decision, context.plan.plan_file)
        title = "Plan approved" if decision.verdict == "approved" else "Plan: changes requested"
        plan = context.plan
        try:
            change, other = await asyncio.to_thread(_brought_up, plan, context.sandbox.files)
        except ToolError as wrong:  # the verdict counts all the same
            said = f"{said}\n\nThe plan file cannot be written ({wrong}). The plan reads:\n\n{plan.text}"
            return ToolResult(title, said, metadata)
        if other:
            said = f"{said}\n\n{changed_meanwhile(plan)}"
        elif change is not None or plan.hash != plan.own:
            said = f"{said}\n\n{revised(plan)}"
        return ToolResult(title, said, metadata, changes=(change,) if change else ())


class PlanStatus(Tool):
    """Where the session's plan stands."""

    name: ClassVar[str] = "plan_status"
    description: ClassVar[str] = "Tell whether plan mode is on and where the plan stands."
    keywords: ClassVar[tuple[str, ...]] = ("plan", "status", "approved")
    read_only: ClassVar[bool] = True
    mutates: ClassVar[bool] = False
    asks: ClassVar[Literal["allow", "ask"]] = "allow"
    group: ClassVar[str] = "planning"

    async def run(self, context: ToolContext) -> ToolResult:
        plan = context.plan
        if plan.stage == "none":
            return ToolResult("Plan status", "Not in planning mode.", {"active": False})
        lines = [f"Plan: {LABELS[plan.stage]}", f"Plan file: {plan.plan_file}", f"Reason: {plan.reason}"]
        lines += [f"Revision: {plan.revision}"] if plan.revision else []
        lines += [f"Summary: {plan.summary}"] if plan.summary else []
        return ToolResult("Plan status", "\n".join(lines), _state(plan))


def approved(review: PlanReviewed) -> str:
    """What the agent reads when it may begin."""
    verdict = f"The plan (revision {review.revision}) is approved. Plan mode is over: carry the plan out now."
    return "\n\n".join([verdict, *_remarks(review)])


def changes_asked(review: PlanReviewed, plan_file: str) -> str:
    """What the agent reads when the plan has to change first."""
    verdict = (
        f"The plan (revision {review.revision}) is NOT approved: changes are requested. Plan mode stays on and nothing but the plan file "
        f"may change. Revise {plan_file} to meet the remarks, then call plan_exit again."
    )
    return "\n\n".join([verdict, *_remarks(review)])


def revised(plan: PlanState) -> str:
    """What the agent reads when the plan is not as it wrote it."""
    return f"The plan was revised by a person. This revision counts, and {plan.plan_file} holds it now:\n\n{plan.text}"


def changed_meanwhile(plan: PlanState) -> str:
    """What the agent reads when the plan file holds a text that nobody has reviewed."""
    return (
        f"{plan.plan_file} was changed while the plan was under review. It was left as it is, yet what it holds now has not been reviewed. "
        f"The revision that was reviewed reads:\n\n{plan.text}"
    )


def _brought_up(plan: PlanState, files: Files) -> tuple[FileChange | None, bool]:
    """Put the revision that was reviewed into the plan file, where it is gone or holds what the agent had proposed.

    Anything else stands there for a reason: it is left, and the second value says so.
    """
    text = plan.text.encode()
    with errors_told(plan.plan_file), files.locked(plan.plan_file):
        before = existing(files, plan.plan_file)
        now = None if before is None else before.decode(errors="replace")
        if now == plan.text:
            return None, False
        if now is not None and plan_hash(now) != plan.own:
            return None, True
        files.write(plan.plan_file, text)
    return file_change(plan.plan_file, before, text), False


def _remarks(review: PlanReviewed) -> list[str]:
    message = [f"Message: {review.message}"] if review.message else []
    return message + [_remark(number, comment) for number, comment in enumerate(review.comments, 1)]


def _remark(number: int, comment: PlanCommented) -> str:
    if not comment.quote:
        return f"Comment {number}, on the whole plan:\n{comment.text}"
    quoted = "\n".join(f"> {line}" for line in comment.quote.splitlines())
    return f"Comment {number}, on these words at character {comment.start}:\n{quoted}\n{comment.text}"


def _written(context: ToolContext, given: str) -> str:
    """The plan as it stands in its file, where what was given is put first."""
    path = context.plan.plan_file
    with errors_told(path):
        if given.strip():
            with context.sandbox.files.locked(path):
                context.sandbox.files.write(path, given.encode())
        text = context.sandbox.files.read(path).decode(errors="replace")
    if not text.strip() or text == SKELETON:
        raise ToolError(f"The plan file {path} is still empty. Write the plan there first, then call plan_exit.")
    return text


def _state(plan: PlanState) -> dict[str, Any]:
    return {
        "active": plan.stage == "planning", "awaiting_approval": plan.stage == "proposed", "stage": plan.stage, "reason": plan.reason,
        "plan_file": plan.plan_file, "summary": plan.summary, "revision": plan.revision,
    }  # fmt: skip
