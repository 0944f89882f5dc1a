"""Sessions whose model has no function calling, over a real wire format: its words do real work, and what cannot be read is told."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from agents import events as e
from agents.providers.vendors import VendorProvider
from tests.peers.server import Peer
from tests.workspace.sessions.driving import allow_everything, of, say, state
from workspace.accounts.credentials import store_provider_key
from workspace.accounts.models import Team, User
from workspace.projects.models import Project
from workspace.sessions import log, workbench
from workspace.sessions.models import Session

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("worker_threads")]

KEY = "sk-none"
JSON = """- text: |
    Here it is.

    {"actions": [{"tool": "write", "args": {"file_path": "a.py", "content": "FILE_CONTENT_#1"}}], "stop_reason": "continue"}
    ---(FILE_CONTENT_#1)---
    print("</done>")

    ---(FILE_CONTENT_#1)---
- text: '{"stop_reason": "done", "result_message": "Done."}'
"""
XML = """- text: |
    Here it is.

    <write>
    <file_path>a.py</file_path>
    <content>
    print("</done>")

    </content>
    </write>
- text: Done.
"""
Serve = Callable[[str, str], Awaitable[Peer]]


@pytest.fixture
async def serve(session: Session, team: Team, alice: User) -> AsyncIterator[Serve]:
    """Let the session speak this protocol with a server that plays this script."""
    peers: list[Peer] = []

    def choose(peer: Peer, protocol: str) -> None:
        store_provider_key(team, alice, provider="openai", base_url=peer.base_url, model="", key=KEY)
        log.append(session.pk, [e.SessionConfigured(toolset="oats", provider="openai", model="m", protocol=protocol)])

    with ExitStack() as running:

        async def serve(protocol: str, script: str) -> Peer:
            peers.append(running.enter_context(Peer("openai", script)))
            await sync_to_async(choose)(peers[-1], protocol)
            return peers[-1]

        yield serve
        for peer in peers:
            opened = workbench.opened("openai", KEY, peer.base_url, "m", "")
            assert isinstance(opened, VendorProvider)
            await opened.close()


@pytest.mark.parametrize(("protocol", "script"), [("json", JSON), ("xml", XML)])
async def test_a_call_in_words_writes_its_file(
    protocol: str, script: str, session: Session, project: Project, alice: User, serve: Any
) -> None:  # fmt: skip
    peer = await serve(protocol, script)
    await allow_everything(session)
    await say(session, alice)
    assert await state(session) == "done"
    assert (project.root / "a.py").read_text() == 'print("</done>")\n'
    spoke = await of(e.AgentSpoke, session)
    assert [[part.type for part in each.parts] for each in spoke] == [["text", "call"], ["text"]]
    assert spoke[0].parts[0].text == "Here it is."
    first, second = (request.json for request in peer.requests)
    assert "tools" not in first
    assert second["messages"][: len(first["messages"])] == first["messages"]
    assert "## write\n" in first["messages"][0]["content"]
    assert [message["role"] for message in second["messages"][-2:]] == ["assistant", "user"]
    assert second["messages"][-1]["content"].startswith("[Result of write]\n")


async def test_what_cannot_be_read_is_told_and_the_third_time_ends_the_run(session: Session, alice: User, serve: Any) -> None:
    peer = await serve("json", "- text: '{\"actions\": ['\n" * 5)
    await say(session, alice)
    assert await state(session) == "failed"
    refused = await of(e.ReplyRefused, session)
    assert len(refused) == len(peer.requests) == 3
    assert refused[0].reason in peer.requests[1].json["messages"][-1]["content"]
    (finished,) = await of(e.RunFinished, session)
    assert "could not be read, 3 times in a row" in finished.detail
