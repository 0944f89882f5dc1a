"""Stretches of an agent's work, and the leases by which workers hold them."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from workspace.ids import new_id
from workspace.sessions.choices import OPEN_RUN, RunState
from workspace.sessions.models.session import Session

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
