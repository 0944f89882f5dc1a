from __future__ import annotations

import os
from typing import Any

import pytest
from rest_framework.test import APIClient

from workspace.accounts.models import User
from workspace.projects import git, reading
from workspace.projects.models import Project


@pytest.fixture
def client(project: Project, bob: User) -> APIClient:
    """Bob looks into a project that holds a little of everything."""
    root = project.root
    (root / "docs").mkdir()
    (root / "docs" / "guide.md").write_text("# Guide\n")
    (root / "a.txt").write_text("one\n")
    (root / "logo.png").write_bytes(b"\x89PNG\0")
    (root / "long.txt").write_text("x" * (reading.TEXT_LIMIT + 10))
    (root / "latin.txt").write_bytes("Straße".encode("latin-1"))
    (root / "away").symlink_to("/etc/passwd")
    (root / "outside").symlink_to("/etc")
    (root / "near").symlink_to("docs/guide.md")
    os.mkfifo(root / "pipe")
    git.begin(root)
    client = APIClient()
    client.force_login(bob)
    return client


def ask(client: APIClient, project: Project, what: str, path: str = "") -> Any:
    return client.get(f"/api/projects/{project.public_id}/{what}/", {"path": path})


def test_folders_come_before_files_and_git_is_left_out(client: APIClient, project: Project) -> None:
    entries = ask(client, project, "tree").json()["entries"]
    assert [(entry["name"], entry["kind"]) for entry in entries if entry["kind"] != "other"] == [
        ("docs", "folder"), ("a.txt", "file"), ("latin.txt", "file"), ("logo.png", "file"), ("long.txt", "file"), ("near", "file"),
    ]  # fmt: skip
    assert {entry["name"] for entry in entries if entry["kind"] == "other"} == {"away", "outside", "pipe"}


def test_a_folder_is_opened_by_its_path(client: APIClient, project: Project) -> None:
    tree = ask(client, project, "tree", "docs").json()
    assert (tree["path"], tree["entries"][0]["path"], tree["entries"][0]["size"]) == ("docs", "docs/guide.md", 8)


def test_a_file_is_read_as_text(client: APIClient, project: Project) -> None:
    assert ask(client, project, "file", "a.txt").json() == {
        "path": "a.txt", "size": 4, "binary": False, "text": "one\n", "truncated": False,
    }  # fmt: skip


def test_a_long_file_is_cut_a_binary_one_only_named(client: APIClient, project: Project) -> None:
    long = ask(client, project, "file", "long.txt").json()
    assert (long["truncated"], len(long["text"]), long["size"]) == (True, reading.TEXT_LIMIT, reading.TEXT_LIMIT + 10)
    assert ask(client, project, "file", "logo.png").json() == {
        "path": "logo.png", "size": 5, "binary": True, "text": "", "truncated": False,
    }  # fmt: skip
    assert ask(client, project, "file", "latin.txt").json()["text"] == "Stra\ufffde"


@pytest.mark.parametrize("what", ["tree", "file"])
@pytest.mark.parametrize(
    "path",
    ["..", "../", "../../etc/passwd", "/etc/passwd", "docs/../../x", "away", "outside", "outside/passwd", "/proc/self/environ", "a\0b"],
)
def test_no_path_leads_out_of_the_workspace(client: APIClient, project: Project, what: str, path: str) -> None:
    answer = ask(client, project, what, path)
    assert answer.status_code == 400
    assert answer.json()["kind"] == "invalid"
    assert "root:" not in answer.content.decode()


@pytest.mark.parametrize(
    ("what", "path", "status"),
    [
        ("file", "none.txt", 404),
        ("tree", "none", 404),
        ("file", "docs", 400),
        ("tree", "a.txt", 400),
        ("file", "pipe", 400),
        ("file", "", 400),
    ],
)
def test_what_is_not_there_or_not_of_that_kind_says_so(client: APIClient, project: Project, what: str, path: str, status: int) -> None:
    assert ask(client, project, what, path).status_code == status


def test_the_diff_shows_what_is_not_committed(client: APIClient, project: Project) -> None:
    (project.root / "a.txt").write_text("one\ntwo\n")
    found = ask(client, project, "diff").json()
    assert (found["added"], found["removed"]) == (1, 0)
    assert found["files"][0]["path"] == "a.txt"
    assert "+two" in found["files"][0]["diff"]


def test_a_workspace_that_is_gone_says_so(project: Project, bob: User) -> None:
    project.root.rmdir()
    client = APIClient()
    client.force_login(bob)
    for what in ("tree", "file", "diff"):
        answer = ask(client, project, what, "x")
        assert answer.status_code in (404, 503), answer.content
