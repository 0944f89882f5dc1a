"""Fresh toys for every test of the agent library."""

from __future__ import annotations

import pytest

from tests.agents.toys import Look, Paint


@pytest.fixture(autouse=True)
def fresh_paint() -> None:
    Paint.done.clear()
    Look.running[:] = [0, 0]
