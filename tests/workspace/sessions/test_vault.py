"""Secrets in real commands: asked for by name, used by the program, seen by nobody."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from agents import events as e
from tests.workspace.sessions.driving import decide, of, say, state
from workspace.accounts.credentials import store_secret
from workspace.accounts.models import User
from workspace.projects.models import Project, Rule
from workspace.sessions import log
from workspace.sessions.models import KeptArtifact, Session

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("worker_threads")]

VALUE = "correct-horse-42"
ATOMIC = e.SessionConfigured(toolset="atomic", provider="scripted", model="demo")


@pytest.fixture
def equipped(session: Session, project: Project, alice: User) -> Session:
    """With a secret, in the toolset whose commands take them, where any command may run unasked."""
    store_secret(project.team, alice, name="DEPLOY_TOKEN", value=VALUE)
    log.append(session.pk, [ATOMIC])
    Rule.objects.create(project=project, order=100, tool="bash", pattern="*", action="allow")
    return session


def running(command: str) -> str:
    return f"- call: {{tool: bash, args: {{command: '{command}'}}, id: c1}}\n- text: Done.\n"


async def everything_kept(session: Session) -> str:
    entries = "".join(entry.model_dump_json() for entry in await sync_to_async(log.read)(session.pk))
    return entries + "".join([str(one.data) async for one in KeptArtifact.objects.all()])


async def test_a_secret_is_asked_for_by_name_and_its_value_is_seen_nowhere(equipped: Session, alice: User, scripted: Any) -> None:
    scripted(running('printf %s vault://DEPLOY_TOKEN | sha256sum; echo "it is vault://DEPLOY_TOKEN"'))
    await say(equipped, alice)
    assert await state(equipped) == "waiting"
    (asked,) = await of(e.ApprovalAsked, equipped)
    assert "vault://DEPLOY_TOKEN" in asked.args["command"]
    await decide(equipped, alice, asked)
    assert await state(equipped) == "done"
    (ended,) = await of(e.ToolFinished, equipped)
    assert (ended.error, sha256(VALUE.encode()).hexdigest() in ended.output) == (None, True)
    assert "it is [redacted]" in ended.output
    assert VALUE not in await everything_kept(equipped)


async def test_a_rule_of_its_own_lets_a_secret_be_used_unasked(equipped: Session, project: Project, alice: User, scripted: Any) -> None:
    await Rule.objects.acreate(project=project, order=101, tool="vault", pattern="DEPLOY_*", action="allow")
    scripted(running("printf %s vault://DEPLOY_TOKEN | wc -c"))
    await say(equipped, alice)
    (ended,) = await of(e.ToolFinished, equipped)
    assert (ended.error, ended.output.strip()) == (None, str(len(VALUE)))


async def test_a_rule_can_close_the_vault(equipped: Session, project: Project, alice: User, scripted: Any) -> None:
    await Rule.objects.acreate(project=project, order=101, tool="vault", pattern="*", action="deny")
    scripted(running("echo ran > ran.txt; printf %s vault://DEPLOY_TOKEN"))
    await say(equipped, alice)
    (ended,) = await of(e.ToolFinished, equipped)
    assert "deny vault *" in (ended.error or "")
    assert not (project.root / "ran.txt").exists()


async def test_a_secret_the_team_does_not_have_runs_nothing(equipped: Session, project: Project, alice: User, scripted: Any) -> None:
    await Rule.objects.acreate(project=project, order=101, tool="vault", pattern="*", action="allow")
    scripted(running("echo ran > ran.txt; echo vault://OTHER"))
    await say(equipped, alice)
    (ended,) = await of(e.ToolFinished, equipped)
    assert "no secret OTHER. It has: DEPLOY_TOKEN" in (ended.error or "")
    assert not (project.root / "ran.txt").exists()
