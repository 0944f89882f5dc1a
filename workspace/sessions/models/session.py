"""Sessions, and the log that is their truth."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from workspace.accounts.models import Anyone
from workspace.accounts.rights import Right
from workspace.ids import new_id
from workspace.projects.models import Project
from workspace.sessions.state import SessionState


class SessionQuerySet(models.QuerySet["Session"]):
    def visible_to(self, user: Anyone) -> SessionQuerySet:
        return self.filter(project__in=Project.objects.visible_to(user))

    def with_right(self, user: Anyone, right: Right) -> SessionQuerySet:
        return self.filter(project__in=Project.objects.with_right(user, right))

    def roots(self) -> SessionQuerySet:
        """Those that people opened, without sub-agents."""
        return self.filter(parent=None)

    def locked(self, pk: int) -> Session:
        """The session's row, held until the transaction ends. Whoever writes to a session takes this lock before any other."""
        # SQLite has no row locks and needs none: its transactions begin IMMEDIATE, so that one at a time writes.
        return self.select_for_update().get(pk=pk)


class Session(models.Model):
    """One shared log and where it stands. `state` is the fold of the log at `head`; the columns under it repeat what lists need."""

    public_id = models.CharField(max_length=36, unique=True, default=new_id, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="sessions")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    parent = models.ForeignKey("self", on_delete=models.CASCADE, null=True, related_name="children")
    """The session whose agent started this one; None where a person did."""
    root = models.ForeignKey("self", on_delete=models.CASCADE, null=True, related_name="descendants")
    """The session at the top of the tree, None in that one itself."""
    started_by_call = models.CharField(max_length=200, blank=True)
    """Id of the parent's call that this session works for."""
    told = models.BooleanField(default=False)
    """Whether the parent has been told how this sub-agent's work ended."""
    base_tree = models.CharField(max_length=64, blank=True)
    """Git tree of the workspace when the session opened; what the session changed is told against it."""
    head = models.PositiveBigIntegerField(default=0)
    state = models.TextField(default="{}")
    """A SessionState as JSON text."""

    title = models.CharField(max_length=200, blank=True)
    status = models.CharField(max_length=10, default="idle", db_index=True)
    archived = models.BooleanField(default=False)
    asks = models.PositiveIntegerField(default=0)
    cost = models.FloatField(default=0.0)
    opened_at = models.DateTimeField(default=timezone.now, editable=False)
    active_at = models.DateTimeField(default=timezone.now, db_index=True)

    objects = SessionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["parent", "started_by_call"], condition=~Q(started_by_call=""), name="one_agent_a_call"),
        ]
        indexes = [
            models.Index(fields=["project", "-active_at"], name="sessions_of_a_project"),
            models.Index(fields=["-active_at"], condition=Q(asks__gt=0), name="sessions_that_need_somebody"),
            models.Index(fields=["status"], condition=Q(parent__isnull=False, told=False), name="agents_to_tell_of"),
        ]

    def __str__(self) -> str:
        return self.title or self.public_id

    @property
    def agent_id(self) -> str:
        """How a parent agent names this one: the end of its public id."""
        return self.public_id[-8:]

    @property
    def view(self) -> SessionState:
        return SessionState.model_validate_json(self.state)


class LoggedFact(models.Model):
    """One entry of a session's log: written once, never changed. `data` is the fact as JSON text, whole."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="facts")
    seq = models.PositiveBigIntegerField()
    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    run_id = models.CharField(max_length=36, blank=True)
    type = models.CharField(max_length=40)
    version = models.PositiveSmallIntegerField()
    message_id = models.CharField(max_length=64, blank=True)
    """Of user.spoke only: the sender's own id, so that a message sent twice is said once."""
    data = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["session", "seq"], name="one_fact_a_place"),
            models.UniqueConstraint(fields=["session", "message_id"], condition=~Q(message_id=""), name="a_message_is_said_once"),
        ]

    def __str__(self) -> str:
        return f"{self.session_id}/{self.seq} {self.type}"
