"""Skills as people keep them: sent, seen, replaced, deleted."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from tests.workspace.projects.test_archives import zipped
from tests.workspace.skills.conftest import send, signed_in, text, uploaded
from workspace.accounts.models import Membership, Team, User
from workspace.skills.actions import SKILLS_LIMIT, Belonging
from workspace.skills.bundle import FILES_LIMIT
from workspace.skills.models import Skill, SkillFile


def seen(who: User, team: Team | None = None) -> dict[str, str]:
    """Name → source of what was uploaded."""
    rows = signed_in(who).get("/api/skills/", {"team": team.public_id} if team else {}).json()
    return {row["name"]: row["source"] for row in rows if row["source"] != "builtin"}


def test_a_folder_is_kept_as_it_was_sent(alice: User) -> None:
    answer = send(alice, files={"release/SKILL.md": text(), "release/references/steps.md": b"one\n", "release/logo.png": b"\x89\0"})
    assert answer.status_code == 201
    made = answer.json()
    assert {name: made[name] for name in ("name", "description", "source", "file_count", "complaint", "team")} == {
        "name": "release", "description": "How a release is made", "source": "user", "file_count": 3, "complaint": "", "team": None,
    }  # fmt: skip
    assert made["owner"]["name"] == made["uploaded_by"]["name"] == "Alice Ames"
    whole = signed_in(alice).get(f"/api/skills/{made['id']}/").json()
    assert whole["text"] == "# Release\nSteps."
    assert whole["files"] == [
        {"path": "SKILL.md", "size": len(text())}, {"path": "logo.png", "size": 2}, {"path": "references/steps.md", "size": 4},
    ]  # fmt: skip
    file = f"/api/skills/{made['id']}/file/"
    assert signed_in(alice).get(file, {"path": "SKILL.md"}).json()["text"] == text().decode()
    assert signed_in(alice).get(file, {"path": "logo.png"}).json() == {
        "path": "logo.png", "size": 2, "binary": True, "text": "", "truncated": False,
    }  # fmt: skip
    for path in ("gone.md", "", "../SKILL.md", "/SKILL.md"):
        assert signed_in(alice).get(file, {"path": path}).status_code == 404


def test_a_file_is_downloaded_as_it_is_and_no_browser_runs_it(of_team: Skill, alice: User, bob: User, charlie: User) -> None:
    files = {"SKILL.md": text(), 'assets/a"b é.html': b"<script>1</script>", "logo.png": b"\x89\0\xff"}
    made = send(alice, "team", of_team.team, files=files).json()
    door = f"/api/skills/{made['id']}/file/"
    for path, name in (("logo.png", "logo.png"), ('assets/a"b é.html', "a_b__.html"), ("SKILL.md", "SKILL.md")):
        answer = signed_in(bob).get(door, {"path": path, "download": "1"})
        assert (answer.status_code, answer.content, answer["Content-Type"]) == (200, files[path], "application/octet-stream")
        assert answer["Content-Disposition"] == f'attachment; filename="{name}"'
        assert (answer["X-Content-Type-Options"], answer["Content-Security-Policy"].split(";")[0]) == ("nosniff", "sandbox")
    assert signed_in(bob).get(door, {"path": "gone.md", "download": "1"}).status_code == 404
    assert signed_in(charlie).get(door, {"path": "logo.png", "download": "1"}).status_code == 404
    assert APIClient().get(door, {"path": "logo.png", "download": "1"}).status_code == 401
    shipped = signed_in(charlie).get("/api/skills/builtin-debugging/file/", {"path": "SKILL.md", "download": "1"})
    assert shipped.content.startswith(b"---\n")


def test_an_archive_is_unpacked(alice: User, team: Team) -> None:
    made = send(alice, "team", team, archive=zipped(("x/SKILL.md", text()), ("x/a.txt", b"1")).getvalue()).json()
    assert (made["source"], made["team"]["name"], made["owner"], made["file_count"]) == ("team", "Reading room", None, 2)


def test_the_same_name_is_replaced_as_a_whole_and_keeps_its_id(alice: User) -> None:
    first = send(alice, files={"SKILL.md": text(), "old.txt": b"old"}).json()
    second = send(alice, files={"SKILL.md": text(description="Otherwise"), "new.txt": b"new"}).json()
    assert (second["id"], second["description"]) == (first["id"], "Otherwise")
    assert list(SkillFile.objects.values_list("path", flat=True)) == ["SKILL.md", "new.txt"]


def test_what_is_refused_leaves_the_skill_as_it_was(alice: User) -> None:
    send(alice, files={"SKILL.md": text(), "old.txt": b"old"})
    answer = send(alice, files={"SKILL.md": text(), "../out": b"x"})
    assert (answer.status_code, answer.json()["kind"]) == (400, "invalid")
    assert list(SkillFile.objects.values_list("path", flat=True)) == ["SKILL.md", "old.txt"]


def test_everybody_sees_their_own_and_their_teams(team: Team, alice: User, bob: User, charlie: User) -> None:
    uploaded(Belonging(owner=alice), alice, "alices")
    uploaded(Belonging(owner=bob), bob, "bobs")
    uploaded(Belonging(team=team), alice, "teams")
    assert seen(alice, team) == seen(alice) == {"alices": "user", "teams": "team"}
    assert seen(bob, team) == {"bobs": "user", "teams": "team"}
    assert seen(charlie) == {}
    assert signed_in(charlie).get("/api/skills/", {"team": team.public_id}).status_code == 404


def test_of_two_teams_each_has_its_own(team: Team, alice: User) -> None:
    other = Team.objects.create(name="Other", slug="other")
    Membership.objects.create(team=other, user=alice, role="admin")
    uploaded(Belonging(team=team), alice, "here")
    uploaded(Belonging(team=other), alice, "there")
    assert seen(alice, team) == {"here": "team"}
    assert seen(alice) == {"here": "team", "there": "team"}


def test_a_persons_skill_is_missing_for_everybody_else(team: Team, alice: User, bob: User, charlie: User) -> None:
    door = f"/api/skills/{uploaded(Belonging(owner=alice), alice).public_id}/"
    for who in (bob, charlie):
        client = signed_in(who)
        answers: list[Any] = [client.get(door), client.get(door + "file/", {"path": "SKILL.md"}), client.delete(door)]
        assert [answer.status_code for answer in answers] == [404, 404, 404]
    assert signed_in(alice).delete(door).status_code == 204
    assert not SkillFile.objects.exists()


def test_a_teams_skill_is_kept_by_whoever_manages_its_projects(team: Team, of_team: Skill, alice: User, bob: User, charlie: User) -> None:
    door = f"/api/skills/{of_team.public_id}/"
    assert [signed_in(bob).get(door).status_code, signed_in(bob).delete(door).status_code] == [200, 403]
    assert send(bob, "team", team, files={"SKILL.md": text()}).status_code == 403
    assert [signed_in(charlie).get(door).status_code, signed_in(charlie).delete(door).status_code] == [404, 404]
    assert send(charlie, "team", team, files={"SKILL.md": text()}).status_code == 404
    assert signed_in(alice).delete(door).status_code == 204


def test_it_is_told_which_skill_counts(team: Team, alice: User, bob: User) -> None:
    uploaded(Belonging(owner=alice), alice)
    uploaded(Belonging(team=team), alice)

    def told(who: User) -> list[tuple[str, str]]:
        rows = signed_in(who).get("/api/skills/", {"team": team.public_id}).json()
        return [(row["source"], row["overridden_by"]) for row in rows if row["name"] == "release"]

    assert told(alice) == [("team", ""), ("user", "team")]
    assert told(bob) == [("team", "")]


def test_what_ships_with_the_product_is_read_by_everybody_and_deleted_by_nobody(charlie: User) -> None:
    client = signed_in(charlie)
    listed = {row["name"]: row for row in client.get("/api/skills/").json() if row["source"] == "builtin"}
    for row in listed.values():
        door = f"/api/skills/{row['id']}/"
        whole = client.get(door).json()
        assert (whole["complaint"], whole["uploaded"], len(whole["files"])) == ("", None, row["file_count"])
        assert whole["text"]
        assert sum(file["size"] for file in whole["files"]) == row["size"]
        assert client.get(door + "file/", {"path": "SKILL.md"}).json()["text"].startswith("---\n")
        assert client.get(door + "file/", {"path": "../../__init__.py"}).status_code == 404
        assert client.delete(door).status_code == 403
    assert client.get("/api/skills/builtin-none/").status_code == 404
    assert client.get("/api/skills/builtin-none/file/", {"path": "SKILL.md"}).status_code == 404


@pytest.mark.parametrize(
    ("wanted", "field"),
    [
        ({"scope": "team", "files": {"SKILL.md": text()}}, "team"),
        ({"scope": "everybody", "files": {"SKILL.md": text()}}, "scope"),
        ({}, "archive"),
        ({"files": {"SKILL.md": text()}, "archive": b"PK"}, "archive"),
    ],
)
def test_an_upload_that_is_not_complete_says_so(wanted: dict[str, Any], field: str, alice: User) -> None:
    answer = send(alice, **wanted)
    assert answer.status_code == 400
    assert field in answer.json()["fields"]


def test_each_file_needs_its_path(alice: User) -> None:
    files = [SimpleUploadedFile("SKILL.md", text()), SimpleUploadedFile("a.txt", b"")]
    answer: Any = signed_in(alice).post("/api/skills/", {"scope": "user", "files": files, "paths": ["SKILL.md"]}, format="multipart")
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["paths"])


def test_as_many_files_as_a_skill_may_have_can_be_sent_and_more_are_refused_in_words(alice: User) -> None:
    files = {"SKILL.md": text(), **{f"f{number}": b"" for number in range(FILES_LIMIT - 1)}}
    assert send(alice, files=files).json()["file_count"] == FILES_LIMIT
    for more in (1, 400):
        answer = send(alice, files={**files, **{f"g{number}": b"" for number in range(more)}})
        assert (answer.status_code, answer.json()["kind"]) == (400, "invalid")
        assert answer.json()["detail"]


def test_nobody_keeps_more_skills_than_there_may_be(alice: User, bob: User) -> None:
    Skill.objects.bulk_create(Skill(scope="user", owner=alice, name=f"s{number}", description="x") for number in range(SKILLS_LIMIT))
    answer = send(alice, files={"SKILL.md": text()})
    assert (answer.status_code, answer.json()["title"]) == (400, "Too many skills")
    assert send(alice, files={"SKILL.md": text("s7")}).status_code == 201
    assert send(bob, files={"SKILL.md": text()}).status_code == 201


def test_when_a_person_goes_the_teams_skills_stay(team: Team, of_team: Skill, alice: User) -> None:
    uploaded(Belonging(owner=alice), alice)
    alice.delete()
    skill = Skill.objects.get()
    assert (skill.scope, skill.uploaded_by) == ("team", None)
