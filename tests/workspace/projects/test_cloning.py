from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from pytest_django import Settings

from workspace.errors import AppError, Forbidden, Invalid, Unavailable
from workspace.projects import git
from workspace.projects.addresses import pinned
from workspace.projects.cloning import clone


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        if self.path.startswith("/moved"):
            self.send_response(302)
            self.send_header("Location", "/origin.git" + self.path.removeprefix("/moved"))
            self.end_headers()
        elif self.path.startswith("/slow"):
            self.close_connection = False
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
            self.wfile.flush()
            self.rfile.read(1)
        else:
            super().do_GET()


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    """A bare repository with one commit, ready to be served as plain files."""
    source = tmp_path / "source"
    source.mkdir()
    (source / "shelf.py").write_text("books = []\n")
    git.begin(source, "First")
    bare = tmp_path / "served" / "origin.git"
    env = {**git.ENVIRONMENT, "PATH": os.environ["PATH"]}
    subprocess.run(["git", "clone", "-q", "--bare", str(source), str(bare)], check=True, env=env)
    subprocess.run(["git", "-C", str(bare), "update-server-info"], check=True, env=env)
    return bare


@pytest.fixture
def server(origin: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(origin.parent))) as serving:
        serving.daemon_threads = True
        Thread(target=serving.serve_forever, args=(0.02,), daemon=True).start()
        yield f"http://127.0.0.1:{serving.server_port}"
        serving.shutdown()


@pytest.fixture
def private_allowed(settings: Settings) -> None:
    settings.ALLOW_PRIVATE_URLS = True


@pytest.mark.usefixtures("private_allowed")
def test_a_repository_comes_with_its_history(server: str, tmp_path: Path) -> None:
    clone(f"{server}/origin.git", tmp_path / "place")
    assert (tmp_path / "place" / "shelf.py").read_text() == "books = []\n"
    assert git.head_tree(tmp_path / "place") != git.EMPTY_TREE


@pytest.mark.usefixtures("private_allowed")
def test_a_password_in_the_address_is_not_kept(server: str, tmp_path: Path) -> None:
    clone(f"{server}/origin.git".replace("://", "://me:hunter2@"), tmp_path / "place")
    assert "hunter2" not in (tmp_path / "place" / ".git" / "config").read_text()


@pytest.mark.usefixtures("private_allowed")
def test_a_repository_that_is_not_there_says_so_without_the_password(server: str, tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="could not be cloned") as refused:
        clone(f"{server}/none.git".replace("://", "://me:hunter2@"), tmp_path / "place")
    assert "hunter2" not in str(refused.value)
    assert not (tmp_path / "place").exists()


@pytest.mark.usefixtures("private_allowed")
def test_a_server_that_sends_elsewhere_is_not_followed(server: str, tmp_path: Path) -> None:
    with pytest.raises(Unavailable):
        clone(f"{server}/moved", tmp_path / "place")


@pytest.mark.usefixtures("private_allowed")
def test_a_server_that_stays_silent_is_left(server: str, tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="too long"):
        clone(f"{server}/slow", tmp_path / "place", seconds=1)


@pytest.mark.usefixtures("private_allowed")
@pytest.mark.parametrize(
    "url",
    [
        "ssh://git@example.org/x.git", "git@example.org:x.git", "git://example.org/x.git", "ext::sh -c true", "--upload-pack=true",
        "ftp://example.org/x", "https://", "", "/etc", "file://", "fd::7",
    ],
)  # fmt: skip
def test_other_ways_to_a_repository_are_refused(url: str, tmp_path: Path) -> None:
    with pytest.raises((Invalid, Forbidden)):
        clone(url, tmp_path / "place")


@pytest.mark.parametrize(
    "url",
    [
        "https://127.0.0.1/x.git",
        "https://localhost/x.git",
        "https://[::1]/x.git",
        "https://169.254.169.254/latest",
        "https://2130706433/x",
        "https://0/",
    ],
)
def test_private_addresses_are_refused(url: str, tmp_path: Path) -> None:
    with pytest.raises(AppError, match=r"private|no web address"):
        clone(url, tmp_path / "place")


def test_unencrypted_addresses_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Forbidden, match="https"):
        clone("http://1.1.1.1/x.git", tmp_path / "place")


@pytest.mark.usefixtures("private_allowed")
def test_the_address_is_looked_up_once_and_held_to() -> None:
    assert pinned("https://localhost:8443/x")[1] in ("127.0.0.1", "::1")


def test_a_path_of_this_machine_needs_the_operators_leave(origin: Path, tmp_path: Path, settings: Settings) -> None:
    with pytest.raises(Forbidden, match="COUNTERSIGN_ALLOWED_PATHS"):
        clone(f"file://{origin}", tmp_path / "place")
    settings.ALLOWED_PATHS = [tmp_path / "served"]
    clone(f"file://{origin}", tmp_path / "place")
    assert (tmp_path / "place" / "shelf.py").exists()


@pytest.mark.usefixtures("private_allowed")
def test_a_repository_that_is_too_large_is_not_kept(server: str, origin: Path, tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="larger than"):
        clone(f"{server}/origin.git", tmp_path / "place", bytes_limit=10)
