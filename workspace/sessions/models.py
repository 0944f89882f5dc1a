"""What happens: sessions, the log that is their truth, the runs that work in them, and what people decide.

Every table but Session, LoggedFact and Run is a fold of the log (`folds.py`) and can be rebuilt from it.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from workspace.accounts.models import Anyone
from workspace.accounts.rights import Right
from workspace.fulltext.index import Index
from workspace.ids import new_id
from workspace.projects.models import Project
from workspace.sessions.choices import OPEN_RUN, AskState, RunState
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


LEASE = timedelta(seconds=settings.LEASE_SECONDS)
"""How long a worker may be silent before its run is given to another."""
PICKED_UP = LEASE * 2 / 3
"""How long a queued run may lie before it is handed to the workers again."""


class RunQuerySet(models.QuerySet["Run"]):
    def unfinished(self) -> RunQuerySet:
        return self.filter(state__in=OPEN_RUN)

    def lost(self) -> RunQuerySet:
        """Taken by a worker that went silent."""
        return self.filter(state=RunState.RUNNING, lease_until__lt=timezone.now())

    def forgotten(self) -> RunQuerySet:
        """Queued, and picked up by nobody for so long that the message must have been lost."""
        return self.filter(state=RunState.QUEUED, changed_at__lt=timezone.now() - PICKED_UP)

    def unheld(self) -> RunQuerySet:
        """Unfinished, and at this moment nobody's."""
        return self.filter(Q(state__in=[RunState.QUEUED, RunState.WAITING]) | Q(state=RunState.RUNNING, lease_until__lt=timezone.now()))

    def held(self, lease: str) -> RunQuerySet:
        return self.filter(state=RunState.RUNNING, lease=lease)

    def claim(self, public_id: str) -> Run | None:
        """Take the run, if it is queued or its worker went silent, under a lease nobody else has. None: a miss, which is normal."""
        lease, now = new_id(), timezone.now()
        free = Q(state=RunState.QUEUED) | Q(state=RunState.RUNNING, lease_until__lt=now)
        taken = {"state": RunState.RUNNING, "lease": lease, "lease_until": now + LEASE, "changed_at": now}
        if not self.filter(free, public_id=public_id).update(**taken):
            return None
        return self.select_related("session__project__team", "acting_for").filter(lease=lease).first()


class Run(models.Model):
    """One stretch of agent work. A worker holds it by a lease, which it renews and which no other can have."""

    public_id = models.CharField(max_length=36, unique=True, default=new_id, editable=False)
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="runs")
    acting_for = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    state = models.CharField(max_length=10, choices=RunState.choices, default=RunState.QUEUED)
    detail = models.TextField(blank=True)
    stop_asked = models.BooleanField(default=False)
    lease = models.CharField(max_length=36, blank=True)
    lease_until = models.DateTimeField(null=True)
    changed_at = models.DateTimeField(default=timezone.now)
    """When it entered this state; of a queued run also when it was last handed to the workers."""

    objects = RunQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["session"], condition=Q(state__in=OPEN_RUN), name="one_open_run_a_session"),
        ]
        indexes = [models.Index(fields=["state", "changed_at"], name="runs_by_state")]

    def __str__(self) -> str:
        return f"{self.public_id} {self.state}"


class AskQuerySet(models.QuerySet[Any]):
    def unanswered(self) -> Self:
        return self.filter(state=AskState.OPEN)


class Ask(models.Model):
    """What approvals, questions and plan revisions share: asked at `seq`, decided once, by one person."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="%(class)ss")
    call_id = models.CharField(max_length=200, blank=True)
    seq = models.PositiveBigIntegerField()
    state = models.CharField(max_length=10, choices=AskState.choices, default=AskState.OPEN)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    decided_seq = models.PositiveBigIntegerField(null=True)

    objects = AskQuerySet.as_manager()

    class Meta:
        abstract = True


class Approval(Ask):
    """A call that may run only once a person allowed exactly it: `hash` names tool and arguments."""

    approval_id = models.CharField(max_length=210)
    tool = models.CharField(max_length=100)
    subject = models.TextField(blank=True)
    hash = models.CharField(max_length=64)
    scope = models.CharField(max_length=10, blank=True)
    reason = models.TextField(blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["session", "approval_id"], name="one_approval_an_id")]

    def __str__(self) -> str:
        return f"{self.tool} {self.subject}: {self.state}"


class Question(Ask):
    question_id = models.CharField(max_length=210)
    asked = models.PositiveSmallIntegerField()
    """How many questions the set holds; an answer has as many parts."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["session", "question_id"], name="one_question_an_id")]

    def __str__(self) -> str:
        return f"{self.question_id}: {self.state}"


class PlanRevision(Ask):
    """One text of a session's plan. `by` None: the agent wrote it."""

    revision = models.PositiveIntegerField()
    text = models.TextField()
    summary = models.TextField(blank=True)
    hash = models.CharField(max_length=64)
    plan_file = models.TextField()
    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["session", "revision"], name="one_text_a_revision")]
        ordering = ["revision"]

    def __str__(self) -> str:
        return f"revision {self.revision}: {self.state}"


class PlanRemark(models.Model):
    """What reviews of a plan and comments on it share."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="%(class)ss")
    revision = models.PositiveIntegerField()
    seq = models.PositiveBigIntegerField()
    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        abstract = True
        ordering = ["seq"]


class PlanReview(PlanRemark):
    verdict = models.CharField(max_length=10)
    message = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"revision {self.revision}: {self.verdict}"


class PlanComment(PlanRemark):
    """A remark at the words it quotes; `start` is their offset in characters."""

    comment_id = models.CharField(max_length=64)
    text = models.TextField()
    quote = models.TextField(blank=True)
    start = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return self.text


SPOKEN = Index("workspace_sessions_spoken", {"text": 1.0})
TITLE = 0
"""The `seq` under which a session's title is spoken."""


class Spoken(models.Model):
    """The plain words of one entry, for search; at TITLE the session's title as it is now."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="spoken")
    seq = models.PositiveBigIntegerField()
    text = models.TextField()

    class Meta:
        ordering = ["seq"]

    def __str__(self) -> str:
        return self.text
