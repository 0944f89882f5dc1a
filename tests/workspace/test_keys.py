from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from workspace.keys import kept_key


def test_a_key_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    path, numbers = tmp_path / "home" / "secret.key", count()
    assert kept_key(path, lambda: f"key {next(numbers)}") == kept_key(path, lambda: f"key {next(numbers)}") == "key 0"
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert [left.name for left in path.parent.iterdir()] == ["secret.key"]


def test_of_two_that_make_it_at_once_the_first_wins(tmp_path: Path) -> None:
    path = tmp_path / "secret.key"

    def make() -> str:
        path.write_text("theirs")
        return "ours"

    assert kept_key(path, make) == "theirs"


def test_an_empty_key_is_not_taken(tmp_path: Path) -> None:
    (tmp_path / "secret.key").write_text("\n")
    with pytest.raises(ImproperlyConfigured, match="empty"):
        kept_key(tmp_path / "secret.key", lambda: "new")


def test_a_key_that_cannot_be_read_stops_the_start(tmp_path: Path) -> None:
    (tmp_path / "secret.key").mkdir()
    with pytest.raises(ImproperlyConfigured, match="COUNTERSIGN_HOME"):
        kept_key(tmp_path / "secret.key", lambda: "new")


def test_a_folder_that_cannot_be_made_stops_the_start(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ImproperlyConfigured, match="cannot be used"):
        kept_key(tmp_path / "file" / "secret.key", lambda: "new")
