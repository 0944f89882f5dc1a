"""Comparisons, and what the logs of their sessions count up to."""

from __future__ import annotations

from typing import Literal

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from workspace.accounts.models import Anyone
from workspace.ids import new_id
from workspace.projects.models import Project
from workspace.sessions.models import Session

Side = Literal["left", "right"]
SIDES: tuple[Side, Side] = ("left", "right")


class ComparisonQuerySet(models.QuerySet["Comparison"]):
    def visible_to(self, user: Anyone) -> ComparisonQuerySet:
        return self.filter(project__in=Project.objects.visible_to(user))

    def with_side(self, session_id: str) -> ComparisonQuerySet:
        """The one that the session with this public id is a side of, if there is one."""
        return self.filter(Q(left__public_id=session_id) | Q(right__public_id=session_id))

    def with_names(self) -> ComparisonQuerySet:
        """With what showing one needs."""
        return self.select_related("project__team", "created_by", "left__project__team", "right__project__team")


class Comparison(models.Model):
    """One prompt given to two sessions, each in a git worktree of its own that began with the commit `base`.

    How it ended is told by the worktrees, which people land and drop here or in the sessions themselves.
    """

    public_id = models.CharField(max_length=36, unique=True, default=new_id, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="comparisons")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    title = models.CharField(max_length=200)
    prompt = models.TextField()
    provider = models.CharField(max_length=40)
    model = models.CharField(max_length=200, blank=True)
    base = models.CharField(max_length=64)
    left = models.OneToOneField(Session, on_delete=models.CASCADE, related_name="+")
    right = models.OneToOneField(Session, on_delete=models.CASCADE, related_name="+")
    created = models.DateTimeField(default=timezone.now, editable=False)

    objects = ComparisonQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["project", "-created"], name="comparisons_of_a_project")]

    def __str__(self) -> str:
        return self.title

    def session(self, side: Side) -> Session:
        return self.left if side == "left" else self.right


class Tally(models.Model):
    """What one session's log counts up to: a fold of it up to `seq`, brought on whenever somebody looks.

    `seconds` is its agent's work up to the last pause; `working_since` says that it works now. The files are those of its
    worktree as they were last compared, when the tree of its agents stood as `compared` says; None: never yet.
    """

    session = models.OneToOneField(Session, on_delete=models.CASCADE, related_name="tally")
    seq = models.PositiveBigIntegerField(default=0)
    calls = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0)
    refused = models.PositiveIntegerField(default=0)
    """Replies that could not be read in the session's protocol."""
    seconds = models.FloatField(default=0.0)
    working_since = models.DateTimeField(null=True)
    files = models.PositiveIntegerField(null=True)
    added = models.PositiveIntegerField(default=0)
    removed = models.PositiveIntegerField(default=0)
    compared = models.CharField(max_length=40, blank=True)
    compared_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name_plural = "tallies"

    def __str__(self) -> str:
        return f"{self.calls} calls, {self.failed} failed"
