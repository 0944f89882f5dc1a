"""What the agent of a session may read: the port `agents.ports.Skills` over database and workspace."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from asgiref.sync import sync_to_async

from agents.errors import ToolError
from agents.sandboxes.files import ConfinedFiles
from tests.workspace.skills.conftest import lie, text, uploaded
from workspace.accounts.models import Team, User
from workspace.projects.models import Project
from workspace.skills.actions import Belonging, switch_skill
from workspace.skills.models import Skill
from workspace.skills.store import DatabaseSkills

pytestmark = pytest.mark.django_db(transaction=True)


@dataclass
class Session:
    """The session that reads."""

    shared: bool = False


def store(project: Project, acting_for: User | None, session: Session | None = None) -> DatabaseSkills:
    return DatabaseSkills(project, acting_for, ConfinedFiles(str(project.root), "/workspace"), session or Session())


async def told(skills: DatabaseSkills) -> dict[str, str]:
    """Name → source, without what ships with the product."""
    listed = await skills.all()
    assert listed == await sync_to_async(skills.listed)()
    assert [one.name for one in listed] == sorted({one.name for one in listed})
    return {one.name: one.source for one in listed if one.source != "builtin"}


async def way(skills: DatabaseSkills) -> str:
    return (await skills.read("release")).decode().splitlines()[-1]


async def test_the_nearer_a_skill_lies_the_more_it_counts(project: Project, team: Team, alice: User, bob: User) -> None:
    skills = store(project, alice)
    await sync_to_async(uploaded)(Belonging(owner=alice), alice, body="My way.\n")
    assert (await told(skills), await way(skills)) == ({"release": "user"}, "My way.")
    await sync_to_async(uploaded)(Belonging(team=team), bob, body="The team's way.\n")
    assert (await told(skills), await way(skills)) == ({"release": "team"}, "The team's way.")
    lie(project, ".claude/skills/release", text(body="The project's way.\n"))
    assert (await told(skills), await way(skills)) == ({"release": "project"}, "The project's way.")


async def test_a_persons_own_skill_is_used_for_that_person_alone(project: Project, alice: User, bob: User) -> None:
    await sync_to_async(uploaded)(Belonging(owner=alice), alice)
    assert await told(store(project, alice)) == {"release": "user"}
    for skills in (store(project, bob), store(project, None), store(project, alice, Session(shared=True))):
        assert await told(skills) == {}
        with pytest.raises(ToolError, match="There is no skill 'release'"):
            await skills.read("release")
        with pytest.raises(ToolError, match="There is no skill 'release'"):
            await skills.files("release")


async def test_what_somebody_else_hears_from_now_on_is_not_read_any_more(project: Project, alice: User) -> None:
    await sync_to_async(uploaded)(Belonging(owner=alice), alice)
    session = Session()
    skills = store(project, alice, session)
    assert await skills.read("release")
    session.shared = True
    with pytest.raises(ToolError, match="There is no skill"):
        await skills.read("release")


async def test_another_teams_skills_are_not_there(project: Project, alice: User, charlie: User) -> None:
    elsewhere = await Team.objects.aget(slug="elsewhere")
    await sync_to_async(uploaded)(Belonging(team=elsewhere), charlie)
    assert await told(store(project, alice)) == {}


async def test_what_is_switched_off_is_not_there_from_the_next_call_on(project: Project, alice: User, of_team: Skill) -> None:
    lie(project, "skills/release", text())
    skills = store(project, alice)
    assert await told(skills) == {"release": "project"}
    await sync_to_async(switch_skill)(project, "release", alice, on=False)
    assert await told(skills) == {}
    with pytest.raises(ToolError, match="There is no skill 'release'"):
        await skills.read("release")


async def test_files_are_read_by_their_paths_in_the_folder(project: Project, alice: User, of_team: Skill) -> None:
    skills = store(project, alice)
    assert await skills.files("release") == ["SKILL.md", "references/steps"]
    for path in ("references/steps", "./references//steps", "references\\steps"):
        assert await skills.read("release", path) == b"one\ntwo\n"


@pytest.mark.parametrize("path", ["gone.md", "../SKILL.md", "references/../SKILL.md", "/references/steps", "references", "", "~/SKILL.md"])
async def test_what_a_skill_does_not_have_is_told_with_what_it_has(path: str, project: Project, alice: User, of_team: Skill) -> None:
    with pytest.raises(ToolError, match=r"Its files: SKILL\.md, references/steps"):
        await store(project, alice).read("release", path)


async def test_a_skill_in_the_worktree_is_that_of_the_worktree(project: Project, alice: User, of_team: Skill) -> None:
    worktree = project.root / "elsewhere"
    (worktree / "skills" / "release").mkdir(parents=True)
    (worktree / "skills" / "release" / "SKILL.md").write_bytes(text(body="The branch's way.\n"))
    skills = DatabaseSkills(project, alice, ConfinedFiles(str(worktree), "/workspace"), Session())
    assert await way(skills) == "The branch's way."
    assert await told(store(project, alice)) == {"release": "team"}
