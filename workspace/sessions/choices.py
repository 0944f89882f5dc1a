"""Where a run or an ask may stand."""

from __future__ import annotations

from django.db import models


class RunState(models.TextChoices):
    """Where a run stands, and the sentence that says so."""

    QUEUED = "queued", "Queued: a worker will take it up."
    RUNNING = "running", "Running: a worker is at it."
    WAITING = "waiting", "Waiting for people to decide."
    DONE = "done", "Done: the agent has said what it had to say."
    STOPPED = "stopped", "Stopped by a person."
    FAILED = "failed", "Failed: it cannot go on by itself."
    LIMIT = "limit", "Ended at a limit."


OPEN_RUN = ["queued", "running", "waiting"]
ENDED = ["done", "stopped", "failed", "limit"]


class AskState(models.TextChoices):
    """How an ask stands. It is decided once; the first decision is the one that counts."""

    OPEN = "open"
    ALLOWED = "allow"
    DENIED = "deny"
    ANSWERED = "answered"
    APPROVED = "approved"
    CHANGES = "changes"
    REPLACED = "replaced"
    LEFT = "left"
    CANCELED = "canceled"


STATUSES = ("idle", *RunState.values)
"""What a session's list says of it: its latest run's state."""


class JobState(models.TextChoices):
    """Where a background job stands. `lost`: the worker that ran it went away, and the job with it."""

    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    LOST = "lost"
