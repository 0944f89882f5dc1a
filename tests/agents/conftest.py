"""Fresh toys for every test of the agent library."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.agents.toys import Look, Paint


@pytest.fixture(autouse=True)
def fresh_paint() -> None:
    Paint.done.clear()
    Look.running[:] = [0, 0]


@pytest.fixture
def no_browser(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine on which no Chromium is found."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
