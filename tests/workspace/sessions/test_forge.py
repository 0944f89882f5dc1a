"""issue:// and pr:// in real runs, against a server that answers as GitHub does."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from pytest_django.fixtures import Settings

from agents import events as e
from tests.peers.forges import TOKEN, github
from tests.workspace.sessions.agency import result
from tests.workspace.sessions.driving import allow_everything, say, state
from workspace.accounts.credentials import store_secret
from workspace.accounts.models import User
from workspace.connections.forges import connect_forge
from workspace.projects.models import Project
from workspace.sessions import log
from workspace.sessions.models import Session

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("worker_threads")]

READS = """
- call: {tool: read, args: {path: 'issue://'}, id: c1}
- call: {tool: read, args: {path: 'issue://1:1-3'}, id: c2}
- call: {tool: read, args: {path: 'pr://3/diff'}, id: c3}
- call: {tool: search, args: {pattern: 'Why two', paths: 'pr://3'}, id: c4}
- call: {tool: read, args: {path: 'issue://99'}, id: c5}
- text: Done.
"""


async def test_an_agent_reads_issues_and_pull_requests(
    session: Session, project: Project, alice: User, scripted: Any, settings: Settings
) -> None:
    settings.ALLOW_PRIVATE_URLS = True
    await allow_everything(session)
    await sync_to_async(log.append)(session.pk, [e.SessionConfigured(toolset="atomic", provider="scripted", model="demo")])
    await sync_to_async(store_secret)(project.team, alice, name="FORGE_TOKEN", value=TOKEN)
    with github() as hub:
        place = {"kind": "github", "base_url": hub.url, "repository": "owner/shelf", "secret": "FORGE_TOKEN"}
        await sync_to_async(connect_forge)(project, alice, **place)
        scripted(READS)
        await say(session, alice)
    assert await state(session) == "done"
    ends = [await result(session, f"c{number}") for number in range(1, 6)]
    assert [one.error for one in ends[:4]] == [None] * 4
    assert ends[0].output.splitlines()[0] == "issue://1 open: Issue 1 (bob, 2026-11-20T10:00:00Z)"
    assert "# Issue 1 (#1)" in ends[1].output
    assert "+x = 2" in ends[2].output
    assert "Why two?" in ends[3].output
    assert "no such thing in owner/shelf" in (ends[4].error or "")
    assert TOKEN not in "".join(entry.model_dump_json() for entry in await sync_to_async(log.read)(session.pk))
