from __future__ import annotations

from itertools import pairwise
from typing import get_args

import pytest

from workspace.accounts.models import Team, User, rights_in
from workspace.accounts.rights import ALL_RIGHTS, RIGHTS, ROLES, roles_with
from workspace.projects.models import Project
from workspace.sessions import protocol


def test_every_role_may_do_what_the_one_below_it_may() -> None:
    for below, above in pairwise(ROLES):
        assert RIGHTS[below] < RIGHTS[above]


def test_a_member_prompts_but_does_not_approve() -> None:
    assert "prompt" in RIGHTS["member"]
    assert not {"approve_tools", "approve_plans", "manage_members", "manage_projects"} & RIGHTS["member"]


def test_roles_are_found_by_right() -> None:
    assert roles_with("approve_plans") == ["reviewer", "admin"]


def test_the_wire_knows_the_same_rights() -> None:
    assert get_args(protocol.Right) == ALL_RIGHTS


@pytest.mark.usefixtures("team")
def test_a_stranger_has_no_rights(team: Team, charlie: User) -> None:
    assert rights_in(charlie, team) == frozenset()


def test_rights_follow_the_role(team: Team, alice: User, bob: User) -> None:
    assert rights_in(alice, team) == RIGHTS["admin"]
    assert rights_in(bob, team) == RIGHTS["member"]


def test_somebody_switched_off_has_no_rights(team: Team, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(is_active=False)
    assert rights_in(bob, team) == frozenset()


def test_projects_are_fetched_by_who_may_see_them(project: Project, alice: User, bob: User, charlie: User) -> None:
    assert list(Project.objects.visible_to(bob)) == [project]
    assert list(Project.objects.visible_to(charlie)) == []
    assert list(Project.objects.with_right(alice, "manage_projects")) == [project]
    assert list(Project.objects.with_right(bob, "manage_projects")) == []
    assert list(Project.objects.with_right(bob, "prompt")) == [project]
