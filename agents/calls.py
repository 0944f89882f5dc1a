"""What becomes of a reply's calls: gate each one, run what may run, ask people for the rest.

Calls go in the order the model gave them. Neighbouring calls that are safe beside each other run so; every other call runs alone. Once
one must wait for people, nothing behind it runs, but what else needs their word is asked at the same time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import takewhile
from time import monotonic
from typing import Any

from agents import events as e
from agents.agent import Agent
from agents.errors import ToolError
from agents.history import History, OpenCall, covered
from agents.permissions import STRICTER, Action, Rule, Verdict, barring, decide, decide_command
from agents.pieces import well_formed
from agents.ports import Recorder
from agents.shell.screen import plain
from agents.shell.secrets import redact
from agents.tools.arguments import parse_arguments
from agents.tools.crashes import crashes_told, in_thread, sound
from agents.tools.oversize import shortened
from agents.tools.pictures import viewable
from agents.tools.registry import unknown
from agents.tools.tool import Decision, Tool, ToolContext, ToolResult, call_hash

PLAN_FOLDER = ".coder/"
"""Where a plan may be written without asking; a plan file elsewhere could be a file of the project's."""
SHORT = 20_000
"""Characters up to which an output is searched for secrets on the loop: a thread would take longer."""
OUTPUT_LIMIT = 1_000_000
"""Characters of one result that the log and the model get at most, whatever a tool returns."""


async def settle_calls(agent: Agent, history: History, recorder: Recorder) -> tuple[str, ...]:
    """Bring every open call to its end, or as far as it can go without people. The ids of those that people must decide."""
    waits = False
    for group in _groups(agent, list(history.open_calls)):
        desks = [Desk(agent, history, recorder, open_call) for open_call in group]
        if waits:
            for desk in desks:
                await desk.ask_only()
        else:
            waits = any(await _side_by_side(desks))
    return tuple(open_call.call.call_id for open_call in history.waiting)


def _groups(agent: Agent, open_calls: list[OpenCall]) -> Iterator[list[OpenCall]]:
    group: list[OpenCall] = []
    for open_call in open_calls:
        if open_call.state == "finished":
            continue
        tool = agent.tool(open_call.call.tool)
        if tool is not None and tool.is_concurrency_safe():
            group.append(open_call)
            continue
        if group:
            yield group
        group = []
        yield [open_call]
    if group:
        yield group


async def _side_by_side(desks: list[Desk]) -> list[bool]:
    if len(desks) == 1:
        return [await desks[0].settle()]
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(desk.settle()) for desk in desks]
    return [task.result() for task in tasks]


@dataclass
class Desk:
    """One open call on its way to a result."""

    agent: Agent
    history: History
    recorder: Recorder
    open_call: OpenCall

    @property
    def call(self) -> e.Call:
        return self.open_call.call

    async def settle(self) -> bool:
        """Finish the call, or put its question to people. True when it waits."""
        try:
            tool = self._tool()
            if self.open_call.state in ("asked", "waiting"):
                return True
            self._refuse_broken_off()
            gate = await self._gated(tool)
            if gate is not None:
                await self.recorder.keep(gate)
                return True
            return await self._run(tool)
        except ToolError as refused:
            await self._finish(ToolResult(self.call.tool, error=str(refused)), 0.0)
            return False

    async def ask_only(self) -> None:
        """Put the call's question to people if it has one, but run nothing: a call before it waits."""
        if self.open_call.state != "new":
            return
        try:
            gate = await self._gated(self._tool())
        except ToolError:
            return  # refused in its turn, with the reasons that hold then
        if gate is not None:
            await self.recorder.keep(gate)

    def _tool(self) -> Tool:
        tool = self.agent.tool(self.call.tool)
        if tool is None:
            raise ToolError(unknown(self.call.tool, self.agent.tools))
        with crashes_told(tool.name):
            return tool.parse(parse_arguments(self.call.arguments))

    def _refuse_broken_off(self) -> None:
        if self.history.cut_off:
            raise ToolError("The reply broke off before it ended, so this call was not run. Make it again if it is still needed.")
        tool = self._tool()
        if self.open_call.interrupted and not tool.read_only and not tool.resumable:
            raise ToolError(
                "The worker was lost after this call had started and before it ended: it may have run in part or in whole, and it "
                "was not run again. Check what it did before you repeat it."
            )

    async def _gated(self, tool: Tool) -> e.ApprovalAsked | None:
        with crashes_told(tool.name):
            return await self._gate(tool)

    async def _gate(self, tool: Tool) -> e.ApprovalAsked | None:
        """Raises ToolError where the call is refused; the approval to ask for, where people must say; None where it may run."""
        if self.open_call.state == "decided":
            return None
        context = self._context()
        self._refuse_beyond(tool, context)
        if self.history.plan.holds_back and tool.mutates and not tool.read_only and not tool.plan_file(context):
            raise ToolError(plan_refusal(tool, self.history))
        if self.open_call.state == "denied":
            raise ToolError(denial(self.open_call))
        if self.open_call.state == "started" or (self.open_call.state == "allowed" and self._is_what_was_allowed(tool)):
            return None
        verdict = await in_thread(lambda: permission(self.agent, tool, context, self.history))
        if verdict.action == "deny":
            raise ToolError(f"This call is not permitted here ({verdict.reason}). Choose another way or ask the person.")
        return None if verdict.action == "allow" else await self._approval(tool, context)

    def _refuse_beyond(self, tool: Tool, context: ToolContext) -> None:
        """Raises ToolError for what the workflow forbids just now, and for what the run's budget has no room for."""
        before = takewhile(lambda other: other is not self.open_call, self.history.open_calls)
        reserved = 0 if self.open_call.interrupted else 1 + sum(other.state in ("new", "asked", "allowed") for other in before)
        refusal = self.agent.forbids(tool, context) or self.agent.budget.refusal(self.history.progress, datetime.now(UTC), reserved)
        if refusal:
            raise ToolError(refusal)

    def _is_what_was_allowed(self, tool: Tool) -> bool:
        """Not so where the session got another toolset meanwhile: then people are asked again."""
        approval = self.open_call.approval
        return approval is not None and approval.hash == call_hash(tool.name, tool.arguments())

    async def _approval(self, tool: Tool, context: ToolContext) -> e.ApprovalAsked:
        args = tool.arguments()
        prompt, subject, preview = await in_thread(lambda: (tool.prompt(context), tool.subject(context), tool.preview(context)))
        return e.ApprovalAsked(
            approval_id=f"a-{self.call.call_id}", call_id=self.call.call_id, tool=tool.name, args=args,
            prompt=well_formed(prompt), subject=well_formed(subject), hash=call_hash(tool.name, args),
            preview=redact(well_formed(preview))[0], risk=tool.risk(context),
        )  # fmt: skip

    async def _run(self, tool: Tool) -> bool:
        context, began = self._context(), monotonic()
        decision = self.open_call.decision
        if decision is None:
            await self.recorder.keep(e.ToolStarted(call_id=self.call.call_id, tool=tool.name, args=tool.arguments()))
        try:
            async with asyncio.timeout(self.agent.seconds_left(self.history) if decision is None else None):
                with crashes_told(tool.name):
                    result = sound(await (tool.run(context) if decision is None else conclude(tool, decision, context)))
                    result = result if tool.bounded else await viewable(await shortened(result, context), context)
        except asyncio.CancelledError:
            await asyncio.shield(self._finish(cut_short(tool, context, "Stopped by a person before it ended."), monotonic() - began))
            raise
        except TimeoutError:  # the run's: a tool's own is told as an error
            result = cut_short(tool, context, "Ended before it was done: the time that the run may work is over.")
        except ToolError as wrong:
            result = ToolResult(tool.name, error=str(wrong) or type(wrong).__name__)
        if result.waits is not None:
            await self.recorder.keep(*result.facts, result.waits)
            return True
        if result.error is None and (loaded := self._brought(tool)):
            result = replace(result, facts=(*result.facts, loaded))
        await self._finish(result, monotonic() - began)
        return False

    def _brought(self, tool: Tool) -> e.ToolsLoaded | None:
        fresh = tuple(name for name in tool.brings if name in self.agent.tools and name not in self.history.loaded)
        return e.ToolsLoaded(tools=fresh) if fresh else None

    async def _finish(self, result: ToolResult, seconds: float) -> None:
        if len(result.output) < SHORT:
            fact = finished(self.call, result, seconds)
        else:
            fact = await asyncio.to_thread(finished, self.call, result, seconds)
        await self.recorder.keep(*result.facts, fact)

    def _context(self) -> ToolContext:
        at = 0

        def show(text: str) -> None:
            nonlocal at
            context.shown.append(text)
            self.recorder.show(e.OutputGrew(call_id=self.call.call_id, at=at, text=text))
            at += len(text)

        context = ToolContext(
            session_id=self.agent.session_id, call_id=self.call.call_id, sandbox=self.agent.sandbox,
            memories=self.agent.memories, todos=self.history.todos, plan=self.history.plan, show=show, flags=self.agent.flags,
            tools=self.agent.tools, nesting=self.agent.nesting, reach=self.agent.reach, barred=barring(self.agent.rules),
        )  # fmt: skip
        return context


def permission(agent: Agent, tool: Tool, context: ToolContext, history: History) -> Verdict:
    """What the rules, and what people allowed for this session, say to this call."""
    verdict = judged(agent.rules, tool, context)
    if verdict.action == "ask" and covered(tool.name, tool.subject(context), tool.arguments()) in history.allowed:
        return Verdict("allow", "allowed for this session")
    if verdict.action == "ask" and history.plan.plan_file.startswith(PLAN_FOLDER) and tool.plan_file(context):
        return Verdict("allow", "the plan's own file, which people review as a whole")
    return verdict


def judged(rules: Sequence[Rule], tool: Tool, context: ToolContext) -> Verdict:
    """The strictest verdict over all parts of the call."""
    rule = decide_command if tool.subject_is_command else decide
    default: Action = "allow" if tool.requires_permission(context) is None else "ask"
    verdicts = [rule(rules, name, subject, default) for name, subject in tool.parts(context)]
    return max(verdicts, key=lambda verdict: STRICTER[verdict.action])


def cut_short(tool: Tool, context: ToolContext, why: str) -> ToolResult:
    """The result of a call that was ended, with the output it had shown until then."""
    return ToolResult(tool.name, plain("".join(context.shown)), error=why)


def plan_refusal(tool: Tool, history: History) -> str:
    plan = history.plan
    if plan.stage == "proposed":
        return f"The plan is waiting for people to review it; until it is approved {tool.name} may not change anything."
    return (
        f"Plan mode is on, so {tool.name} may not change anything. Read what you need, write the plan to "
        f"{plan.plan_file}, and propose it with plan_exit."
    )


def denial(open_call: OpenCall) -> str:
    reason = open_call.verdict.reason if open_call.verdict else ""
    return f"A person declined this call: {reason}" if reason else "A person declined this call and gave no reason."


async def conclude(tool: Tool, decision: Decision | e.PlanLeft, context: ToolContext) -> ToolResult:
    if isinstance(decision, e.PlanLeft):
        text = "A person ended plan mode without approving a plan. The tools work normally again; ask before larger changes."
        return ToolResult(tool.name, f"{text}\n{decision.reason}".rstrip())
    return await tool.conclude(decision, context)


def _clean(value: Any) -> Any:
    """The same value with no secret in any of its texts."""
    if isinstance(value, str):
        return redact(well_formed(value))[0]
    if isinstance(value, dict):
        return {key: _clean(item) for key, item in value.items()}
    return [_clean(item) for item in value] if isinstance(value, list | tuple) else value


def finished(call: e.Call, result: ToolResult, seconds: float) -> e.ToolFinished:
    """The fact of a call's end: bounded, without secrets, in text that every database takes."""
    output, secrets = redact(well_formed(result.output))
    if len(output) > OUTPUT_LIMIT:
        output = f"{output[:OUTPUT_LIMIT]}\n[{len(output) - OUTPUT_LIMIT} more characters were left out]"
    return e.ToolFinished(
        call_id=call.call_id, tool=call.tool, title=redact(well_formed(result.title))[0], output=output,
        error=None if result.error is None else redact(well_formed(result.error))[0], metadata=_clean(result.metadata),
        changes=tuple(change.model_copy(update={"diff": redact(well_formed(change.diff))[0]}) for change in result.changes),
        attachments=tuple(file.model_copy(update={"name": redact(well_formed(file.name))[0]}) for file in result.attachments),
        seconds=round(seconds, 3), redactions=result.redactions + secrets,
    )  # fmt: skip
