"""What is remembered: short notes of a person, a project or a team, found again by their words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import models
from django.db.models import BigIntegerField, Q, Value
from django.utils import timezone

from workspace.accounts.models import Anyone, Team, User, row_of
from workspace.fulltext.index import Index
from workspace.fulltext.terms import Term, read_terms
from workspace.ids import new_id
from workspace.projects.models import Project

SCOPES = ["user", "project", "team"]
TYPES = ["user", "feedback", "project", "reference"]
INDEX = Index("memories_memory", {"title": 8.0, "tags": 6.0, "content": 1.0}, lists=["tags"])


class MemoryQuerySet(models.QuerySet["Memory"]):
    def visible_to(self, user: Anyone) -> MemoryQuerySet:
        """A person's own, and those of the projects and teams the person is in."""
        teams = Team.objects.visible_to(user)
        return self.filter(
            Q(scope="user", owner_id=row_of(user)) | Q(scope="project", project__team__in=teams) | Q(scope="team", team__in=teams),
        )

    def of_session(self, project: Project, acting_for: User | None) -> MemoryQuerySet:
        """What an agent sees: the project's, the team's, and those of the person it acts for."""
        own = Q(scope="user", owner=acting_for) if acting_for else Q()
        return self.filter(own | Q(scope="project", project=project) | Q(scope="team", team_id=project.team_id))

    def matching(self, query: str) -> MemoryQuerySet:
        """Those with any of the query's terms and none it excludes, the best first; all, the newest first, for no terms.

        Each has its `relevance`, 0 where nothing was asked for.
        """
        terms = read_terms(query)
        unwanted = [term for term in terms if term.excluded]
        found = self.exclude(pk__in=INDEX.holding(unwanted)) if unwanted else self
        return found.about([term for term in terms if not term.excluded])

    def about(self, terms: Sequence[Term]) -> MemoryQuerySet:
        """Those with any of the terms, the best first; all, the newest first, for none."""
        found: Any = INDEX.ranked(self, terms) if terms else self.annotate(relevance=Value(0, BigIntegerField()))
        ordered: MemoryQuerySet = found.order_by("-relevance", "-updated", "-pk")
        return ordered


class Memory(models.Model):
    """Exactly one of `owner`, `project`, `team` is set: the one its scope names. The source is the session that wrote it."""

    public_id = models.CharField(max_length=36, unique=True, default=new_id, editable=False)
    scope = models.CharField(max_length=8, choices=[(scope, scope) for scope in SCOPES])
    type = models.CharField(max_length=10, choices=[(type, type) for type in TYPES])
    title = models.CharField(max_length=200)
    content = models.TextField()
    tags = models.JSONField(default=list, blank=True)
    owner = models.ForeignKey(User, on_delete=models.CASCADE, null=True, related_name="memories")
    project = models.ForeignKey(Project, on_delete=models.CASCADE, null=True, related_name="memories")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, null=True, related_name="memories")
    source_session = models.CharField(max_length=36, blank=True)
    source_seq = models.PositiveIntegerField(null=True)
    created = models.DateTimeField(default=timezone.now, editable=False)
    updated = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    updated_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    used_count = models.PositiveIntegerField(default=0)
    last_used = models.DateTimeField(null=True)

    objects = MemoryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "memories"
        indexes = [models.Index(fields=["scope", "-updated"])]
        constraints = [
            models.CheckConstraint(
                name="a_memory_belongs_to_what_its_scope_names",
                condition=Q(scope="user", owner__isnull=False, project__isnull=True, team__isnull=True)
                | Q(scope="project", owner__isnull=True, project__isnull=False, team__isnull=True)
                | Q(scope="team", owner__isnull=True, project__isnull=True, team__isnull=False),
            ),
            models.UniqueConstraint(fields=["owner", "title"], condition=Q(scope="user"), name="one_title_a_person"),
            models.UniqueConstraint(fields=["project", "title"], condition=Q(scope="project"), name="one_title_a_project"),
            models.UniqueConstraint(fields=["team", "title"], condition=Q(scope="team"), name="one_title_a_team"),
        ]

    def __str__(self) -> str:
        return self.title

    def place(self) -> Team | None:
        """The team whose rights decide over it; None for a person's own."""
        return self.project.team if self.project else self.team
