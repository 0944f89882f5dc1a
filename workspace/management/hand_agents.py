"""Sub-agents of tools worked by hand: they really run, in this process, and nobody is there to be asked."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.conf import settings

from agents import events as e
from agents.agent import Agent
from agents.edits.hashline.store import MemorySnapshots
from agents.errors import AgentError, ToolError
from agents.history import closing_facts
from agents.host import InMemoryArtifacts, InMemoryMemories, InMemoryRecorder
from agents.loop import Continue, Done, Failure, Limit, Outcome, Waiting
from agents.permissions import Rule
from agents.ports import AgentStatus, AgentWish, SkillEntry
from agents.prompts import system_prompt
from agents.prompts.agents import agent_prompt
from agents.providers.catalog import PROVIDERS, open_provider
from agents.providers.provider import Provider
from agents.sandboxes.choose import open_sandbox
from agents.sandboxes.sandbox import Sandbox, SandboxWish
from agents.tools.kinds import READ_ONLY, REPLIES
from agents.tools.profiles import deferred, for_agent
from agents.tools.reach import Nesting, Reach
from agents.tools.tool import Tool
from agents.workflows import workflow
from workspace.management.hand_jobs import HandJobs

Opens = Callable[[str, str], tuple[Provider, str]]
"""Gives a provider and its model by their names; "" for those that the environment chose. Raises AgentError."""
EVERYTHING = (Rule("*", "*", "allow"),)
NOBODY = "It waits for a person, and nobody is here to be asked."


@dataclass(frozen=True)
class Shop:
    """What the agents of one session share."""

    tools: Mapping[str, type[Tool]]
    sandbox: Sandbox
    memories: InMemoryMemories
    reach: Reach
    opens: Opens

    def place(self, agent_type: e.AgentType) -> Sandbox:
        """Read-only for an agent that only looks."""
        if agent_type not in READ_ONLY:
            return self.sandbox
        return open_sandbox(SandboxWish(self.sandbox.root, self.sandbox.network, self.sandbox.level, writable=False))

    async def skills(self) -> Sequence[SkillEntry]:
        return await self.reach.skills.all() if self.reach.skills is not None else ()


@dataclass
class HandAgents:
    """The sub-agents that one agent started: `agents.ports.Agents` for one process."""

    shop: Shop
    session_id: str
    root_id: str
    nesting: Nesting
    by_call: dict[str, HandAgent] = field(default_factory=dict)

    async def start(self, wish: AgentWish) -> e.AgentStarted:
        skills = await self.shop.skills()
        if wish.call_id not in self.by_call:
            self.by_call[wish.call_id] = HandAgent.begun(self, wish, skills)
        return self.by_call[wish.call_id].started

    async def status(self, agent_id: str) -> AgentStatus | None:
        for agent in self.by_call.values():
            if agent_id in (agent.origin.agent_id, agent.session_id):
                return agent.status
            if below := await agent.own.status(agent_id):
                return below
        return None

    async def all(self) -> Sequence[AgentStatus]:
        return [status for agent in self.by_call.values() for status in (agent.status, *await agent.own.all())]

    async def ended(self, call_id: str) -> e.AgentFinished:
        """Wait for the sub-agent of this call."""
        return await asyncio.shield(self.by_call[call_id].work)

    def behind(self) -> list[HandAgent]:
        """Those in the background that this one has not heard of yet."""
        return [agent for agent in self.by_call.values() if agent.origin.background and not agent.told]


@dataclass
class HandAgent:
    """One sub-agent, from its start to what it says last."""

    session_id: str
    origin: e.AgentOrigin
    title: str
    own: HandAgents
    agent: Agent
    recorder: InMemoryRecorder
    told: bool = False
    work: asyncio.Task[e.AgentFinished] = field(init=False)

    @classmethod
    def begun(cls, above: HandAgents, wish: AgentWish, skills: Sequence[SkillEntry]) -> HandAgent:
        """At work at once. Raises ToolError where there can be none."""
        if wish.isolation == "worktree":
            raise ToolError("Worktrees are made for the sessions of a project; by hand there are none. Leave isolation out.")
        session_id = str(uuid.uuid4())
        origin = e.AgentOrigin(
            parent=above.session_id, root=above.root_id, call_id=wish.call_id, agent_id=session_id[-8:], agent_type=wish.agent_type,
            depth=above.nesting.depth + 1, background=wish.background, working_dir=wish.working_dir,
        )  # fmt: skip
        nesting = Nesting(origin.depth, above.nesting.most, above.session_id, wish.working_dir)
        own = HandAgents(above.shop, session_id, above.root_id, nesting)
        made = cls(session_id, origin, _title(wish.prompt), own, _agent(own, origin, wish, skills), InMemoryRecorder())
        made.recorder.add(e.UserSpoke(message_id=session_id, text=wish.prompt))
        made.work = asyncio.create_task(made._work())
        return made

    @property
    def started(self) -> e.AgentStarted:
        return e.AgentStarted(
            agent_id=self.origin.agent_id, session_id=self.session_id, call_id=self.origin.call_id, agent_type=self.origin.agent_type,
            title=self.title, background=self.origin.background,
        )  # fmt: skip

    @property
    def status(self) -> AgentStatus:
        finished = self.work.result() if self.work.done() else None
        state = finished.outcome if finished else "running"
        return AgentStatus(self.origin.agent_id, self.session_id, self.origin.agent_type, self.title, state, finished=finished)

    async def _work(self) -> e.AgentFinished:
        outcome: Outcome = Continue()
        while isinstance(outcome, Continue):
            try:
                outcome = await self._step()
            except Exception as broken:  # as in the product: a fault ends the agent, not whoever started it
                outcome = Failure(f"{type(broken).__name__}: {broken}")
        return self._finished(outcome)

    async def _step(self) -> Outcome:
        outcome = await workflow(self.recorder.history.workflow).step(self.agent, self.recorder.history, self.recorder)
        if isinstance(outcome, Waiting):
            return await self._waited()
        if isinstance(outcome, Done) and (behind := self.own.behind()):
            self.recorder.add(await behind[0].work)
            behind[0].told = True
            return Continue()
        return outcome

    async def _waited(self) -> Outcome:
        waiting = self.recorder.history.waiting
        if any(call.waits_for != "agent" for call in waiting):
            for fact in closing_facts(self.recorder.history, NOBODY):
                self.recorder.add(fact)
            return Failure(NOBODY)
        for call in waiting:
            self.recorder.add(await self.own.ended(call.call.call_id))
        return Continue()

    def _finished(self, outcome: Outcome) -> e.AgentFinished:
        entries = [entry.fact for entry in self.recorder.entries]
        replies = [_words(fact) for fact in entries if isinstance(fact, e.AgentSpoke | e.CompletionAttempted)]
        return e.AgentFinished(
            **self.started.model_dump(exclude={"type", "title"}),
            outcome="failed" if isinstance(outcome, Failure) else "limit" if isinstance(outcome, Limit) else "done",
            detail=outcome.detail if isinstance(outcome, Failure | Limit) else "",
            output=next((words for words in reversed(replies) if words), ""),
            tool_calls=sum(isinstance(fact, e.ToolFinished) for fact in entries),
        )  # fmt: skip


def _agent(own: HandAgents, origin: e.AgentOrigin, wish: AgentWish, skills: Sequence[SkillEntry]) -> Agent:
    shop = own.shop
    try:
        provider, model = shop.opens(wish.provider, wish.model)
        sandbox = shop.place(wish.agent_type)
    except AgentError as wrong:
        raise ToolError(str(wrong)) from wrong
    tools = for_agent(shop.tools, wish.agent_type)
    artifacts = shop.reach.artifacts or InMemoryArtifacts()
    reach = replace(shop.reach, agents=own, snapshots=MemorySnapshots(), artifacts=artifacts, jobs=HandJobs(sandbox, artifacts))
    told = system_prompt(sandbox.mount, sandbox.network, deferred(tools), skills=skills if "skill" in tools else ())
    return Agent(
        session_id=own.session_id, provider=provider, model=model, system=f"{told}\n\n{agent_prompt(origin)}",
        tools=tools, sandbox=sandbox, memories=shop.memories, rules=EVERYTHING,
        max_steps=REPLIES[wish.agent_type], reach=reach, nesting=own.nesting,
    )  # fmt: skip


def opened(name: str, model: str) -> tuple[Provider, str]:
    """A provider with the installation's key, and the model to ask; what the environment chose where nothing is named."""
    name = name or settings.HAND_PROVIDER
    if name not in PROVIDERS:
        raise AgentError(f"There is no provider {name!r}. Providers: {', '.join(PROVIDERS)}.")
    usual = settings.HAND_MODEL if name == settings.HAND_PROVIDER else ""
    model = model or usual or PROVIDERS[name].default_model
    own = settings.PROVIDER_KEYS.get(name, {})
    return open_provider(name, key=own.get("key", ""), base_url=own.get("base_url", ""), model=model, script=settings.DEMO_SCRIPT), model


def _title(prompt: str) -> str:
    return prompt.strip().splitlines()[0][:80]


def _words(reply: e.AgentSpoke | e.CompletionAttempted) -> str:
    if isinstance(reply, e.CompletionAttempted):
        return reply.result
    return "\n\n".join(part.text for part in reply.parts if isinstance(part, e.Text)).strip()
