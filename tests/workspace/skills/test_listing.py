"""What a project's people are shown: every skill there, which of one name counts, which are off, what is wrong."""

from __future__ import annotations

import os
from typing import Any

import pytest

from agents.ports import SkillEntry
from tests.workspace.skills.conftest import lie, signed_in, text, uploaded
from workspace.accounts.models import Team, User
from workspace.projects.models import Project
from workspace.skills.actions import Belonging, switch_skill
from workspace.skills.listing import shipped
from workspace.skills.models import Skill, SkillSwitch


def told(who: User, project: Project) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = signed_in(who).get(f"/api/projects/{project.public_id}/skills/").json()
    return [row for row in rows if row["source"] != "builtin"]


def switch(who: User, project: Project, name: str, *, on: bool) -> int:
    answer: Any = signed_in(who).put(f"/api/projects/{project.public_id}/skills/", {"name": name, "on": on}, format="json")
    return int(answer.status_code)


def test_of_one_name_the_nearest_counts_and_the_others_say_what_overrides_them(project: Project, alice: User, of_team: Skill) -> None:
    uploaded(Belonging(owner=alice), alice)
    lie(project, ".agents/skills/release", text(description="As here"))
    assert [(row["source"], row["overridden_by"], row["folder"]) for row in told(alice, project)] == [
        ("project", "", ".agents/skills/release"), ("team", "project", ""), ("user", "project", ""),
    ]  # fmt: skip


def test_nobody_is_shown_anothers_own(project: Project, alice: User, bob: User, of_team: Skill) -> None:
    uploaded(Belonging(owner=alice), alice, "alices")
    assert [row["name"] for row in told(alice, project)] == ["alices", "release"]
    assert [row["name"] for row in told(bob, project)] == ["release"]


def test_a_team_s_skills_are_for_its_own_projects(alice: User, charlie: User, of_team: Skill) -> None:
    elsewhere = Team.objects.get(slug="elsewhere")
    foreign = Project.objects.create(team=elsewhere, name="Foreign", slug="foreign")
    assert told(charlie, foreign) == []


def test_a_broken_folder_is_shown_with_what_is_wrong(project: Project, alice: User) -> None:
    lie(project, "skills/release", b"# No head\n")
    (row,) = told(alice, project)
    assert (row["name"], row["folder"], row["on"]) == ("release", "skills/release", True)
    assert "no name and no description" in row["complaint"]


def test_what_a_repository_says_of_itself_breaks_no_page(project: Project, alice: User) -> None:
    lie(project, "skills/half", text("half", '"\\ud800 and \\0"'))
    lie(project, os.fsdecode(b"skills/\xff"), text("bytes"))
    assert [(row["name"], row["description"], row["folder"]) for row in told(alice, project)] == [
        ("bytes", "How a release is made", "skills/\ufffd"), ("half", "\ufffd and \ufffd", "skills/half"),
    ]  # fmt: skip


def test_a_project_without_a_workspace_still_shows_the_others(project: Project, alice: User, of_team: Skill) -> None:
    project.root.rmdir()
    assert [row["name"] for row in told(alice, project)] == ["release"]


def test_a_name_is_switched_off_wherever_the_skill_lies_and_on_again(project: Project, alice: User, of_team: Skill) -> None:
    lie(project, "skills/release", text())
    assert [switch(alice, project, "release", on=False) for _ in range(2)] == [200, 200]
    assert [row["on"] for row in told(alice, project)] == [False, False]
    assert SkillSwitch.objects.get().switched_by == alice
    assert [switch(alice, project, "release", on=True) for _ in range(2)] == [200, 200]
    assert [row["on"] for row in told(alice, project)] == [True, True]


def test_only_what_is_there_can_be_switched_off(project: Project, alice: User, bob: User) -> None:
    uploaded(Belonging(owner=bob), bob, "bobs")
    assert [switch(alice, project, name, on=False) for name in ("none", "bobs", "")] == [404, 404, 400]


def test_a_member_looks_and_a_stranger_finds_nothing(project: Project, alice: User, bob: User, charlie: User, of_team: Skill) -> None:
    assert [switch(who, project, "release", on=False) for who in (bob, charlie)] == [403, 404]
    assert signed_in(charlie).get(f"/api/projects/{project.public_id}/skills/").status_code == 404


def test_a_switch_holds_in_its_project_alone(project: Project, team: Team, alice: User, of_team: Skill) -> None:
    other = Project.objects.create(team=team, name="Other", slug="other")
    switch_skill(project, "release", alice, on=False)
    assert [row["on"] for row in told(alice, other)] == [True]


@pytest.mark.django_db
def test_what_ships_with_the_product_is_measured_once_and_has_no_complaint() -> None:
    for one in shipped():
        assert one.id == f"builtin-{one.name}"
        assert one.file_count >= 1
        assert one.size > 0
        assert one.complaint == SkillEntry("", "", "builtin").complaint
