"""The sub-agents of one session: `agents.ports.Agents` for the host. Each is a session of its own, opened by a call.

A call finds its sub-agent again by an id that follows from the call, so that a call taken up twice starts one agent.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from uuid import UUID, uuid5

from channels.db import DatabaseSyncToAsync
from django.conf import settings
from django.db import transaction

from agents import events as e
from agents.errors import ToolError
from agents.ports import AgentStatus, AgentWish
from workspace.accounts.providers import default_model, describe_providers
from workspace.errors import AppError
from workspace.projects import git, worktrees
from workspace.projects.worktrees import Worktree
from workspace.sessions import choosing, log, queueing, runs
from workspace.sessions.choices import ENDED
from workspace.sessions.endings import ending
from workspace.sessions.models import LoggedFact, Run, Session
from workspace.sessions.places import worktree_of
from workspace.sessions.runs import Lease

MOST_AT_ONCE = 16
"""Sub-agents at work in one tree of sessions."""


class DatabaseAgents:
    """What the agent of one run may start, and ask about."""

    def __init__(self, session: Session, run: Run) -> None:
        self.session, self.run = session, run

    async def start(self, wish: AgentWish) -> e.AgentStarted:
        started: e.AgentStarted = await DatabaseSyncToAsync(self._start, thread_sensitive=False)(wish)
        return started

    async def status(self, agent_id: str) -> AgentStatus | None:
        found: AgentStatus | None = await DatabaseSyncToAsync(self._status, thread_sensitive=False)(agent_id)
        return found

    async def all(self) -> Sequence[AgentStatus]:
        found: Sequence[AgentStatus] = await DatabaseSyncToAsync(self._all, thread_sensitive=False)()
        return found

    def _start(self, wish: AgentWish) -> e.AgentStarted:
        child = Session.objects.filter(parent=self.session, started_by_call=wish.call_id).first() or self._made(wish)
        return e.AgentStarted(
            agent_id=child.agent_id, session_id=child.public_id, call_id=wish.call_id, agent_type=wish.agent_type,
            title=child.title, background=wish.background,
        )  # fmt: skip

    def _made(self, wish: AgentWish) -> Session:
        """A new one with all it needs on the disk. Raises ToolError with the reason where there can be none."""
        child_id = str(uuid5(UUID(self.session.public_id), wish.call_id))
        try:
            chosen = self._chosen(wish)
            worktree = self._worktree(child_id, wish)
            try:
                return self._opened(child_id, wish, chosen, worktree)
            except BaseException:
                if worktree is not None and not Session.objects.filter(public_id=child_id).exists():  # else it is another worker's now
                    worktrees.drop(self.session.project, child_id)
                raise
        except AppError as refused:
            raise ToolError(str(refused)) from refused

    def _chosen(self, wish: AgentWish) -> tuple[str, str]:
        """Provider and model: the parent's, where the wish names no others. Raises ToolError for a provider that cannot be asked."""
        view, team = self.session.view, self.session.project.team
        provider = wish.provider or view.provider
        if wish.provider:
            known = {one["name"]: one for one in describe_providers(team)}
            if provider not in known:
                raise ToolError(f"There is no provider {provider!r}. Providers: {', '.join(known)}.")
            if not known[provider]["ready"]:
                raise ToolError(f"The provider {provider} cannot be asked. {known[provider]['note']}")
        usual = view.model if provider == view.provider else default_model(team, provider)
        return provider, wish.model or usual

    def _worktree(self, child_id: str, wish: AgentWish) -> Worktree | None:
        if wish.isolation != "worktree":
            return None
        worktree = worktrees.make(self.session.project, child_id, worktree_of(self.session))
        if wish.working_dir and not (worktree.path / wish.working_dir).is_dir():
            worktrees.drop(self.session.project, child_id)
            raise ToolError(f"git ignores {wish.working_dir}, so that a worktree does not hold it. Leave working_dir or isolation out.")
        return worktree

    def _opened(self, child_id: str, wish: AgentWish, chosen: tuple[str, str], worktree: Worktree | None) -> Session:
        base_tree = "" if worktree else tree_of(self.session)
        with transaction.atomic():
            # Lower sessions are locked first; the new one, which nobody else can see yet, needs no place in that order.
            parent = Session.objects.locked(self.session.pk)
            root = parent if parent.root_id is None else Session.objects.locked(parent.root_id)
            self._require_room(root)
            child = Session.objects.create(
                public_id=child_id, project=parent.project, created_by=self.run.acting_for, parent=parent, root=root,
                started_by_call=wish.call_id, base_tree=base_tree,
            )  # fmt: skip
            run = Run.objects.create(session=child, acting_for=self.run.acting_for)
            log.append(child.pk, self._first_facts(child, wish, chosen, worktree, run), run=run.public_id)
            transaction.on_commit(partial(queueing.queue, run.public_id))
        child.refresh_from_db()
        return child

    def _require_room(self, root: Session) -> None:
        """Raises LeaseLost where another worker has the parent's run, ToolError where it is being stopped or too much goes on."""
        lease = Lease(self.run.public_id, self.run.lease)
        runs.held(lease)
        if lease.rows.filter(stop_asked=True).exists():
            raise ToolError("The run is being stopped.")
        if Run.objects.filter(session__root=root).unfinished().count() >= MOST_AT_ONCE:
            raise ToolError(f"{MOST_AT_ONCE} sub-agents are at work already, which is the most. Wait until one has ended.")
        if root.descendants.count() >= settings.AGENTS_IN_ALL:
            raise ToolError(f"This session has started {settings.AGENTS_IN_ALL} sub-agents, which is the most. Do the work yourself.")

    def _first_facts(
        self, child: Session, wish: AgentWish, chosen: tuple[str, str], worktree: Worktree | None, run: Run
    ) -> list[e.AnyFact]:
        view = self.session.view
        origin = e.AgentOrigin(
            parent=self.session.public_id, root=child.root.public_id if child.root else "", call_id=wish.call_id,
            agent_id=child.agent_id, agent_type=wish.agent_type, depth=(view.origin.depth if view.origin else 0) + 1,
            background=wish.background, working_dir=wish.working_dir,
        )  # fmt: skip
        opened = e.SessionOpened(
            title=choosing.title_of(wish.prompt),
            toolset=view.toolset,
            provider=chosen[0],
            model=chosen[1],
            protocol=view.protocol,
            origin=origin,
        )
        made = (e.WorktreeMade(branch=worktree.branch, base=worktree.base),) if worktree else ()
        # No person wrote this prompt, so the engine says it. Where others spoke in the parent's run, it is said behind
        # `run.queued`: then it counts as somebody else's word here too, and one person's own memories stay closed.
        asked = e.UserSpoke(message_id=child.public_id, text=wish.prompt)
        queued = e.RunQueued(run_id=run.public_id, acting_for=run.acting_for.public_id if run.acting_for else "")
        return [opened, *made, queued, asked] if self._shared() else [opened, *made, asked, queued]

    def _shared(self) -> bool:
        """Whether somebody else than the person it acts for has spoken since the parent's run was queued."""
        said = LoggedFact.objects.filter(session=self.session)
        since = said.filter(type="run.queued").order_by("-seq").values_list("seq", flat=True).first() or 0
        return said.filter(type="user.spoke", seq__gt=since).exclude(by=self.run.acting_for).exists()

    def _status(self, agent_id: str) -> AgentStatus | None:
        child = next((one for one in below(self.session) if agent_id in (one.agent_id, one.public_id)), None)
        return None if child is None else status_of(child)

    def _all(self) -> Sequence[AgentStatus]:
        return [status for child in below(self.session) if (status := status_of(child))]


def status_of(child: Session) -> AgentStatus | None:
    """None where it is no sub-agent."""
    origin = child.view.origin
    if origin is None:
        return None
    return AgentStatus(
        agent_id=child.agent_id, session_id=child.public_id, agent_type=origin.agent_type, title=child.title, state=child.status,
        waits_for=child.asks + sum(one.asks for one in below(child)), finished=ending(child) if child.status in ENDED else None,
    )  # fmt: skip


def below(session: Session) -> list[Session]:
    """Every sub-agent's session below this one, the upper ones first."""
    found: list[Session] = []
    above = [session]
    while above := list(Session.objects.filter(parent__in=above).select_related("project").order_by("pk")):
        found += above
    return found


def tree_of(session: Session) -> str:
    """What the workspace holds as the sub-agent begins; "" where git cannot tell."""
    try:
        root, start = session.project.root, worktree_of(session)
        return git.snapshot(root, git.head_tree(root), start) if start else git.snapshot(root)
    except (AppError, OSError):
        return ""
