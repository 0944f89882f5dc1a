"""Whom a run acts for: whose memories it reads, who may have it go on, and what of the team's secrets it lets out."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from agents import events as e
from tests.peers.server import Peer
from tests.workspace.sessions.driving import carry, decide, of, say, send, state
from workspace.accounts.credentials import store_provider_key
from workspace.accounts.models import Membership, Team, User
from workspace.memories.actions import Belonging, write_memory
from workspace.projects.models import Project
from workspace.sessions import log
from workspace.sessions.models import Session
from workspace.sessions.workbench import opened

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("worker_threads")]

KEY = "sk-0123456789abcdef"
RECALL = """
scenarios:
- match: recall
  restart: true
  turns: [{call: {tool: memory_read, args: {}}}, {text: That is all.}]
"""


async def test_whoever_joins_anothers_run_does_not_read_that_persons_memories(
    session: Session, project: Project, alice: User, bob: User, scripted: Any
) -> None:  # fmt: skip
    for owner in (alice, bob):
        await sync_to_async(write_memory)(
            Belonging(owner=owner), title=f"of {owner.username}", content="private", type="user", tags=[], by=owner
        )  # fmt: skip
    scripted(RECALL)
    await send(session, alice, "begin")
    await send(session, bob, "recall")
    await carry(session)
    recalled = [fact for fact in await of(e.ToolFinished, session) if fact.tool == "memory_read"]
    assert recalled
    assert "private" not in str(recalled)
    await say(session, bob, "recall again")
    last = (await of(e.ToolFinished, session))[-1]
    assert "of bob" in last.output
    assert "of alice" not in last.output


@pytest.mark.parametrize("how", ["demoted", "removed", "switched off"])
async def test_a_run_does_not_go_on_for_somebody_who_may_not_prompt_any_more(
    how: str, session: Session, project: Project, alice: User, bob: User, scripted: Any
) -> None:  # fmt: skip
    scripted("- call: {tool: write, args: {file_path: a.txt, content: x}}\n- text: Done.\n")
    await say(session, bob)
    (asked,) = await of(e.ApprovalAsked, session)
    membership = Membership.objects.filter(user=bob)
    if how == "demoted":
        await membership.aupdate(role="viewer")
    elif how == "removed":
        await membership.adelete()
    else:
        await User.objects.filter(pk=bob.pk).aupdate(is_active=False)
    await decide(session, alice, asked)
    assert await state(session) == "failed"
    assert "Bob Boyd" in (await of(e.RunFinished, session))[0].detail
    assert not (project.root / "a.txt").exists()


async def test_a_key_is_written_to_no_log(
    session: Session, team: Team, alice: User, caplog: pytest.LogCaptureFixture
) -> None:  # fmt: skip
    caplog.set_level(logging.DEBUG)
    with Peer("openai", f"- error: {{kind: auth, message: 'no such key {KEY}'}}\n") as peer:
        await sync_to_async(store_provider_key)(team, alice, provider="openai", base_url=peer.base_url, model="", key=KEY)
        await sync_to_async(log.append)(session.pk, [e.SessionConfigured(toolset="oats", provider="openai", model="m")])
        await say(session, alice)
        provider: Any = opened("openai", KEY, peer.base_url, "m", "")
        await provider.close()
    assert await state(session) == "failed"
    assert KEY not in caplog.text
    assert KEY not in str(await of(e.ProviderFailed, session))
