"""One installation for all tests here, in which every call is allowed; a test starts again whatever it kills."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.processes.person import Person
from tests.processes.world import World

SCRIPT = Path(__file__).with_name("stories.yaml")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.processes)


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with World(tmp_path_factory.mktemp("home"), COUNTERSIGN_SCRIPT=str(SCRIPT)) as world:
        yield world


@pytest.fixture(scope="session")
def alice(world: World) -> Person:
    alice = world.person("alice")
    project = alice.get("/api/projects/")["results"][0]["id"]
    alice.post(f"/api/projects/{project}/rules/", [{"tool": "*", "pattern": "*", "action": "allow"}], method="PUT")
    return alice


@pytest.fixture(autouse=True)
def everything_runs(request: pytest.FixtureRequest) -> None:
    """What an earlier test left dead is started again, for tests that want the world at all."""
    if "world" not in request.fixturenames:
        return
    world: World = request.getfixturevalue("world")
    world.start(*(name for name in ("redis", "web", "worker", "scheduler") if name not in world.running))
