"""Code intelligence in real runs: who has it, what it tells, and that no server outlives its worker."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from pytest_django.fixtures import Settings

from agents import events as e
from agents.ports import CodeServers
from agents.sandboxes.choose import strongest
from agents.tools.profiles import Selection
from tests.agents.code.conftest import FAKE
from tests.agents.sandboxes.processes import Trace, soon
from tests.workspace.sessions.driving import allow_everything, of, say, state
from workspace.accounts.models import User
from workspace.projects.features import selection_of
from workspace.projects.models import Project
from workspace.sessions.loop import WorkerLoop
from workspace.sessions.models import Session
from workspace.sessions.reach import code_for, language_servers

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("worker_threads")]

HOVER = "- call: {tool: lsp, args: {operation: hover, file_path: a.py}, id: c1}\n"
BREAK = "- call: {tool: write, args: {file_path: a.py, content: BAD}, id: c2}\n"
DONE = "- text: Done.\n"


@pytest.fixture
async def trace(project: Project, settings: Settings) -> AsyncIterator[Trace]:
    """The project's Python is a fake server's, whose process carries the trace."""
    trace = Trace()
    shutil.copy(FAKE, project.root / "server.txt")
    (project.root / "a.py").write_text("fine\n")
    settings.LANGUAGE_SERVERS = {"python": ["python3", "server.txt", "good", str(trace)]}
    await Project.objects.filter(pk=project.pk).aupdate(profile="full")
    yield trace
    await language_servers.close()


async def test_an_agent_asks_what_code_means_and_hears_what_its_edit_breaks(
    trace: Trace, session: Session, alice: User, scripted: Any
) -> None:
    await allow_everything(session)
    scripted(HOVER + BREAK + DONE)
    await say(session, alice)
    asked, edited = await of(e.ToolFinished, session)
    assert asked.output.startswith("I am ")
    assert edited.output.endswith("LSP diagnostics for a.py:\n- error at 1:1: this is BAD")
    assert await state(session) == "done"
    assert trace.alive()


@pytest.mark.usefixtures("trace")
async def test_a_project_without_the_group_has_no_server(session: Session, project: Project, alice: User, scripted: Any) -> None:
    await Project.objects.filter(pk=project.pk).aupdate(features={"lsp": False})
    await allow_everything(session)
    scripted(HOVER + BREAK + DONE)
    await say(session, alice)
    asked, edited = await of(e.ToolFinished, session)
    assert "There is no tool 'lsp'" in asked.error
    assert "lsp_synced" not in edited.metadata
    assert not language_servers.count


async def test_a_language_server_changes_nothing_in_the_workspace_whatever_it_loads_there(
    trace: Trace, session: Session, project: Project, alice: User, scripted: Any, settings: Settings
) -> None:
    if strongest() == "local":
        pytest.skip("no sandbox works here")
    settings.LANGUAGE_SERVERS = {"python": ["sh", "-c", f"echo mine > made; exec python3 server.txt good {trace}"]}
    scripted(HOVER + DONE)
    await say(session, alice)
    (asked,) = await of(e.ToolFinished, session)
    assert asked.output.startswith("I am ")
    assert not (project.root / "made").exists()


async def test_when_the_worker_shuts_down_its_servers_end(trace: Trace, project: Project) -> None:
    await project.arefresh_from_db()
    selection: Selection = await sync_to_async(selection_of)(project)
    assert selection.has("lsp")
    code: CodeServers = code_for(await sync_to_async(project.open_sandbox)())
    worker = WorkerLoop()
    await asyncio.to_thread(worker.run, code.query("hover", path="a.py"))
    assert trace.alive()
    await asyncio.to_thread(worker.close)
    assert await soon(lambda: not trace.alive())
