"""Skills as bytes, and how people send them."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from workspace.accounts.models import Team, User
from workspace.projects.models import Project
from workspace.skills.actions import Belonging, upload_skill
from workspace.skills.bundle import Bundle
from workspace.skills.models import Skill


def signed_in(who: User) -> APIClient:
    client = APIClient()
    client.force_login(who)
    return client


def text(name: str = "release", description: str = "How a release is made", body: str = "# Release\nSteps.\n") -> bytes:
    return f"---\nname: {name}\ndescription: {description}\n---\n{body}".encode()


def uploaded(to: Belonging, by: User, name: str = "release", body: str = "Steps.\n", **files: str) -> Skill:
    others = {path.replace("__", "/"): data.encode() for path, data in files.items()}
    return upload_skill(to, by, Bundle(name, f"of {by.username}", {"SKILL.md": text(name, body=body), **others}))


def send(who: User, scope: str = "user", team: Team | None = None, **parts: Any) -> Any:
    """POST an upload: `archive`, or `files` as {path: bytes}."""
    if "files" in parts:
        files = parts.pop("files")
        parts |= {"files": [SimpleUploadedFile(path.rpartition("/")[2], data) for path, data in files.items()], "paths": list(files)}
    if "archive" in parts:
        parts["archive"] = SimpleUploadedFile("skill.zip", parts["archive"])
    wanted = {"scope": scope, **parts, **({"team": team.public_id} if team else {})}
    return signed_in(who).post("/api/skills/", wanted, format="multipart")


def lie(project: Project, folder: str, data: bytes) -> None:
    """Let a skill lie in the project's workspace."""
    place = project.root / folder
    place.mkdir(parents=True)
    (place / "SKILL.md").write_bytes(data)


@pytest.fixture
def of_team(team: Team, alice: User) -> Skill:
    return uploaded(Belonging(team=team), alice, body="The team's way.\n", references__steps="one\ntwo\n")
