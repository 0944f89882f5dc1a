"""`manage.py refold` makes what is folded from the sessions' logs anew: after an upgrade that folds them in another way."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from agents.errors import UnknownFact
from workspace.sessions import log
from workspace.sessions.models import Session


class Command(BaseCommand):
    help = "Fold every session's log anew. Logs are only read; stop the server first, or let people reload afterwards."

    def handle(self, *args: Any, **options: Any) -> None:
        sessions = list(Session.objects.order_by("pk").values_list("pk", "public_id"))
        unread = [public_id for pk, public_id in sessions if not self.refold(pk, public_id)]
        self.stdout.write(f"{len(sessions) - len(unread)} of {len(sessions)} sessions were folded anew.")

    def refold(self, pk: int, public_id: str) -> bool:
        try:
            log.refold(pk)
        except UnknownFact as wrong:
            self.stderr.write(f"Session {public_id} stays as it was: {wrong}.")
            return False
        return True
