"""MCP servers, which lend agents more tools, by team or by project; and the forge where a project keeps its issues."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from agents.forges.place import KINDS
from workspace.accounts.models import Anyone, Team, User
from workspace.accounts.rights import Right
from workspace.ids import new_id
from workspace.projects.models import Project

TRANSPORTS = [("stdio", "a program in the project's sandbox"), ("http", "an address (streamable HTTP)")]


class McpServerQuerySet(models.QuerySet["McpServer"]):
    def visible_to(self, user: Anyone) -> McpServerQuerySet:
        return self.filter(team__in=Team.objects.visible_to(user)).select_related("team", "project")

    def of_team(self, team: Team) -> McpServerQuerySet:
        """The team's own, which every project of it has."""
        return self.filter(team=team, project=None).order_by("name")

    def of_project(self, project: Project) -> list[McpServer]:
        """The project's own and its team's, by name; where both have one of a name, the project's stands for it."""
        found = self.filter(Q(project=project) | Q(project=None), team=project.team_id).select_related("team", "project")
        by_name = {row.name: row for row in sorted(found, key=lambda row: row.project_id is not None)}
        return sorted(by_name.values(), key=lambda row: row.name)


class McpServer(models.Model):
    """`tools` is what the server told when it was last listed, so that nobody has to wait for it at a session's start.

    Values of `env` and `headers` may name secrets of the team as ${NAME}; they are put in when it is connected.
    """

    public_id = models.CharField(max_length=36, unique=True, default=new_id, editable=False)
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="mcp_servers")
    project = models.ForeignKey(Project, on_delete=models.CASCADE, null=True, blank=True, related_name="mcp_servers")
    name = models.SlugField(max_length=30)
    description = models.CharField(max_length=500, blank=True)
    transport = models.CharField(max_length=5, choices=TRANSPORTS)
    command = models.JSONField(default=list, blank=True)
    url = models.CharField(max_length=1000, blank=True)
    env = models.JSONField(default=dict, blank=True)
    headers = models.JSONField(default=dict, blank=True)
    enabled = models.BooleanField(default=True)
    tools = models.JSONField(default=list, blank=True, editable=False)
    listed = models.DateTimeField(null=True, editable=False)
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created = models.DateTimeField(default=timezone.now, editable=False)

    objects = McpServerQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "name"], name="one_mcp_server_a_name_in_a_project"),
            models.UniqueConstraint(fields=["team", "name"], condition=Q(project=None), name="one_mcp_server_a_name_in_a_team"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def scope(self) -> str:
        return "project" if self.project_id else "team"

    @property
    def managed_by(self) -> Right:
        """The right that changes it: a team's servers are kept by whoever keeps its keys."""
        return "manage_projects" if self.project_id else "manage_members"


class Forge(models.Model):
    """The repository at GitHub or Gitea whose issues and pull requests a project's agents may read.

    `secret` names one of the team's secrets, whose value is the token; "" where the repository is public.
    """

    project = models.OneToOneField(Project, on_delete=models.CASCADE, related_name="forge")
    kind = models.CharField(max_length=10, choices=[(kind, kind) for kind in KINDS])
    base_url = models.CharField(max_length=1000, blank=True)
    repository = models.CharField(max_length=201)
    secret = models.CharField(max_length=100, blank=True)
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"{self.repository} ({self.kind})"
