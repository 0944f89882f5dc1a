"""What waits for people, and what they said to plans: folds of the log."""

from __future__ import annotations

from typing import Any, Self

from django.conf import settings
from django.db import models

from workspace.sessions.choices import AskState
from workspace.sessions.models.session import Session


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
