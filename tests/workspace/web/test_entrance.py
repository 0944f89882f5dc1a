from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command
from django.test import Client, RequestFactory
from pytest_django import Settings

from workspace.accounts import throttle
from workspace.accounts.models import SignInFailure, User

PASSWORD = "alice's long password"


def attempt(browser: Client, password: str = PASSWORD, username: str = "alice", **more: str) -> int:
    return browser.post("/sign-in/", {"username": username, "password": password, **more}).status_code


@pytest.mark.parametrize("username", ["alice", "ALICE", " alice "])
def test_a_right_password_leads_to_the_page_that_was_asked_for(alice: User, username: str) -> None:
    browser = Client()
    asked = browser.get("/history?q=x")
    assert asked.headers["Location"] == "/sign-in/?next=/history%3Fq%3Dx"
    answer = browser.post("/sign-in/", {"username": username, "password": PASSWORD, "next": "/history?q=x"})
    assert answer.headers["Location"] == "/history?q=x"
    assert browser.get("/api/me/").json()["id"] == alice.public_id


@pytest.mark.parametrize("address", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", ""])
@pytest.mark.usefixtures("alice")
def test_signing_in_leads_to_no_other_site(address: str) -> None:
    answer = Client().post("/sign-in/", {"username": "alice", "password": PASSWORD, "next": address})
    assert answer.headers["Location"] == "/"


@pytest.mark.parametrize("username", ["alice", "nobody"])
@pytest.mark.usefixtures("alice")
def test_a_wrong_password_and_an_unknown_name_sound_the_same(username: str) -> None:
    answer = Client().post("/sign-in/", {"username": username, "password": "wrong"})
    assert answer.status_code == 400
    assert "The user name or the password is wrong" in answer.content.decode()


def test_somebody_switched_off_does_not_come_in(alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert attempt(Client()) == 400


@pytest.mark.usefixtures("alice", "bob")
def test_after_five_wrong_passwords_even_the_right_one_waits() -> None:
    browser = Client()
    assert [attempt(browser, "wrong", "Alice") for _ in range(5)] == [400] * 5
    assert attempt(browser) == 429
    assert attempt(Client(REMOTE_ADDR="10.1.1.1")) == 302
    assert attempt(browser, "bob's long password", "bob") == 302


@pytest.mark.usefixtures("alice")
def test_one_address_cannot_go_through_many_accounts() -> None:
    for number in range(throttle.FAILURES_FROM_AN_ADDRESS):
        throttle.note_failure(f"person{number}", "127.0.0.1")
    assert attempt(Client()) == 429


@pytest.mark.usefixtures("alice")
def test_attempts_are_forgotten_with_time_and_with_success() -> None:
    for _ in range(4):
        throttle.note_failure("alice", "127.0.0.1")
    assert attempt(Client()) == 302
    assert not SignInFailure.objects.exists()
    for _ in range(5):
        throttle.note_failure("alice", "127.0.0.1")
    SignInFailure.objects.update(at=SignInFailure.objects.latest("at").at - throttle.WINDOW)
    assert attempt(Client()) == 302


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [(0, "1.1.1.1", "9.9.9.9"), (1, "1.1.1.1, 2.2.2.2", "2.2.2.2"), (2, "1.1.1.1, 2.2.2.2", "1.1.1.1"), (1, "", "9.9.9.9")],
)
def test_only_trusted_proxies_say_whose_request_it_is(settings: Settings, proxies: int, forwarded: str, address: str) -> None:
    settings.TRUSTED_PROXIES = proxies
    request = RequestFactory().get("/", REMOTE_ADDR="9.9.9.9", HTTP_X_FORWARDED_FOR=forwarded)
    assert throttle.client_address(request) == address


def test_the_entrance_demands_the_anti_forgery_token(alice: User) -> None:
    answer = Client(enforce_csrf_checks=True).post("/sign-in/", {"username": "alice", "password": PASSWORD})
    assert answer.status_code == 403
    assert "reload it" in answer.content.decode()


def test_signing_out_takes_a_button_and_ends_the_session(alice: User) -> None:
    browser = Client()
    browser.force_login(alice)
    assert browser.get("/sign-out/").status_code == 405
    assert browser.post("/sign-out/").headers["Location"] == "/sign-in/"
    assert browser.get("/api/me/").status_code == 401


def test_a_changed_password_signs_out_the_other_browsers(alice: User) -> None:
    here, there = Client(), Client()
    for browser in (here, there):
        browser.force_login(alice)
    given = {"old": PASSWORD, "password": "quite another one", "again": "quite another one"}
    assert "changed" in here.post("/password/", given).content.decode()
    assert (here.get("/api/me/").status_code, there.get("/api/me/").status_code) == (200, 401)
    assert attempt(Client(), "quite another one") == 302


def test_changing_the_password_takes_the_old_one(alice: User) -> None:
    browser = Client()
    browser.force_login(alice)
    given = {"old": "wrong", "password": "quite another one", "again": "quite another one"}
    assert "not your present password" in browser.post("/password/", given).content.decode()
    alice.refresh_from_db()
    assert alice.check_password(PASSWORD)


def test_whoever_has_no_password_chooses_one(alice: User) -> None:
    alice.set_unusable_password()
    alice.save()
    browser = Client()
    browser.force_login(alice)
    assert "Choose a password" in browser.get("/password/").content.decode()
    assert "changed" in browser.post("/password/", {"password": "quite another one", "again": "quite another one"}).content.decode()


def test_the_command_prints_a_link_that_signs_in(alice: User, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("signin", "Alice", "--next", "/inbox")
    path = capsys.readouterr().out.strip().removeprefix("http://localhost:8000")
    assert Client().get(path).headers["Location"] == "/inbox"


def test_the_command_says_who_is_known(alice: User) -> None:
    with pytest.raises(CommandError, match="Known are: alice"):
        call_command("signin", "nobody")
