from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from workspace.accounts.models import User
from workspace.web.urls import ROOMS

MANIFEST = {
    "_shared.js": {"file": "assets/shared-1.js", "css": ["assets/shared-1.css"], "imports": ["src/main.ts"]},
    "src/lazy.ts": {"file": "assets/lazy-1.js", "isDynamicEntry": True},
    "src/main.ts": {
        "file": "assets/main-1.js", "isEntry": True, "css": ["assets/main-1.css"],
        "imports": ["_shared.js"], "dynamicImports": ["src/lazy.ts"],
    },
}  # fmt: skip


@pytest.fixture
def built(tmp_path: Path, settings: Settings) -> Path:
    settings.FRONT_END = tmp_path
    (tmp_path / ".vite").mkdir()
    (tmp_path / ".vite" / "manifest.json").write_text(json.dumps(MANIFEST))
    return tmp_path


@pytest.fixture
def browser(alice: User) -> Client:
    browser = Client()
    browser.force_login(alice)
    return browser


@pytest.mark.parametrize("path", ["/", *(f"/{room}" for room in ROOMS.split("|")), "/projects/1/files/a/b.py", "/sessions/1/"])
@pytest.mark.usefixtures("built")
def test_every_room_of_the_front_end_gets_the_boot_page(browser: Client, path: str) -> None:
    page = browser.get(path)
    assert page.status_code == 200
    text = page.content.decode()
    assert '<script type="module" src="/static/app/assets/main-1.js"></script>' in text
    assert '<link rel="stylesheet" href="/static/app/assets/main-1.css">' in text
    assert '<link rel="stylesheet" href="/static/app/assets/shared-1.css">' in text
    assert '<link rel="modulepreload" href="/static/app/assets/shared-1.js">' in text
    assert "lazy" not in text
    assert "csrftoken" in page.cookies


@pytest.mark.usefixtures("built", "db")
def test_the_boot_page_is_only_for_people_who_are_signed_in() -> None:
    assert Client().get("/projects/1/").headers["Location"] == "/sign-in/?next=/projects/1/"


def test_a_new_build_is_noticed(browser: Client, built: Path) -> None:
    browser.get("/")
    path = built / ".vite" / "manifest.json"
    path.write_text(path.read_text().replace("main-1.js", "main-2.js"))
    assert "main-2.js" in browser.get("/").content.decode()


@pytest.mark.parametrize("wrong", [None, "{", "{}"])
def test_a_front_end_that_is_not_built_says_what_to_do(browser: Client, built: Path, wrong: str | None) -> None:
    path = built / ".vite" / "manifest.json"
    path.unlink() if wrong is None else path.write_text(wrong)
    page = browser.get("/")
    assert page.status_code == 503
    assert "make setup" in page.content.decode()


@pytest.mark.parametrize(
    "path", ["/", "/sign-in/", "/password/", "/nowhere/", "/invite/x/", "/sign-in/link/x/", "/api/me/", "/api/schema/"]
)
@pytest.mark.parametrize("signed_in", [True, False])
def test_every_answer_carries_the_strict_policy(alice: User, path: str, signed_in: bool) -> None:
    client = Client()
    if signed_in:
        client.force_login(alice)
    answer = client.get(path)
    policy = answer.headers["Content-Security-Policy"]
    for part in ("default-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", "img-src 'self' data:"):
        assert part in policy
    assert "unsafe" not in policy
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "same-origin"


@pytest.mark.usefixtures("built")
@pytest.mark.parametrize("path", ["/", "/sign-in/", "/password/", "/nowhere/"])
def test_no_page_holds_anything_the_policy_forbids(browser: Client, path: str) -> None:
    for client in (browser, Client()):
        text = client.get(path).content.decode()
        assert "style=" not in text
        assert "<style" not in text
        assert not re.search(r"<[^>]*\son\w+=", text)
        assert text.count("<script") == text.count('<script type="module" src="/static/')


@pytest.mark.django_db
def test_cookies_are_kept_from_scripts_and_other_sites(alice: User) -> None:
    browser = Client()
    answer = browser.post("/sign-in/", {"username": "alice", "password": "alice's long password"})
    cookie = answer.cookies["countersign_session"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"


def test_a_missing_page_says_so_in_words(browser: Client) -> None:
    page = browser.get("/nowhere/")
    assert page.status_code == 404
    assert "There is nothing here" in page.content.decode()


def test_a_missing_address_of_the_api_says_so_in_its_own_shape(browser: Client) -> None:
    answer = browser.get("/api/nowhere/")
    assert answer.status_code == 404
    assert answer.json()["kind"] == "missing"


def test_a_broken_page_tells_nothing_of_the_inside(alice: User, settings: Settings) -> None:
    settings.CONTENT_SECURITY_POLICY = {"DIRECTIVES": 7}
    browser = Client(raise_request_exception=False)
    page = browser.get("/sign-in/")
    assert page.status_code == 500
    assert "Traceback" not in page.content.decode()
