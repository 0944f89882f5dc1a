"""The tools `agent` and `agent_status`: give work to sub-agents, each in a session of its own, and hear how it goes."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field

from agents.errors import ToolError
from agents.events import AgentFinished, AgentStarted, AgentType
from agents.ports import Agents, AgentStatus, AgentWish
from agents.tools.places import errors_told
from agents.tools.tool import Decision, Tool, ToolContext, ToolResult

ENDS: dict[str, str] = {
    "stopped": "The sub-agent was stopped before it had finished",
    "failed": "The sub-agent failed",
    "limit": "The sub-agent reached a limit before it had finished",
}


class SpawnAgent(Tool):
    """One sub-agent at work in a session of its own. In the foreground the call waits for its end; the last it says is the result."""

    name: ClassVar[str] = "agent"
    description: ClassVar[str] = (
        "Give work to a sub-agent with a session of its own and get its last message back. It knows nothing of this conversation: put all "
        "it needs into the prompt. Types: general (every tool), explore (looks, changes nothing), plan, verify (checks, changes nothing). "
        "Several calls in one reply work side by side. In the background the call returns at once, and you hear when it has ended. With "
        "isolation worktree it works on a git branch of its own, which people review."
    )
    keywords: ClassVar[tuple[str, ...]] = ("subagent", "delegate", "task", "parallel", "explore", "verify", "worktree", "background")
    group: ClassVar[str] = "agents"
    always_load: ClassVar[bool] = True
    asks: ClassVar[Literal["allow", "ask"]] = "allow"
    brings: ClassVar[tuple[str, ...]] = ("agent_status",)
    resumable: ClassVar[bool] = True

    task: str = Field(
        alias="prompt", description="What it is to do, with everything it needs to know, and what its last message should tell."
    )
    agent_type: AgentType = Field("general", description="What kind of agent: general, explore, plan or verify.")
    model_override: str = Field("", max_length=200, description="A model other than yours.")
    provider_override: str = Field("", max_length=40, description="A provider other than yours.")
    working_dir: str = Field("", description="The folder it starts in, within the workspace; by default the one you started in.")
    run_in_background: bool = Field(False, description="Return at once and let it work on.")
    isolation: Literal["none", "worktree"] = Field("none", description="worktree gives it a git worktree and a branch of its own.")

    @classmethod
    def is_concurrency_safe(cls) -> bool:
        return True

    def subject(self, context: ToolContext) -> str:
        return self.agent_type

    def prompt(self, context: ToolContext) -> str:
        line = self.task.strip().split("\n", 1)[0]
        return f"Start a sub-agent ({self.agent_type}): {line if len(line) <= 100 else f'{line[:99]}…'}"

    async def run(self, context: ToolContext) -> ToolResult:
        if not self.task.strip():
            raise ToolError("The prompt is empty. Say what the sub-agent is to do; it knows nothing but what you tell it.")
        nesting = context.nesting
        if nesting.depth >= nesting.most:
            raise ToolError(f"Sub-agents may be nested {nesting.most} deep, and you are at depth {nesting.depth}. Do this work yourself.")
        started = await _host(context).start(self._wish(context))
        told = f"Sub-agent {started.agent_id!r} is at work (type={started.agent_type}"
        metadata = {**_named(started), "background": started.background}
        if not started.background:
            return ToolResult(f"Agent [{started.agent_type}]", f"{told}).", metadata, waits=started)
        output = f"{told}, in the background). You hear when it has ended; agent_status with this id tells how it stands."
        return ToolResult(f"Agent [{started.agent_type}] in the background", output, metadata, facts=(started,))

    def _wish(self, context: ToolContext) -> AgentWish:
        return AgentWish(
            call_id=context.call_id, prompt=self.task, agent_type=self.agent_type, provider=self.provider_override.strip(),
            model=self.model_override.strip(), working_dir=self._folder(context), background=self.run_in_background,
            isolation=self.isolation,
        )  # fmt: skip

    def _folder(self, context: ToolContext) -> str:
        folder, files = self.working_dir or context.nesting.working_dir, context.sandbox.files
        if not folder:
            return ""
        with errors_told(folder):
            if files.stat(folder).kind != "folder":
                raise ToolError(f"working_dir {folder} is not a folder.")
            relative = files.relative(folder)
        return "" if relative == "." else relative

    async def conclude(self, decision: Decision, context: ToolContext) -> ToolResult:
        if not isinstance(decision, AgentFinished):
            raise ToolError("This call waits for a sub-agent, not for a person.")
        return ToolResult(f"Agent Result [{decision.agent_type}]", decision.output, _ended(decision), complaint_about(decision))


class AgentStatusTool(Tool):
    """Where one of this session's sub-agents, or one below them, stands."""

    name: ClassVar[str] = "agent_status"
    description: ClassVar[str] = "Tell whether a sub-agent of yours still works or waits, and when it has ended, what it said."
    keywords: ClassVar[tuple[str, ...]] = ("subagent", "background", "status", "result")
    group: ClassVar[str] = "agents"
    read_only: ClassVar[bool] = True
    mutates: ClassVar[bool] = False
    asks: ClassVar[Literal["allow", "ask"]] = "allow"

    agent_id: str = Field(description="The id that agent gave when it started the sub-agent.")

    async def run(self, context: ToolContext) -> ToolResult:
        agent_id = self.agent_id.strip()
        if not agent_id:
            raise ToolError("agent_id is empty. Give the id that agent gave when it started the sub-agent.")
        status = await _host(context).status(agent_id)
        if status is None:
            raise ToolError(f"No sub-agent of this session has the id {agent_id!r}.")
        return _working(status) if status.finished is None else _over(status.finished)


def _host(context: ToolContext) -> Agents:
    if context.reach.agents is None:
        raise ToolError("There can be no sub-agents here: nothing runs them. Do the work yourself.")
    return context.reach.agents


def _working(status: AgentStatus) -> ToolResult:
    waits = f" It waits for people: {status.waits_for} of its asks are open." if status.waits_for else ""
    output = f"Status: running ({status.state}).{waits}\nTask: {status.title}"
    metadata = {"status": "running", "state": status.state, "waits_for": status.waits_for, **_named(status)}
    return ToolResult(f"Agent {status.agent_id}: running", output, metadata)


def _over(finished: AgentFinished) -> ToolResult:
    complaint = complaint_about(finished)
    said = [f"Status: {'completed' if complaint is None else 'error'}", *([complaint] if complaint else []), finished.output]
    status = "completed" if complaint is None else "error"
    title = f"Agent {finished.agent_id}: {status}"
    return ToolResult(title, "\n\n".join(part for part in said if part), {"status": status, **_ended(finished)})


def complaint_about(finished: AgentFinished) -> str | None:
    """Why it did not end by itself, None where it did."""
    if finished.outcome == "done":
        return None
    said = " Below is the last it said." if finished.output else " It had said nothing yet."
    return f"{ENDS[finished.outcome]}{f': {finished.detail}' if finished.detail else '.'}{said}"


def _named(agent: AgentStarted | AgentStatus | AgentFinished) -> dict[str, Any]:
    return {"agent_id": agent.agent_id, "agent_type": agent.agent_type, "child_session_id": agent.session_id}


def _ended(finished: AgentFinished) -> dict[str, Any]:
    changed = [{"path": change.path, "change": change.change} for change in finished.changes]
    worktree = {"branch": finished.branch, "changed_files": changed} if finished.branch else {}
    facts = {"outcome": finished.outcome, "tool_calls": finished.tool_calls, "background": finished.background}
    return {**_named(finished), **facts, **worktree}
