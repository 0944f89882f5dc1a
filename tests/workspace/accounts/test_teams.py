from __future__ import annotations

from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from workspace.accounts import actions
from workspace.accounts.models import Invitation, Membership, Team, User
from workspace.errors import Conflict, Missing


def signed_in(who: User) -> APIClient:
    client = APIClient()
    client.force_login(who)
    return client


def test_i_see_my_teams_with_role_and_rights(team: Team, bob: User) -> None:
    me = signed_in(bob).get("/api/me/").json()
    assert (me["id"], me["name"]) == (bob.public_id, "Bob Boyd")
    assert me["teams"] == [
        {"id": team.public_id, "name": "Reading room", "slug": "reading-room", "role": "member",
         "rights": ["view", "comment", "prompt", "stop", "manage_memories"]}
    ]  # fmt: skip


def test_whoever_makes_a_team_is_its_admin(bob: User) -> None:
    made = signed_in(bob).post("/api/teams/", {"name": "Über café"}, format="json").json()
    assert (made["slug"], made["role"]) == ("uber-cafe", "admin")
    assert signed_in(bob).post("/api/teams/", {"name": "Über café"}, format="json").json()["slug"] == "uber-cafe-2"
    assert signed_in(bob).post("/api/teams/", {"name": "読書室"}, format="json").json()["slug"] == "team"


@pytest.mark.parametrize("who", [{"username": "CHARLIE"}, {"email": "charlie@example.org"}])
def test_a_member_is_added_by_name_or_by_address(team: Team, alice: User, charlie: User, who: dict[str, str]) -> None:
    answer = signed_in(alice).post(f"/api/teams/{team.public_id}/members/", {**who, "role": "viewer"}, format="json")
    assert answer.json()["id"] == charlie.public_id
    assert Team.objects.visible_to(charlie).filter(pk=team.pk).exists()


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"username": "nobody", "role": "viewer"}, 404),
        ({"username": "bob", "role": "viewer"}, 409),
        ({"username": "charlie", "role": "king"}, 400),
        ({"username": "charlie", "email": "charlie@example.org", "role": "viewer"}, 400),
        ({"role": "viewer"}, 400),
    ],
)
@pytest.mark.usefixtures("charlie")
def test_nonsense_adds_nobody(team: Team, alice: User, asked: dict[str, str], status: int) -> None:
    answer = signed_in(alice).post(f"/api/teams/{team.public_id}/members/", asked, format="json")
    assert answer.status_code == status
    assert team.memberships.count() == 2


def test_the_last_admin_neither_leaves_nor_steps_down(team: Team, alice: User) -> None:
    mine = team.memberships.get(user=alice)
    with pytest.raises(Conflict, match="admin"):
        actions.remove_member(mine)
    with pytest.raises(Conflict, match="admin"):
        actions.change_role(mine, "member")
    assert team.memberships.get(user=alice).role == "admin"


def test_an_admin_leaves_once_there_is_another(team: Team, alice: User, bob: User) -> None:
    client = signed_in(alice)
    assert client.patch(f"/api/teams/{team.public_id}/members/{bob.public_id}/", {"role": "admin"}, format="json").status_code == 200
    assert client.delete(f"/api/teams/{team.public_id}/members/{alice.public_id}/").status_code == 204
    assert client.get(f"/api/teams/{team.public_id}/").status_code == 404


def test_everybody_may_leave_but_not_throw_out_another(team: Team, alice: User, bob: User) -> None:
    client = signed_in(bob)
    assert client.delete(f"/api/teams/{team.public_id}/members/{alice.public_id}/").status_code == 403
    assert client.delete(f"/api/teams/{team.public_id}/members/{bob.public_id}/").status_code == 204


def invitation(team: Team, alice: User) -> str:
    return urlsplit(actions.invite(team, "reviewer", "", alice)).path


def test_an_invitation_lets_one_person_in_once(team: Team, alice: User, charlie: User) -> None:
    path = invitation(team, alice)
    guest = Client()
    guest.force_login(charlie)
    assert "Reading room" in guest.get(path).content.decode()
    assert guest.post(path).status_code == 302
    assert team.memberships.get(user=charlie).role == "reviewer"
    dora = Client()
    dora.force_login(User.objects.create_user("dora"))
    assert dora.post(path).status_code == 404


def test_a_newcomer_makes_an_account_and_is_in(team: Team, alice: User) -> None:
    guest = Client()
    given = {"username": "dora", "name": "Dora Dow", "password": "a long enough one", "again": "a long enough one"}
    assert guest.post(invitation(team, alice), given).headers["Location"] == "/"
    assert guest.get("/api/me/").json()["teams"][0]["role"] == "reviewer"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"username": "BOB"}, "taken"),
        ({"username": "no blanks"}, "valid username"),
        ({"again": "another long one"}, "not the same"),
        ({"password": "short", "again": "short"}, "too short"),
        ({"password": "dora-dora-dora", "again": "dora-dora-dora", "username": "dora-dora-dor"}, "too similar"),
    ],
)
@pytest.mark.usefixtures("bob")
def test_a_newcomer_who_errs_uses_nothing_up(team: Team, alice: User, changed: dict[str, str], said: str) -> None:
    path = invitation(team, alice)
    given = {"username": "dora", "name": "", "password": "a long enough one", "again": "a long enough one", **changed}
    assert said in Client().post(path, given).content.decode()
    assert Invitation.objects.get().used is None
    assert not User.objects.filter(username__startswith="dora").exists()


def test_an_old_invitation_says_so(team: Team, alice: User) -> None:
    path = invitation(team, alice)
    Invitation.objects.update(expires=timezone.now() - timedelta(seconds=1))
    answer = Client().get(path)
    assert answer.status_code == 404
    assert "Ask for a new one" in answer.content.decode()


def test_whoever_is_in_the_team_does_not_use_an_invitation_up(team: Team, alice: User, bob: User) -> None:
    token = invitation(team, alice).split("/")[2]
    assert actions.accept_invitation(token, bob) == team
    assert Membership.objects.get(team=team, user=bob).role == "member"
    assert Invitation.objects.get().used is None


def test_of_two_newcomers_at_once_one_is_refused_and_leaves_no_account(team: Team, alice: User) -> None:
    token = invitation(team, alice).split("/")[2]
    actions.join_as_newcomer(token, username="dora", name="", password="a long enough one")
    with pytest.raises(Missing):
        actions.join_as_newcomer(token, username="emil", name="", password="a long enough one")
    assert not User.objects.filter(username="emil").exists()
