"""Which tools the agent of a session really gets, and what it is told of the others."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from asgiref.sync import sync_to_async

from agents import events as e
from agents.pieces import AgentOrigin, AgentType
from agents.tools.profiles import AGENT_TOOLS, deferred
from agents.tools.registry import toolset
from tests.workspace.sessions import driving
from tests.workspace.sessions.commands import HELLO
from workspace.accounts.models import User
from workspace.connections.models import McpServer
from workspace.projects.models import Project
from workspace.sessions import log
from workspace.sessions.actions import perform
from workspace.sessions.models import Run, Session
from workspace.sessions.toolbox import stock, tools_for
from workspace.sessions.workbench import set_up

OATS = toolset("oats")


def child(parent: Session, agent_type: AgentType) -> Session:
    session = Session.objects.create(project=parent.project, created_by=parent.created_by, parent=parent, root=parent)
    origin = AgentOrigin(parent=parent.public_id, root=parent.public_id, call_id="c1", agent_id="a1b2c3d4", agent_type=agent_type, depth=1)
    log.append(session.pk, [e.SessionOpened(title="Look", toolset="oats", provider="scripted", model="demo", origin=origin)])
    session.refresh_from_db()
    return session


def had(session: Session) -> list[str]:
    session.refresh_from_db()
    return list(tools_for(Session.objects.select_related("project__team").get(pk=session.pk), log.history(session.pk)))


def lend(project: Project, *names: str, server: str = "words") -> None:
    tools = [{"name": name, "description": "x", "schema": {"type": "object"}, "read_only": False} for name in names]
    McpServer.objects.create(team=project.team, project=project, name=server, transport="stdio", command=["x"], tools=tools)


def test_a_session_has_the_tools_of_its_projects_profile(session: Session) -> None:
    assert "lsp" not in had(session)
    Project.objects.update(profile="full")
    assert had(session) == list(OATS)
    Project.objects.update(profile="minimal", features={"memory": True})
    assert {OATS[name].group for name in had(session)} == {"core_tools", "deferred_tools", "memory"}


def test_lent_tools_stand_behind_our_own_and_go_with_their_group(session: Session) -> None:
    lend(session.project, "look_up", "spell")
    assert "mcp__words__spell" not in had(session)
    Project.objects.update(features={"mcp": True})
    assert had(session)[-2:] == ["mcp__words__look_up", "mcp__words__spell"]


def test_a_lent_tool_never_takes_anothers_place(session: Session) -> None:
    lend(session.project, "look_up", "look_up")
    stocked = stock(session.project, "oats")
    assert [name for name in stocked if name.startswith("mcp__")] == ["mcp__words__look_up"]


@pytest.mark.parametrize("agent_type", ["explore", "plan", "verify"])
def test_for_a_sub_agent_other_tools_do_not_exist(session: Session, agent_type: AgentType) -> None:
    Project.objects.update(profile="full")
    lend(session.project, "look_up")
    allowed = AGENT_TOOLS[agent_type]
    assert allowed is not None
    assert had(child(session, agent_type)) == [name for name in OATS if name in allowed]


def test_a_general_sub_agent_has_what_its_project_has(session: Session) -> None:
    assert had(child(session, "general")) == had(session)


def test_a_sub_agent_has_no_group_that_its_project_switched_off(session: Session) -> None:
    Project.objects.update(features={"web_tools": False})
    assert "webfetch" not in had(child(session, "explore"))


def prepared(session: Session, person: User) -> Callable[[], str]:
    perform(session, person, HELLO)
    run = Run.objects.select_related("acting_for").get(session=session)
    return lambda: set_up(run).agent.system


def test_the_prompt_names_what_can_be_looked_up_and_stays_the_same(session: Session, alice: User) -> None:
    system = prepared(session, alice)
    before = system()
    assert "multiedit, apply_patch" in before
    assert ", ".join(deferred({name: OATS[name] for name in had(session)})) in before
    log.append(session.pk, [e.ToolsLoaded(tools=("multiedit",))])
    assert system() == before


def test_the_prompt_says_how_a_toolset_works_and_changes_only_with_it(session: Session, alice: User) -> None:
    system = prepared(session, alice)
    assert "rule://" not in system()
    log.append(session.pk, [e.SessionConfigured(toolset="atomic", provider="scripted", model="demo")])
    told = system()
    assert "Begin with `read rule://`" in told
    (session.project.root / "AGENTS.md").write_text("Be kind.")
    log.append(session.pk, [e.UserSpoke(message_id="m2", text="Go on")])
    assert system() == told


def test_a_prompt_says_nothing_of_looking_up_where_everything_is_offered(session: Session, alice: User) -> None:
    Project.objects.update(features={"deferred_tools": False})
    assert "tool_search" not in prepared(session, alice)()


@pytest.mark.django_db(transaction=True)
async def test_what_a_run_looked_up_the_next_is_offered(
    session: Session, alice: User, scripted: Callable[[str], None], worker_threads: None
) -> None:
    scripted("- call: {tool: tool_search, args: {query: 'select:multiedit'}}\n- text: found\n")
    await driving.say(session, alice)
    assert await driving.of(e.ToolsLoaded, session) == [e.ToolsLoaded(tools=("multiedit",))]
    assert (await sync_to_async(log.history)(session.pk)).loaded == ("multiedit",)
