"""Every verb of our API as data: where it is, what it takes, and which right it asks for."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from workspace.accounts.credentials import create_token, store_provider_key, store_secret
from workspace.accounts.models import Team, User
from workspace.accounts.rights import Right
from workspace.connections.actions import Place, add_server
from workspace.connections.forges import connect_forge
from workspace.memories.actions import Belonging, write_memory
from workspace.projects import git
from workspace.projects.models import Project
from workspace.skills.actions import Belonging as Skills
from workspace.skills.actions import upload_skill
from workspace.skills.bundle import Bundle

FORGE = {"kind": "gitea", "base_url": "http://127.0.0.1:9", "repository": "owner/shelf", "secret": "GITHUB_TOKEN"}
"""At an address that is asked of nobody."""
OPEN_TO_EVERYBODY = ("sign-in/", "invite/", "api/health/")
"""Where people come in. Everything else demands that they have."""


@dataclass(frozen=True)
class Places:
    """What there is to ask for, by the names that addresses use."""

    ids: dict[str, str]

    @classmethod
    def furnish(cls, team: Team, project: Project, alice: User, bob: User) -> Places:
        newcomer = User.objects.create_user("dora")
        team.memberships.create(user=newcomer, role="viewer")
        (project.root / "a.txt").write_text("a")
        git.begin(project.root)
        key = store_provider_key(team, alice, provider="openai", base_url="", model="", key="sk-0123456789abcdef")
        memory = write_memory(Belonging(project=project), title="One", content="two", type="project", tags=[], by=alice)
        secret = store_secret(team, alice, name="GITHUB_TOKEN", value="0123456789")
        server = add_server(Place(team, project), alice, name="notes", transport="stdio", command=["/bin/false"])
        connect_forge(project, alice, **FORGE)
        skill = upload_skill(Skills(team=team), alice, Bundle("release", "How", {"SKILL.md": SKILL}))
        return cls({
            "team_id": team.public_id, "user_id": newcomer.public_id, "project_id": project.public_id, "key_id": key.public_id,
            "memory_id": memory.public_id, "token_id": create_token(bob, "laptop")[0].public_id,
            "secret_id": secret.public_id, "server_id": server.public_id, "skill_id": skill.public_id,
            "name": "alfredo",
        })  # fmt: skip

    def filled_in(self, pattern: str) -> str:
        if pattern.startswith("^"):
            return "projects/" + self.ids["project_id"]
        return re.sub(r"<(?:(\w+):)?(\w+)>", lambda name: self.ids.get(name[2], "1" if name[1] == "int" else "none"), pattern)


def nothing(places: Places) -> dict[str, Any]:
    return {}


def newcomer() -> str:
    return User.objects.create_user("emil").username


@dataclass(frozen=True)
class Door:
    """`for_strangers` is what somebody outside the team gets where that is not 404."""

    verb: str
    pattern: str
    right: Right = "view"
    body: Callable[[Places], Any] = nothing
    query: str = ""
    for_strangers: int = 0
    format: str = "json"

    def path(self, places: Places) -> str:
        return "/" + places.filled_in(self.pattern + self.query)

    def __str__(self) -> str:
        return f"{self.verb} {self.pattern}"


TEAM = "api/teams/<str:team_id>/"
MEMBER = TEAM + "members/<str:user_id>/"
PROJECT = "api/projects/<str:project_id>/"
SERVER = {"name": "search", "transport": "http", "url": "https://example.org/mcp"}
MEMORY = "api/memories/<str:memory_id>/"
SKILL = b"---\nname: release\ndescription: How a release is made\n---\nSteps.\n"


def folder(places: Places) -> dict[str, Any]:
    return {"scope": "team", "team": places.ids["team_id"], "files": [SimpleUploadedFile("SKILL.md", SKILL)]}


DOORS = [
    Door("get", "api/me/", for_strangers=200),
    Door("patch", "api/me/", body=lambda places: {"name": "Somebody"}, for_strangers=200),
    Door("get", "api/teams/", for_strangers=200),
    Door("post", "api/teams/", body=lambda places: {"name": "New"}, for_strangers=201),
    Door("get", TEAM),
    Door("patch", TEAM, "manage_members", lambda places: {"name": "Renamed"}),
    Door("get", TEAM + "members/"),
    Door("post", TEAM + "members/", "manage_members", lambda places: {"username": newcomer(), "role": "member"}),
    Door("patch", MEMBER, "manage_members", lambda places: {"role": "member"}),
    Door("delete", MEMBER, "manage_members"),
    Door("post", TEAM + "invites/", "manage_members", lambda places: {"role": "member"}),
    Door("get", TEAM + "provider-keys/", "manage_members"),
    Door("post", TEAM + "provider-keys/", "manage_members", lambda places: {"provider": "anthropic", "key": "sk-ant-0123456789"}),
    Door("delete", TEAM + "provider-keys/<str:key_id>/", "manage_members"),
    Door("get", TEAM + "secrets/", "manage_members"),
    Door("post", TEAM + "secrets/", "manage_members", lambda places: {"name": "TAVILY_API_KEY", "value": "tvly-0123456789"}),
    Door("delete", "api/secrets/<str:secret_id>/", "manage_members"),
    Door("get", TEAM + "mcp-servers/"),
    Door("post", TEAM + "mcp-servers/", "manage_members", lambda places: SERVER),
    Door("get", PROJECT + "mcp-servers/"),
    Door("post", PROJECT + "mcp-servers/", "manage_projects", lambda places: SERVER),
    Door("patch", "api/mcp-servers/<str:server_id>/", "manage_projects", lambda places: {"enabled": False}),
    Door("delete", "api/mcp-servers/<str:server_id>/", "manage_projects"),
    Door("post", "api/mcp-servers/<str:server_id>/check/", "manage_projects"),
    Door("get", "api/tokens/", for_strangers=200),
    Door("post", "api/tokens/", body=lambda places: {"name": "laptop"}, for_strangers=201),
    Door("get", "api/providers/", query="?team=<team_id>"),
    Door("get", "api/projects/", for_strangers=200),
    Door("post", "api/projects/", "manage_projects", lambda places: {"team": places.ids["team_id"], "name": "New"}),
    Door("get", PROJECT),
    Door("patch", PROJECT, "manage_projects", lambda places: {"name": "Renamed"}),
    Door("delete", PROJECT, "manage_projects"),
    Door("get", PROJECT + "rules/"),
    Door("put", PROJECT + "rules/", "manage_projects", lambda places: [{"tool": "bash", "pattern": "ls*", "action": "allow"}]),
    Door("patch", PROJECT, "manage_projects", lambda places: {"profile": "full", "features": {"memory": False}}),
    Door("patch", PROJECT, "manage_projects", lambda places: {"bash_interceptor": True}),
    Door("get", PROJECT + "forge/"),
    Door("put", PROJECT + "forge/", "manage_projects", lambda places: FORGE),
    Door("delete", PROJECT + "forge/", "manage_projects"),
    Door("post", PROJECT + "forge/check/", "manage_projects"),
    Door("get", PROJECT + "tools/"),
    Door("get", "api/toolsets/", for_strangers=200),
    Door("get", "api/toolsets/brief/", for_strangers=200),
    Door("get", "api/toolsets/<str:name>/descriptions/", for_strangers=200),
    Door("get", "api/workflows/", for_strangers=200),
    Door("get", "api/protocols/", for_strangers=200),
    Door("get", PROJECT + "tree/"),
    Door("get", PROJECT + "file/", query="?path=a.txt"),
    Door("get", PROJECT + "diff/"),
    Door("post", PROJECT + "recall/", "prompt", lambda places: {"prompt": "Fix the parser"}),
    Door("get", "api/memories/", for_strangers=200),
    Door(
        "post", "api/memories/", "manage_memories",
        lambda places: {"scope": "project", "project": places.ids["project_id"], "title": "T", "content": "c", "type": "project"},
    ),
    Door("get", MEMORY),
    Door("patch", MEMORY, "manage_memories", lambda places: {"content": "changed"}),
    Door("delete", MEMORY, "manage_memories"),
    Door("get", "api/skills/", query="?team=<team_id>"),
    Door("post", "api/skills/", "manage_projects", folder, format="multipart"),
    Door("get", "api/skills/<str:skill_id>/"),
    Door("get", "api/skills/<str:skill_id>/file/", query="?path=SKILL.md"),
    Door("delete", "api/skills/<str:skill_id>/", "manage_projects"),
    Door("get", PROJECT + "skills/"),
    Door("put", PROJECT + "skills/", "manage_projects", lambda places: {"name": "release", "on": False}),
]  # fmt: skip
