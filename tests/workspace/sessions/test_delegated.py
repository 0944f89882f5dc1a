"""agent:// in real runs: what its sub-agents found can be read again, by the session that has them and by no other."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.sync import sync_to_async

from agents import events as e
from tests.workspace.sessions.agency import begin, children, result
from tests.workspace.sessions.driving import allow_everything, say, state
from workspace.accounts.models import User
from workspace.projects.models import Project
from workspace.sessions import log
from workspace.sessions.models import Session

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("worker_threads")]

ATOMIC = e.SessionConfigured(toolset="atomic", provider="scripted", model="demo")
DELEGATE = r"""
scenarios:
  - match: '^look'
    turns:
      - text: The file says hello.
  - turns:
      - call: {tool: agent, args: {prompt: look at a.txt, agent_type: explore}, id: c1}
      - call: {tool: read, args: {path: 'agent://'}, id: c2}
      - take: {output: 'agent://(?P<agent>\w+)'}
        parts: [{call: {tool: read, args: {path: 'agent://{{agent}}'}, id: c3}}]
      - text: Done.
"""


def reading(url: str) -> str:
    return f"- call: {{tool: read, args: {{path: '{url}'}}, id: c9}}\n- text: Done.\n"


async def test_a_sub_agents_report_can_be_listed_and_read_again(session: Session, project: Project, alice: User, scripted: Any) -> None:
    await allow_everything(session)
    await sync_to_async(log.append)(session.pk, [ATOMIC])
    scripted(DELEGATE)
    await begin(session, alice)
    assert await state(session) == "done"
    (child,) = await children(session)
    assert (await result(session, "c2")).output == f"agent://{child.agent_id} explore, done: look at a.txt"
    assert (await result(session, "c3")).output.endswith("The file says hello.")
    other = await Session.objects.acreate(project=project, created_by=alice)
    await sync_to_async(log.append)(other.pk, [e.SessionOpened(title="", toolset="atomic", provider="scripted", model="demo")])
    scripted(reading(f"agent://{child.agent_id}"))
    await say(other, alice, "theirs")
    assert "no sub-agent" in ((await result(other, "c9")).error or "")
