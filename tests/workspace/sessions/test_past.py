"""Earlier sessions as later agents read them: those of the project that the person may see, at the moment of asking."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.sync import sync_to_async

from agents import events as e
from tests.workspace.sessions.driving import allow_everything, of, say, state
from workspace.accounts.credentials import store_secret
from workspace.accounts.models import Membership, User
from workspace.projects.models import Project
from workspace.sessions import log
from workspace.sessions.models import Session
from workspace.sessions.past import AT_ONCE, DatabasePast

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("worker_threads")]

GITHUB_KEY = "ghp_" + "a1B2c3D4e5" * 4


def opened(project: Project, person: User, title: str, *facts: e.AnyFact) -> Session:
    session = Session.objects.create(project=project, created_by=person)
    log.append(session.pk, [e.SessionOpened(title=title, toolset="atomic", provider="scripted", model="demo"), *facts], by=person)
    return session


@pytest.fixture
def earlier(project: Project, bob: User) -> Session:
    return opened(project, bob, "Sort the shelf", e.UserSpoke(message_id="m1", text=f"Sort it with {GITHUB_KEY}"))


async def test_the_projects_other_sessions_are_listed_the_latest_first(
    session: Session, project: Project, earlier: Session, alice: User, bob: User
) -> None:
    later = await sync_to_async(opened)(project, bob, "Dust it")
    await Session.objects.acreate(project=project, created_by=bob, parent=later, root=later, started_by_call="c1")
    past = DatabasePast(session, alice)
    found = await past.sessions()
    assert [(one.session_id, one.title, one.state) for one in found] == [
        (later.public_id, "Dust it", "idle"),
        (earlier.public_id, "Sort the shelf", "idle"),
    ]
    assert len(await past.sessions(limit=1)) == 1


async def test_what_was_said_is_told_by_name_and_without_secrets(session: Session, earlier: Session, alice: User) -> None:
    text = await DatabasePast(session, alice).transcript(earlier.public_id)
    assert text is not None
    assert text.startswith("# Sort the shelf\nidle, last active 20")
    assert "## Bob Boyd, 20" in text
    assert "Sort it with [redacted]" in text
    assert GITHUB_KEY not in text


async def test_a_long_session_is_told_from_its_first_entry_to_its_last(session: Session, earlier: Session, alice: User) -> None:
    said = [e.UserSpoke(message_id=f"n{number}", text=f"Line {number}.") for number in range(2 * AT_ONCE + 50)]
    await sync_to_async(log.append)(earlier.pk, said)
    text = await DatabasePast(session, alice).transcript(earlier.public_id)
    assert text is not None
    assert [fact.text for fact in said if fact.text not in text] == []


async def test_a_stranger_is_told_nothing(session: Session, earlier: Session, charlie: User) -> None:
    past = DatabasePast(session, charlie)
    assert (list(await past.sessions()), await past.transcript(earlier.public_id)) == ([], None)
    nobody = DatabasePast(session, None)
    assert (list(await nobody.sessions()), await nobody.transcript(earlier.public_id)) == ([], None)


async def test_who_leaves_the_team_or_is_put_out_of_use_is_told_nothing_from_then_on(session: Session, earlier: Session, bob: User) -> None:
    past = DatabasePast(session, bob)
    assert await past.transcript(earlier.public_id) is not None
    await User.objects.filter(pk=bob.pk).aupdate(is_active=False)
    assert (list(await past.sessions()), await past.transcript(earlier.public_id)) == ([], None)
    await User.objects.filter(pk=bob.pk).aupdate(is_active=True)
    await Membership.objects.filter(user=bob).adelete()
    assert (list(await past.sessions()), await past.transcript(earlier.public_id)) == ([], None)


async def test_sessions_of_other_projects_are_out_of_reach(session: Session, project: Project, alice: User) -> None:
    other = await Project.objects.acreate(team=project.team, name="Other", slug="other", created_by=alice)
    theirs = await sync_to_async(opened)(other, alice, "Elsewhere")
    past = DatabasePast(session, alice)
    assert [one.session_id for one in await past.sessions()] == []
    assert await past.transcript(theirs.public_id) is None
    assert await past.transcript("no-such-id") is None
    assert await past.transcript("' OR 1=1 --") is None


async def test_an_agent_reads_an_earlier_session_rules_and_names_of_secrets(
    session: Session, earlier: Session, project: Project, alice: User, scripted: Any
) -> None:
    await allow_everything(session)
    log_change = e.SessionConfigured(toolset="atomic", provider="scripted", model="demo")
    await sync_to_async(log.append)(session.pk, [log_change])
    await sync_to_async(store_secret)(project.team, alice, name="FORGE_TOKEN", value="tok-0123456789")
    (project.root / "AGENTS.md").write_text("Be kind.\n")
    urls = ["history://", f"history://{earlier.public_id}", "rule://", "rule://AGENTS.md", "vault://", "vault://FORGE_TOKEN", "issue://"]
    calls = [f"- call: {{tool: read, args: {{path: '{url}'}}, id: c{number}}}\n" for number, url in enumerate(urls)]
    scripted("".join([*calls, "- text: Done.\n"]))
    await say(session, alice)
    assert await state(session) == "done"
    ended = {one.call_id: one for one in await of(e.ToolFinished, session)}
    assert [ended[f"c{number}"].error for number in range(5)] == [None] * 5
    assert earlier.public_id in ended["c0"].output
    assert "Bob Boyd" in ended["c1"].output
    assert ended["c2"].output == "rule://AGENTS.md"
    assert "Be kind." in ended["c3"].output
    assert ended["c4"].output == "vault://FORGE_TOKEN"
    assert "cannot be read" in (ended["c5"].error or "")
    assert "connected to no forge" in (ended["c6"].error or "")
    assert "tok-0123456789" not in "".join(str(entry) for entry in await sync_to_async(log.read)(session.pk))
