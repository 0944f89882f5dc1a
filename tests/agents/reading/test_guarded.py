"""Opening a database that may be swapped under our hands."""

from __future__ import annotations

import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from agents.reading.guarded import handles

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells the handles of a process")


def test_the_handle_of_a_new_database_is_always_among_the_new_ones(tmp_path: Path) -> None:
    """The listing takes a handle itself, and gives its number back to whatever is opened next."""
    place = tmp_path / "a.db"
    with closing(sqlite3.connect(place)) as made:
        made.execute("CREATE TABLE t(x)")
    before = handles()
    with closing(sqlite3.connect(place)):
        fresh = handles() - before
        assert any(os.path.samestat(os.fstat(int(handle)), place.stat()) for handle in fresh)
    assert handles() == before
