from __future__ import annotations

from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from cryptography.fernet import Fernet
from django.db import connection
from django.test import Client
from django.utils import timezone
from pytest_django import Settings
from rest_framework.test import APIClient

from workspace.accounts import credentials
from workspace.accounts.models import ApiToken, ProviderKey, SignInLink, Team, User
from workspace.accounts.providers import describe_providers
from workspace.accounts.secrets import token_hash
from workspace.errors import Invalid, Missing, Unavailable

SECRET = "sk-very-secret-0123456789"


def signed_in(who: User) -> APIClient:
    client = APIClient()
    client.force_login(who)
    return client


def bearing(token: str) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    return client


def stored_text(table: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {table}")  # noqa: S608 — a name of ours
        return str(cursor.fetchall())


def test_a_token_is_shown_once_and_stored_as_a_hash(bob: User) -> None:
    made = signed_in(bob).post("/api/tokens/", {"name": "laptop"}, format="json").json()
    assert made["token"].startswith(made["prefix"])
    assert ApiToken.objects.get().hash == token_hash(made["token"])
    assert made["token"] not in stored_text("accounts_apitoken")
    assert "token" not in signed_in(bob).get("/api/tokens/").json()["results"][0]


def test_a_token_works_as_the_person_who_made_it(bob: User) -> None:
    row, token = credentials.create_token(bob, "laptop")
    assert bearing(token).get("/api/me/").json()["username"] == "bob"
    row.refresh_from_db()
    assert row.last_used is not None


@pytest.mark.parametrize("token", ["", "cs_wrong", "ümlaut"])
def test_a_wrong_token_is_refused_even_with_a_good_session(bob: User, token: str) -> None:
    client = signed_in(bob)
    answer = client.get("/api/me/", headers={"Authorization": f"Bearer {token}".encode().decode("latin-1")})
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == "Bearer"
    assert answer.json()["kind"] == "forbidden"


def test_a_deleted_token_and_one_of_somebody_switched_off_stop_working(bob: User) -> None:
    row, token = credentials.create_token(bob, "laptop")
    _, other = credentials.create_token(bob, "desk")
    assert signed_in(bob).delete(f"/api/tokens/{row.public_id}/").status_code == 204
    assert bearing(token).get("/api/me/").status_code == 401
    User.objects.filter(pk=bob.pk).update(is_active=False)
    assert bearing(other).get("/api/me/").status_code == 401


def test_nobody_deletes_the_token_of_another(alice: User, bob: User) -> None:
    row, _ = credentials.create_token(bob, "laptop")
    assert signed_in(alice).delete(f"/api/tokens/{row.public_id}/").status_code == 404
    assert signed_in(alice).get("/api/tokens/").json()["results"] == []


def test_a_token_makes_no_tokens(bob: User) -> None:
    _, token = credentials.create_token(bob, "laptop")
    assert bearing(token).post("/api/tokens/", {"name": "more"}, format="json").status_code == 403


def test_a_browser_needs_the_anti_forgery_token_and_a_program_does_not(bob: User) -> None:
    browser = APIClient(enforce_csrf_checks=True)
    browser.force_login(bob)
    assert browser.post("/api/tokens/", {"name": "x"}, format="json").status_code == 403
    _, token = credentials.create_token(bob, "laptop")
    program = APIClient(enforce_csrf_checks=True)
    assert program.post("/api/teams/", {"name": "x"}, format="json", headers={"Authorization": f"Bearer {token}"}).status_code == 201


def test_a_provider_key_is_encrypted_at_rest_and_never_shown(team: Team, alice: User) -> None:
    client = signed_in(alice)
    made = client.post(f"/api/teams/{team.public_id}/provider-keys/", {"provider": "openai", "key": SECRET}, format="json")
    assert made.json() == {"id": made.json()["id"], "provider": "openai", "base_url": "", "model": "", "hint": "…6789"}
    assert SECRET not in stored_text("accounts_providerkey")
    assert SECRET not in client.get(f"/api/teams/{team.public_id}/provider-keys/").content.decode()
    assert ProviderKey.objects.get().key == SECRET


def test_a_second_key_replaces_the_first(team: Team, alice: User) -> None:
    for key in (SECRET, SECRET + "-new"):
        credentials.store_provider_key(team, alice, provider="openai", base_url="", model="", key=key)
    assert ProviderKey.objects.get().key == SECRET + "-new"


def test_a_short_key_gives_no_hint(team: Team, alice: User) -> None:
    assert credentials.store_provider_key(team, alice, provider="openai", base_url="", model="", key="abcdef").hint == ""


def test_a_key_sealed_with_a_lost_encryption_key_says_so(team: Team, alice: User, settings: Settings) -> None:
    row = credentials.store_provider_key(team, alice, provider="openai", base_url="", model="", key=SECRET)
    settings.ENCRYPTION_KEY = Fernet.generate_key().decode()
    with pytest.raises(Unavailable, match="Store the key again"):
        _ = row.key


def test_an_address_that_is_none_is_refused(team: Team, alice: User) -> None:
    with pytest.raises(Invalid, match="https"):
        credentials.store_provider_key(team, alice, provider="openai-compatible", base_url="file:///etc", model="", key="")


def test_an_unknown_provider_is_refused(team: Team, alice: User) -> None:
    answer = signed_in(alice).post(f"/api/teams/{team.public_id}/provider-keys/", {"provider": "nobody", "key": SECRET}, format="json")
    assert answer.status_code == 400
    assert answer.json()["fields"] == {"provider": ["Not known."]}


def test_providers_are_ready_with_the_teams_key_or_the_installations(team: Team, alice: User, settings: Settings) -> None:
    settings.PROVIDER_KEYS = {"anthropic": {"key": "k", "base_url": ""}}
    credentials.store_provider_key(team, alice, provider="openai", base_url="", model="own-model", key=SECRET)
    found = {provider["name"]: provider for provider in describe_providers(team)}
    assert [name for name, provider in found.items() if provider["ready"]] == ["scripted", "openai", "anthropic"]
    assert found["openai"]["default_model"] == "own-model" == found["openai"]["models"][0]
    assert "key" in found["google"]["note"]
    assert "address" in found["openai-compatible"]["note"]


def test_a_sign_in_link_works_once(bob: User) -> None:
    path = urlsplit(credentials.sign_in_address(bob, "/inbox")).path
    first = Client()
    assert first.get(path).headers["Location"] == "/inbox"
    assert first.get("/api/me/").json()["username"] == "bob"
    again = Client().get(path)
    assert again.status_code == 404
    assert "no longer works" in again.content.decode()


def test_a_sign_in_link_is_stored_as_a_hash(bob: User) -> None:
    token = credentials.sign_in_address(bob).rstrip("/").rsplit("/", 1)[-1]
    assert SignInLink.objects.get().hash == token_hash(token)


def test_fetching_a_link_ahead_does_not_use_it_up(bob: User) -> None:
    path = urlsplit(credentials.sign_in_address(bob)).path
    assert Client().get(path, headers={"Sec-Purpose": "prefetch;prerender"}).status_code == 204
    assert Client().get(path).status_code == 302


def test_an_old_link_and_one_of_somebody_switched_off_do_not_work(bob: User) -> None:
    old = credentials.sign_in_address(bob, lifetime=timedelta(seconds=-1))
    fresh = credentials.sign_in_address(bob)
    User.objects.filter(pk=bob.pk).update(is_active=False)
    for url in (old, fresh):
        assert Client().get(urlsplit(url).path).status_code == 404


def test_of_two_who_use_a_link_at_once_one_is_refused(bob: User) -> None:
    token = credentials.sign_in_address(bob).rstrip("/").rsplit("/", 1)[-1]
    SignInLink.objects.update(used=timezone.now())
    with pytest.raises(Missing):
        credentials.use_sign_in_link(token)


def test_a_link_leads_to_no_other_site(bob: User) -> None:
    path = urlsplit(credentials.sign_in_address(bob, "//evil.example/")).path
    assert Client().get(path).headers["Location"] == "/"


def test_signing_out_everywhere_ends_every_browser_session(bob: User) -> None:
    here, there = Client(), Client()
    for browser in (here, there):
        browser.force_login(bob)
    assert here.post("/sign-out/everywhere/").status_code == 302
    assert [browser.get("/api/me/").status_code for browser in (here, there)] == [401, 401]
