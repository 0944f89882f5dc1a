from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from agents.sandboxes.files import ConfinedFiles

COUNT = """
import sys
from agents.sandboxes.files import ConfinedFiles
files = ConfinedFiles(sys.argv[1], "/workspace", sys.argv[2])
for _ in range(25):
    files.change("count", lambda text: str(int(text) + 1).encode())
"""


def test_no_change_is_lost_between_processes(workspace: Path, tmp_path: Path) -> None:
    (tmp_path / "locks").mkdir()
    (workspace / "count").write_text("0")
    command = [sys.executable, "-c", COUNT, str(workspace), str(tmp_path / "locks")]
    running = [subprocess.Popen(command) for _ in range(20)]
    assert [process.wait(timeout=60) for process in running] == [0] * 20
    assert (workspace / "count").read_text() == "500"
    assert list((tmp_path / "locks").iterdir()) == []


def test_no_change_is_lost_between_threads(workspace: Path) -> None:
    files = ConfinedFiles(str(workspace), "/workspace")
    files.write("count", b"0")

    def count() -> None:
        for _ in range(20):
            files.change("count", lambda text: str(int(text) + 1).encode())

    threads = [threading.Thread(target=count) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert files.read("count") == b"160"


def test_change_gives_before_and_after(workspace: Path) -> None:
    files = ConfinedFiles(str(workspace), "/workspace")
    files.write("a", b"one")
    assert files.change("a", lambda text: text + b" two") == (b"one", b"one two")
    with pytest.raises(FileNotFoundError):
        files.change("missing", lambda text: text)


def test_a_failing_edit_changes_nothing_and_lets_go(workspace: Path) -> None:
    files = ConfinedFiles(str(workspace), "/workspace")
    files.write("a", b"one")

    def fail(text: bytes) -> bytes:
        raise LookupError

    with pytest.raises(LookupError):
        files.change("a", fail)
    assert files.change("a", lambda text: b"two") == (b"one", b"two")


def test_whoever_holds_a_lock_may_change_the_file(workspace: Path) -> None:
    files = ConfinedFiles(str(workspace), "/workspace")
    with files.locked("a", "b", "./a"):
        files.write("a", b"one")
        files.change("a", lambda text: b"two")
        files.delete("a")


def test_locks_taken_in_any_order_do_not_block_each_other_for_good(workspace: Path) -> None:
    files = ConfinedFiles(str(workspace), "/workspace")

    def hold(*paths: str) -> None:
        for _ in range(200):
            with files.locked(*paths):
                pass

    threads = [threading.Thread(target=hold, args=paths, daemon=True) for paths in (("a", "b", "c"), ("c", "b", "a"), ("b", "a"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert not any(thread.is_alive() for thread in threads)
