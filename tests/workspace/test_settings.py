"""The settings as a fresh process reads them from its environment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def ask(expression: str, home: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {"PATH": os.environ["PATH"], "COUNTERSIGN_HOME": str(home), "DJANGO_SETTINGS_MODULE": "workspace.settings", **environment}
    code = f"import json; from django.conf import settings; print(json.dumps({expression}, default=str))"
    return subprocess.run([sys.executable, "-c", code], env=env, cwd=ROOT, capture_output=True, text=True, check=False)


def read(expression: str, home: Path, **environment: str) -> object:
    done = ask(expression, home, **environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_first_start_makes_its_own_secrets_and_the_second_keeps_them(tmp_path: Path) -> None:
    both = "[settings.SECRET_KEY, settings.ENCRYPTION_KEY]"
    first = read(both, tmp_path)
    assert first == read(both, tmp_path)
    assert isinstance(first, list)
    assert len(first[0]) >= 50
    assert {path.name for path in tmp_path.iterdir()} >= {"secret.key", "encryption.key"}


def test_it_is_private_and_closed_unless_told_otherwise(tmp_path: Path) -> None:
    names = "[settings.DEBUG, settings.ALLOW_PRIVATE_URLS, settings.ALLOW_PRIVATE_READS, settings.ALLOWED_PATHS, settings.PROXIES]"
    assert read(names, tmp_path) == [False, False, False, [], {}]
    assert read("settings.ALLOWED_HOSTS", tmp_path) == ["localhost", "127.0.0.1", "[::1]"]


def test_over_https_cookies_are_secure(tmp_path: Path) -> None:
    names = "[settings.SESSION_COOKIE_SECURE, settings.CSRF_COOKIE_SECURE, settings.SECURE_HSTS_SECONDS > 0, settings.ALLOWED_HOSTS[-1]]"
    assert read(names, tmp_path, BASE_URL="https://work.example.org/") == [True, True, True, "work.example.org"]


def test_a_bound_of_runs_that_is_empty_is_none_and_one_of_nothing_is_refused(tmp_path: Path) -> None:
    bounds = "[settings.MODEL_CALLS, settings.TOOL_CALLS, settings.RUN_SECONDS]"
    assert read(bounds, tmp_path, COUNTERSIGN_TOOL_CALLS="30", COUNTERSIGN_RUN_SECONDS=" ") == [None, 30, None]
    for wrong in ("0", "-1", "many"):
        assert "COUNTERSIGN_MODEL_CALLS is" in ask(bounds, tmp_path, COUNTERSIGN_MODEL_CALLS=wrong).stderr


def test_sqlite_writers_wait_for_each_other(tmp_path: Path) -> None:
    options = read("settings.DATABASES['default']['OPTIONS']", tmp_path)
    assert isinstance(options, dict)
    assert (options["transaction_mode"], options["timeout"]) == ("IMMEDIATE", 20)
    assert "journal_mode=WAL" in options["init_command"]


def test_one_redis_address_serves_queue_sockets_and_cache(tmp_path: Path) -> None:
    names = "[settings.CELERY_BROKER_URL, settings.CHANNEL_LAYERS['default']['CONFIG']['hosts'][0], settings.CACHES['default']['LOCATION']]"
    assert read(names, tmp_path, REDIS_URL="redis://redis:6379/3") == ["redis://redis:6379/3"] * 3
    own = read(names, tmp_path)
    assert isinstance(own, list)
    assert [address.partition("://")[0] for address in own] == ["redis+socket", "unix", "unix"]


def test_features_are_on_for_a_yes_and_off_for_anything_else(tmp_path: Path) -> None:
    said = {"A": "1", "B": "TRUE", "C": " yes ", "D": "on", "E": "Enabled", "F": "0", "G": "", "H": "2", "I": "off", "J": "y"}
    read_as = read("settings.TOOL_FEATURES", tmp_path, **{f"CODER_FEATURE_{name}": value for name, value in said.items()})
    assert read_as == {name.lower(): name in "ABCDE" for name in said}
    assert read("[settings.TOOL_PROFILE, settings.TOOL_FEATURES]", tmp_path) == ["", {}]


def test_a_language_server_is_a_command_line_with_quotes(tmp_path: Path) -> None:
    servers = read("settings.LANGUAGE_SERVERS", tmp_path, CODER_LSP_SERVER_GO="gopls -remote 'auto server'")
    assert servers == {"python": [], "typescript": [], "rust": [], "go": ["gopls", "-remote", "auto server"], "cpp": [], "workspace": []}


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [("PORT", "eighty", "whole number"), ("DEBUG", "maybe", "Write 1 or 0"), ("CODER_LSP_SERVER_CPP", "clangd '", "no command line")],
)
def test_a_value_that_makes_no_sense_stops_the_start_with_a_sentence(tmp_path: Path, name: str, value: str, said: str) -> None:
    env = {"PATH": os.environ["PATH"], "COUNTERSIGN_HOME": str(tmp_path), name: value}
    done = subprocess.run([sys.executable, "manage.py", "check"], env=env, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert said in done.stderr
    assert "Traceback" not in done.stderr
