"""Where: projects, each a git repository in the data folder, and the rules for what agents may do there."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from django.conf import settings
from django.db import models
from django.db.models import Count, OuterRef, Q, Subquery
from django.utils import timezone

from agents import permissions
from agents.errors import SandboxError
from agents.sandboxes.choose import is_weaker, open_sandbox
from agents.sandboxes.sandbox import Level, Sandbox, SandboxWish
from workspace.accounts.models import Anyone, Membership, Team, User, row_of
from workspace.accounts.rights import Right, roles_with
from workspace.ids import new_id

LEVELS = [("", "The strongest that works"), ("bubblewrap", "bubblewrap"), ("landlock", "Landlock"), ("local", "none (local)")]


class ProjectQuerySet(models.QuerySet["Project"]):
    def visible_to(self, user: Anyone) -> ProjectQuerySet:
        return self.filter(team__memberships__user_id=row_of(user))

    def with_right(self, user: Anyone, right: Right) -> ProjectQuerySet:
        return self.filter(team__memberships__in=Membership.objects.filter(user_id=row_of(user), role__in=roles_with(right)))

    def as_seen_by(self, user: Anyone) -> ProjectQuerySet:
        """With the person's `role` in the project's team and the number of sessions that people opened (`session_count`)."""
        role = Membership.objects.filter(user_id=row_of(user), team=OuterRef("team")).values("role")[:1]
        opened = Count("sessions", filter=Q(sessions__parent=None), distinct=True)
        return self.select_related("team").annotate(role=Subquery(role), session_count=opened)


class Project(models.Model):
    public_id = models.CharField(max_length=36, unique=True, default=new_id, editable=False)
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="projects")
    name = models.CharField(max_length=100)
    slug = models.SlugField(max_length=60)
    description = models.TextField(blank=True)
    network = models.BooleanField(default=False)
    sandbox_level = models.CharField(max_length=12, choices=LEVELS, blank=True)
    provider = models.CharField(max_length=40, default="scripted")
    model = models.CharField(max_length=200, blank=True)
    toolset = models.CharField(max_length=40, default="oats")
    workflow = models.CharField(max_length=20, blank=True)
    """How agents work; "" leaves it to the toolset."""
    protocol = models.CharField(max_length=20, default="native")
    """How models say their calls."""
    profile = models.CharField(max_length=10, blank=True)
    """Which tools of the toolset: minimal, standard, full or custom; "" takes the installation's."""
    features = models.JSONField(default=dict, blank=True)
    """Feature group → on or off, over the profile."""
    bash_interceptor = models.BooleanField(default=False)
    """Whether shell commands that a tool of its own does better are refused with that advice (toolset atomic)."""
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created = models.DateTimeField(default=timezone.now, editable=False)
    archived = models.BooleanField(default=False)

    objects = ProjectQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["team", "slug"], name="slug_is_unique_in_its_team")]

    def __str__(self) -> str:
        return self.name

    @property
    def root(self) -> Path:
        """The workspace: a git repository that belongs to this project alone."""
        return Path(settings.COUNTERSIGN_HOME) / "workspaces" / self.public_id

    @property
    def wished_level(self) -> Level | None:
        """The operator's word, else the project's where it asks for no less than what works here; None leaves it to that."""
        wish = cast("Level | None", settings.SANDBOX or self.sandbox_level or None)
        # Whoever has a team manages projects: were less for them to choose, anybody could leave the sandbox and read the server.
        return wish if wish and (settings.SANDBOX or not is_weaker(wish)) else None

    def open_sandbox(self, worktree: Path | None = None, *, writable: bool = True) -> Sandbox:
        """In the workspace, or in a session's own worktree with the project's git repository at hand (unless it may only read).

        Raises SandboxError when the place is gone, or the level asked for does not work here: it is never weakened in silence.
        """
        place, repository = worktree or self.root, self.root / ".git"
        if not place.is_dir():
            gone = "The worktree of this session was landed or dropped" if worktree else f"The workspace of {self.name} is gone"
            raise SandboxError(f"{gone}: it is not on the server's disk.")
        if worktree and (repository.is_symlink() or not repository.is_dir()):
            raise SandboxError(f"The git repository of {self.name} is gone, and with it that of the worktree.")
        also = (str(repository),) if worktree and writable else ()
        home = str(settings.COUNTERSIGN_HOME)
        return open_sandbox(SandboxWish(str(place), self.network, self.wished_level, (home,), writable, also))

    def rules_for_agent(self) -> tuple[permissions.Rule, ...]:
        """The rules in their order; the last that matches wins."""
        return tuple(rule.for_agent() for rule in self.rules.all())


class Rule(models.Model):
    """What to do with a tool's calls whose subject matches the pattern. `made_by` None: a default."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="rules")
    order = models.PositiveIntegerField()
    tool = models.CharField(max_length=100)
    pattern = models.CharField(max_length=500, default="*")
    action = models.CharField(max_length=5, choices=[(action, action) for action in ("allow", "ask", "deny")])
    made_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["order"]
        constraints = [models.UniqueConstraint(fields=["project", "order"], name="one_rule_a_place")]

    def __str__(self) -> str:
        return f"{self.action} {self.tool} {self.pattern}"

    def for_agent(self) -> permissions.Rule:
        return permissions.Rule(self.tool, self.pattern, cast("permissions.Action", self.action))
