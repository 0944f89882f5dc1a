"""agent://: what the sub-agents of this session found or did."""

from __future__ import annotations

from agents.errors import ToolError
from agents.ports import AgentStatus
from agents.resources.address import Address
from agents.resources.resource import Resource, Surroundings


async def agent(address: Address, around: Surroundings) -> Resource:
    if around.agents is None:
        raise ToolError(f"{address.url} was not found: this session can have no sub-agents.")
    if address.is_root:
        return Resource(address.url, "\n".join(map(_row, await around.agents.all())) or "This session has started no sub-agents.")
    agent_id = address.path.strip("/")
    status = await around.agents.status(agent_id)
    if status is None:
        raise ToolError(f"{address.url} was not found: this session has no sub-agent {agent_id!r}. agent:// lists those it has.")
    return Resource(address.url, _told(status), "text/markdown")


def _row(one: AgentStatus) -> str:
    return f"agent://{one.agent_id} {one.agent_type}, {_state(one)}: {one.title}"


def _state(one: AgentStatus) -> str:
    waits = f", waits for {one.waits_for} decisions" if one.waits_for else ""
    return f"{one.finished.outcome if one.finished else one.state}{waits}"


def _told(one: AgentStatus) -> str:
    begun = f"{one.title}\n{one.agent_type} {one.agent_id}: {_state(one)}"
    if one.finished is None:
        return f"{begun}\n\nIt has not ended yet, so there is no report."
    reason = f"\n{one.finished.detail}" if one.finished.detail else ""
    branch = f"\nIts changes are on the branch {one.finished.branch}." if one.finished.branch else ""
    return f"{begun}{reason}{branch}\n\n{one.finished.output or 'It said nothing at its end.'}"
