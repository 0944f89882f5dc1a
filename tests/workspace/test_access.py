"""Who gets in: every address and every verb of the API of people, places and memories, asked by everybody."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import URLPattern, URLResolver, get_resolver
from rest_framework.test import APIClient

from tests.workspace.doors import DOORS, OPEN_TO_EVERYBODY, Door, Places
from workspace.accounts.models import Team, User
from workspace.accounts.rights import RIGHTS
from workspace.projects.models import Project


@pytest.fixture
def places(team: Team, project: Project, alice: User, bob: User) -> Places:
    return Places.furnish(team, project, alice, bob)


def ask(who: User | None, door: Door, places: Places) -> int:
    client = APIClient()
    if who is not None:
        client.force_login(who)
    answer: Any = getattr(client, door.verb)(door.path(places), door.body(places), format=door.format)
    return int(answer.status_code)


def paths_below(resolver: URLResolver, prefix: str = "") -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for pattern in resolver.url_patterns:
        path = prefix + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            found.append((path, pattern.callback))
        else:
            found += paths_below(pattern, path)
    return found


def test_no_address_answers_a_person_who_is_not_signed_in(places: Places) -> None:
    client = APIClient()
    for path, _ in paths_below(get_resolver()):
        if any(path.startswith(start) for start in OPEN_TO_EVERYBODY):
            continue
        for verb in ("get", "post", "put", "patch", "delete"):
            answer: Any = getattr(client, verb)("/" + places.filled_in(path), {}, format="json")
            refused = answer.status_code == 401 or (answer.status_code == 302 and answer["Location"].startswith("/sign-in/"))
            assert refused, f"{verb} /{path} answered {answer.status_code}"


def test_every_address_of_ours_is_a_door_tried_here() -> None:
    rooms = tuple(f"workspace.{room}" for room in ("accounts", "projects", "memories", "skills", "connections", "sessions.tools_api"))
    ours = {path for path, view in paths_below(get_resolver()) if view.__module__.startswith(rooms)}
    assert ours - {"api/tokens/<str:token_id>/"} == {door.pattern for door in DOORS}


@pytest.mark.parametrize("door", DOORS, ids=str)
def test_a_stranger_finds_nothing(door: Door, places: Places, charlie: User) -> None:
    assert ask(charlie, door, places) == (door.for_strangers or 404)


@pytest.mark.parametrize("door", DOORS, ids=str)
def test_a_member_may_what_a_member_has_the_right_to(door: Door, places: Places, bob: User) -> None:
    status = ask(bob, door, places)
    assert status < 300 if door.right in RIGHTS["member"] else status == 403, status


@pytest.mark.parametrize("door", DOORS, ids=str)
def test_an_admin_may_everything(door: Door, places: Places, alice: User) -> None:
    assert ask(alice, door, places) < 300


@pytest.mark.parametrize("door", DOORS, ids=str)
def test_a_viewer_only_looks(door: Door, places: Places, bob: User, team: Team) -> None:
    team.memberships.filter(user=bob).update(role="viewer")
    status = ask(bob, door, places)
    assert status < 300 if door.right in RIGHTS["viewer"] else status == 403, status


@pytest.mark.parametrize("door", DOORS, ids=str)
def test_whoever_has_left_is_a_stranger(door: Door, places: Places, bob: User, team: Team) -> None:
    team.memberships.filter(user=bob).delete()
    assert ask(bob, door, places) == (door.for_strangers or 404)
