from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.checks import run_checks
from django.core.management import call_command
from django.db import connection
from pytest_django import Settings


def found() -> set[str]:
    return {str(message.id) for message in run_checks() if str(message.id).startswith("countersign.")}


def test_an_installation_as_it_comes_has_nothing_to_say() -> None:
    assert found() == set()


@pytest.mark.parametrize(
    ("changed", "id"),
    [
        ({"REDIS_URL": "localhost:6379"}, "E003"),
        ({"REDIS_URL": "http://localhost"}, "E003"),
        ({"REDIS_URL": "unix://"}, "E003"),
        ({"REDIS_URL": "redis://redis:6379/0"}, "W004"),
        ({"DEBUG": True, "ALLOWED_HOSTS": ["work.example.org"]}, "E004"),
        ({"ALLOWED_HOSTS": ["*"]}, "E005"),
        ({"SANDBOX": "strong"}, "E006"),
        ({"SANDBOX": "local"}, "W001"),
        ({"SEARCH_PLACES": {"brave": "search.example.org"}}, "E007"),
        ({"BASE_URL": "http://work.example.org"}, "W002"),
        ({"ALLOWED_PATHS": [Path("/no/such/folder")]}, "W003"),
        ({"COUNTERSIGN_HOME": Path("/no/such/folder")}, "E001"),
        ({"TOOL_PROFILE": "huge"}, "W005"),
        ({"TOOL_FEATURES": {"wings": True}}, "W006"),
    ],
)
def test_a_mistake_is_named_with_a_hint(settings: Settings, changed: dict[str, Any], id: str) -> None:
    if id == "W004" and connection.vendor != "sqlite":
        pytest.skip("only a database in a file is bound to one machine")
    for name, value in changed.items():
        setattr(settings, name, value)
    message = next(message for message in run_checks() if message.id == f"countersign.{id}")
    assert message.hint


def test_profiles_and_features_that_exist_are_nothing_to_speak_of(settings: Settings) -> None:
    settings.TOOL_PROFILE, settings.TOOL_FEATURES = "Full", {"lsp": False, "lsp_tools": True, "deferred_tools": False}
    assert found() == set()


def test_a_secret_that_others_can_read_is_an_error(settings: Settings, tmp_path: Path) -> None:
    settings.COUNTERSIGN_HOME = tmp_path
    (tmp_path / "secret.key").write_text("x")
    (tmp_path / "secret.key").chmod(0o640)
    assert "countersign.E002" in found()
    (tmp_path / "secret.key").chmod(0o600)
    assert "countersign.E002" not in found()


@pytest.mark.django_db
def test_the_models_have_their_migrations() -> None:
    call_command("makemigrations", "--check", "--dry-run", verbosity=0)
