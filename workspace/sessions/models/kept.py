"""What an agent's tools keep beside the log: whole outputs, file texts that edits name, jobs that go on."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from workspace.sessions.choices import JobState
from workspace.sessions.models.session import Session

JOB_LEASE = timedelta(seconds=settings.LEASE_SECONDS)
"""How long a worker may be silent before its jobs count as lost."""


class KeptArtifact(models.Model):
    """A file that tools of a session tree made beside the workspace, numbered from 1 in its root. `data` is zlib-compressed."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="artifacts")
    """The root."""
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=200)
    media_type = models.CharField(max_length=100)
    size = models.PositiveBigIntegerField()
    data = models.BinaryField()
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["session", "number"], name="one_artifact_a_number")]
        ordering = ["number"]

    def __str__(self) -> str:
        return f"artifact://{self.number} {self.name}"


class KeptSnapshot(models.Model):
    """The whole text of a file as a session saw it once. `text` is zlib-compressed UTF-8, `digest` its SHA-256, `size` its characters."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="snapshots")
    path = models.TextField()
    tag = models.CharField(max_length=4)
    digest = models.CharField(max_length=64)
    text = models.BinaryField()
    size = models.PositiveBigIntegerField()
    order = models.PositiveBigIntegerField()
    """Greater for what was seen later; counts in its session."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["session", "path", "digest"], name="one_snapshot_a_text")]
        indexes = [models.Index(fields=["session", "order", "path", "size"], name="snapshots_by_order")]  # spares reading past the texts
        ordering = ["-order"]

    def __str__(self) -> str:
        return f"[{self.path}#{self.tag}]"


class KeptJotting(models.Model):
    """A small JSON value that a tool wants to find again in its next call, under a key of its own."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="jottings")
    key = models.CharField(max_length=300)
    value = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["session", "key"], name="one_jotting_a_key")]

    def __str__(self) -> str:
        return self.key


class JobQuerySet(models.QuerySet["Job"]):
    def running(self) -> JobQuerySet:
        return self.filter(state=JobState.RUNNING)

    def lost(self) -> JobQuerySet:
        """Running, as far as is known, in a worker that went silent."""
        return self.running().filter(lease_until__lt=timezone.now())


class Job(models.Model):
    """A command that goes on after its call has ended, in the worker that started it, which renews its lease meanwhile.

    `output` is what it said so far, redacted and bounded; the whole is in the root's artifact `artifact` once it has ended.
    """

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="jobs")
    job_id = models.CharField(max_length=20)
    call_id = models.CharField(max_length=200)
    command = models.TextField()
    terminal = models.BooleanField(default=False)
    timeout = models.PositiveIntegerField()
    state = models.CharField(max_length=10, choices=JobState.choices, default=JobState.RUNNING)
    exit_code = models.IntegerField(null=True)
    error = models.TextField(blank=True)
    output = models.TextField(blank=True)
    artifact = models.PositiveIntegerField(null=True)
    cancel_asked = models.BooleanField(default=False)
    began = models.DateTimeField(default=timezone.now, editable=False)
    ended = models.DateTimeField(null=True)
    lease = models.CharField(max_length=36)
    lease_until = models.DateTimeField()

    objects = JobQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["session", "job_id"], name="one_job_an_id")]
        indexes = [models.Index(fields=["lease_until"], condition=Q(state="running"), name="jobs_that_may_be_lost")]
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.job_id}: {self.state}"
