"""The words of sessions, for search."""

from __future__ import annotations

from django.db import models

from workspace.fulltext.index import Index
from workspace.sessions.models.session import Session

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
