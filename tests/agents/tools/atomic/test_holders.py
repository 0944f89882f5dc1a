"""Archives and databases at every level of confinement, and against a workspace that is changed under our hands."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from agents.errors import PathRefused
from agents.sandboxes.choose import LEVELS, works
from agents.sandboxes.sandbox import Level
from agents.tools.atomic.holders import beginnings, opened_file
from tests.agents.reading import samples
from tests.agents.tools.hands import Hands

SCRIPT = "CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO users(name) VALUES('{name}')"


@pytest.fixture(params=LEVELS)
def at_level(request: pytest.FixtureRequest, tmp_path: Path) -> Hands:
    level: Level = request.param
    if not works(level):
        pytest.skip(f"{level} does not work on this machine.")
    (tmp_path / "workspace").mkdir()
    return Hands(tmp_path / "workspace", level=level, toolset="atomic")


async def test_archives_and_databases_are_read_and_written_at_every_level(at_level: Hands) -> None:
    at_level.put({"deep/a.tgz": samples.tarred({"m": "one"}, "w:gz")})
    samples.database(at_level.root / "deep" / "a.db", SCRIPT.format(name="Ada"))
    for path, content, shown in (("deep/a.tgz:m", "two", "1:two"), ("deep/a.db:users:1", "{name: 'Bob'}", '{"id": 1, "name": "Bob"}')):
        written = await at_level.call("write", path=path, content=content)
        assert written.error is None, written.error
        read = await at_level.call("read", path=path)
        assert read.output == shown


@pytest.mark.parametrize("ending", ["zip", "db"])
async def test_a_file_that_is_swapped_for_a_link_gives_nothing_from_outside(at_level: Hands, tmp_path: Path, ending: str) -> None:
    inside, outside = at_level.root / f"a.{ending}", tmp_path / f"out.{ending}"
    for place, name in ((inside, "ours"), (outside, "secret")):
        if ending == "db":
            samples.database(place, SCRIPT.format(name=name))
        else:
            place.write_bytes(samples.zipped({"users": name}))
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_bytes(inside.read_bytes())
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            for source in (link, real):
                link.unlink(missing_ok=True)
                link.symlink_to(outside)
                os.link(source, tmp_path / "next", follow_symlinks=False)
                (tmp_path / "next").replace(inside)

    swapping = threading.Thread(target=swap)
    swapping.start()
    try:
        for _ in range(6):
            result = await at_level.call("read", path=f"a.{ending}:users")
            assert "secret" not in f"{result.output}{result.error}"
    finally:
        stop.set()
        swapping.join()


def test_the_longest_name_that_is_there_is_opened(at_level: Hands, tmp_path: Path) -> None:
    at_level.put({"a.db": "", "a.db:b.db": ""})
    context = at_level.context()
    assert opened_file("a.db:b.db:t", context, bool) == ("a.db:b.db", ":t")
    assert opened_file("a.db:t?x=1:2", context, bool) == ("a.db", ":t?x=1:2")
    assert opened_file("nothing:t", context, bool) is None
    (tmp_path / "out.db").touch()
    with pytest.raises(PathRefused):
        opened_file("../out.db:t", context, bool)
    assert opened_file("../out.db:t", context, lambda name: False) is None
    assert list(beginnings("a:b?c")) == [("a", ":b?c"), ("a:b", "?c"), ("a:b?c", "")]
