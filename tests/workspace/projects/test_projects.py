from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from pytest_django import Settings
from rest_framework.test import APIClient

from agents.permissions import Rule, decide
from agents.sandboxes.choose import strongest
from agents.tools.registry import TOOLSETS, toolset
from workspace.accounts.models import Team, User
from workspace.errors import Forbidden, Invalid
from workspace.projects import actions
from workspace.projects.actions import AllowedPath, Archive, Empty, create_project
from workspace.projects.models import Project


def signed_in(who: User) -> APIClient:
    client = APIClient()
    client.force_login(who)
    return client


def workspaces(settings: Settings) -> set[str]:
    folder = Path(settings.COUNTERSIGN_HOME) / "workspaces"
    return {path.name for path in folder.iterdir()} if folder.exists() else set()


def test_an_empty_project_is_a_repository_with_a_first_commit(team: Team, alice: User) -> None:
    made = signed_in(alice).post("/api/projects/", {"team": team.public_id, "name": "Map room", "source": {"kind": "empty"}}, format="json")
    assert made.status_code == 201
    shown = made.json()
    assert (shown["name"], shown["slug"], shown["team"]["name"], shown["session_count"]) == ("Map room", "map-room", "Reading room", 0)
    assert shown["provider"] == "scripted"
    assert (Project.objects.get(public_id=shown["id"]).root / ".git" / "HEAD").exists()


def test_an_uploaded_archive_becomes_the_project(team: Team, alice: User) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("shelf-main/shelf.py", "books = []\n")
    upload = SimpleUploadedFile("shelf.zip", file.getvalue())
    made = signed_in(alice).post("/api/projects/", {"team": team.public_id, "name": "Shelf", "archive": upload}, format="multipart")
    assert made.status_code == 201
    tree = signed_in(alice).get(f"/api/projects/{made.json()['id']}/tree/").json()
    assert [entry["path"] for entry in tree["entries"]] == ["shelf.py"]


def test_a_folder_is_copied_and_itself_left_alone(team: Team, alice: User, tmp_path: Path, settings: Settings) -> None:
    source = tmp_path / "source"
    for name in ("a.txt", "deep/b.txt", ".git/config", "node_modules/x/index.js"):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(name)
    (source / "away").symlink_to("/etc")
    (source / "near").symlink_to("deep/b.txt")
    settings.ALLOWED_PATHS = [tmp_path]
    project = create_project(alice, team, "Copy", AllowedPath(str(source)))
    (project.root / "a.txt").write_text("changed")
    assert sorted(path.name for path in project.root.iterdir()) == [".git", "a.txt", "deep", "near"]
    assert (source / "a.txt").read_text() == "a.txt"


@pytest.mark.parametrize("path", ["/etc", "relative", "{home}", "{home}/workspaces", "{allowed}/../elsewhere", "{allowed}/way"])
def test_other_folders_are_refused(team: Team, alice: User, tmp_path: Path, settings: Settings, path: str) -> None:
    (tmp_path / "allowed").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "allowed" / "way").symlink_to(tmp_path / "elsewhere")
    settings.ALLOWED_PATHS = [tmp_path / "allowed", Path(settings.COUNTERSIGN_HOME)]
    with pytest.raises(Forbidden):
        create_project(alice, team, "Copy", AllowedPath(path.format(home=settings.COUNTERSIGN_HOME, allowed=tmp_path / "allowed")))


def test_what_fails_leaves_nothing_behind(team: Team, alice: User, settings: Settings) -> None:
    before = workspaces(settings)
    with pytest.raises(Invalid):
        create_project(alice, team, "Broken", Archive(io.BytesIO(b"no archive"), 10))
    assert workspaces(settings) == before
    assert not Project.objects.exists()


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"name": ""}, "name"),
        ({"source": {"kind": "git"}}, "url"),
        ({"source": {"kind": "path"}}, "path"),
        ({"source": {"kind": "archive"}}, "archive"),
        ({"source": {"kind": "moon"}}, "source"),
        ({"provider": "nobody"}, "provider"),
        ({"toolset": "nothing"}, "toolset"),
    ],
)
def test_a_wrong_field_is_named(team: Team, alice: User, asked: dict[str, object], field: str) -> None:
    answer = signed_in(alice).post("/api/projects/", {"team": team.public_id, "name": "New", **asked}, format="json")
    assert answer.status_code == 400
    assert answer.json()["kind"] == "invalid"
    assert field in answer.json()["fields"]


def test_two_projects_of_one_name_differ_in_their_slug(team: Team, alice: User) -> None:
    slugs = [create_project(alice, team, name, Empty()).slug for name in ("Shelf", "Shelf", "!")]
    assert slugs == ["shelf", "shelf-2", "project"]


def test_an_archived_project_is_not_listed_but_can_be_looked_at(project: Project, alice: User) -> None:
    client = signed_in(alice)
    assert client.delete(f"/api/projects/{project.public_id}/").status_code == 204
    assert client.get("/api/projects/").json()["results"] == []
    assert client.get(f"/api/projects/{project.public_id}/").json()["archived"] is True


def test_projects_are_listed_by_team_and_page(team: Team, alice: User, charlie: User) -> None:
    for number in range(3):
        Project.objects.create(team=team, name=f"P{number}", slug=f"p{number}")
    client = signed_in(alice)
    first = client.get(f"/api/projects/?limit=2&team={team.public_id}").json()
    second = client.get(first["next"]).json()
    assert [row["name"] for row in (*first["results"], *second["results"])] == ["P0", "P1", "P2"]
    assert client.get("/api/projects/", {"team": "other"}).json()["results"] == []
    assert signed_in(charlie).get("/api/projects/").json()["results"] == []


def test_settings_are_changed_one_by_one(project: Project, alice: User) -> None:
    answer = signed_in(alice).patch(f"/api/projects/{project.public_id}/", {"network": True, "sandbox_level": strongest()}, format="json")
    assert answer.json()["network"] is True
    assert answer.json()["sandbox_level"] == answer.json()["sandbox"]["level"] == strongest()
    assert answer.json()["name"] == "Bookshelf"


def test_the_advice_of_the_interceptor_is_off_until_somebody_wants_it(project: Project, alice: User, bob: User) -> None:
    door = f"/api/projects/{project.public_id}/"
    assert signed_in(bob).get(door).json()["bash_interceptor"] is False
    assert signed_in(alice).patch(door, {"bash_interceptor": True}, format="json").json()["bash_interceptor"] is True
    assert signed_in(bob).patch(door, {"bash_interceptor": False}, format="json").status_code == 403
    wrong = signed_in(alice).patch(door, {"bash_interceptor": "perhaps"}, format="json")
    assert list(wrong.json()["fields"]) == ["bash_interceptor"]
    project.refresh_from_db()
    assert project.bash_interceptor


def test_a_new_project_allows_what_changes_nothing(team: Team, alice: User) -> None:
    rules = create_project(alice, team, "New", Empty()).rules_for_agent()
    for tool in toolset("oats").values():
        assert decide(rules, tool.name, "x", default="ask").action == tool.asks
    assert "oats" in TOOLSETS


def test_rules_keep_their_order_and_the_last_wins(project: Project, alice: User) -> None:
    wanted = [
        {"tool": "bash", "pattern": "*", "action": "allow"},
        {"tool": "bash", "pattern": "rm *", "action": "deny"},
        {"tool": "*", "pattern": "*.env", "action": "ask"},
    ]
    assert signed_in(alice).put(f"/api/projects/{project.public_id}/rules/", wanted, format="json").json() == wanted
    assert project.rules_for_agent()[1] == Rule("bash", "rm *", "deny")
    assert decide(project.rules_for_agent(), "bash", "rm -rf x").action == "deny"


@pytest.mark.parametrize(
    "rule",
    [
        {"tool": "", "action": "allow"}, {"tool": "no blanks", "action": "allow"}, {"tool": "bash", "action": "maybe"},
        {"tool": "bash", "pattern": "[a", "action": "allow"}, {"tool": "bash", "pattern": "two\nlines", "action": "allow"},
        {"tool": "bash", "pattern": "x" * 501, "action": "allow"}, {},
    ],
)  # fmt: skip
def test_a_wrong_rule_changes_none(project: Project, alice: User, rule: dict[str, str]) -> None:
    actions.write_rules(project, [("bash", "*", "deny")], alice)
    assert signed_in(alice).put(f"/api/projects/{project.public_id}/rules/", [rule], format="json").status_code == 400
    assert [rule.action for rule in project.rules_for_agent()] == ["deny"]


def test_too_many_rules_are_refused(project: Project, alice: User) -> None:
    rules = [{"tool": "bash", "pattern": f"{number}", "action": "ask"} for number in range(201)]
    assert signed_in(alice).put(f"/api/projects/{project.public_id}/rules/", rules, format="json").status_code == 400


def test_a_rule_keeps_whoever_made_it(project: Project, alice: User, bob: User) -> None:
    actions.write_rules(project, [("bash", "ls", "allow")], bob)
    actions.write_rules(project, [("bash", "pwd", "allow"), ("bash", "ls", "allow")], alice)
    assert [rule.made_by for rule in project.rules.all()] == [alice, bob]
