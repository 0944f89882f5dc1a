"""`manage.py up`: one command starts everything, watches over it, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes.product import Product
from tests.processes.world import ROOT, until

PROGRAMS = {"redis", "web", "worker", "scheduler"}


def alive(processes: list[int]) -> list[int]:
    listed = subprocess.run(["ps", "-eo", "pid=,stat="], capture_output=True, text=True, check=True).stdout
    living = {int(pid) for pid, state in (row.split() for row in listed.splitlines()) if not state.startswith("Z")}
    return [process for process in processes if process in living]


def up(product: Product, **environment: str) -> subprocess.CompletedProcess[str]:
    """An `up` that is expected to refuse."""
    return subprocess.run(
        [sys.executable, "manage.py", "up"], cwd=ROOT, env={**product.environment, **environment},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


def test_everything_starts_with_one_command_and_ends_with_one_signal(tmp_path: Path) -> None:
    with Product(tmp_path / "home") as product:
        children = product.children()
        assert set(children) == PROGRAMS
        assert "scripted demo" in product.said
        assert "Sandbox" in product.said
        assert product.printed_link("Alice") != product.printed_link("Bob")

        second = up(product)
        assert second.returncode == 1
        assert f"already runs on {tmp_path / 'home'} (process {product.process.pid})" in second.stderr

        os.kill(children["worker"], signal.SIGKILL)
        until(lambda: product.children().get("worker", children["worker"]) != children["worker"], "a new worker")
        children = product.children()
        product.process.send_signal(signal.SIGTERM)
        assert product.process.wait(20) == 0
        assert alive([*children.values()]) == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends children with their parent")
def test_nothing_outlives_a_killed_up_and_the_next_start_minds_no_leftovers(tmp_path: Path) -> None:
    with Product(tmp_path / "home") as product:
        children = [*product.children().values()]
        product.process.kill()
        until(lambda: not alive(children), "the end of all programs", 10)
    with Product(tmp_path / "home") as product:
        assert set(product.children()) == PROGRAMS


def test_a_busy_port_is_said_in_one_sentence(tmp_path: Path) -> None:
    product = Product(tmp_path / "home")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", product.port))
        taken.listen()
        refused = up(product)
    assert refused.returncode == 1
    assert (
        refused.stderr
        == f"Port {product.port} cannot be used (Address already in use). Choose another one: PORT={product.port + 1} make run\n"
    )


def test_an_unusable_data_folder_is_said_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    refused = up(Product(tmp_path / "home"), COUNTERSIGN_HOME=str(tmp_path / "file" / "home"))
    assert refused.returncode == 1
    assert "COUNTERSIGN_HOME" in refused.stderr
    assert len(refused.stderr.strip().splitlines()) == 1


def test_services_that_do_not_answer_are_said_in_one_sentence(tmp_path: Path) -> None:
    product = Product(tmp_path / "home")
    away = f"postgres://nobody@127.0.0.1:{product.port}/nothing"
    for variables, words in (
        ({"DATABASE_URL": away}, "database does not answer"),
        ({"REDIS_URL": "redis://127.0.0.1:1/0"}, "Redis does not answer"),
    ):
        refused = up(product, **variables)
        assert refused.returncode == 1
        assert words in refused.stderr
        assert "Traceback" not in refused.stderr
