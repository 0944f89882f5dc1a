"""Sign-in attempts, counted: guessing one account's password, or many from one address, stops being possible."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone

from workspace.accounts.models import SignInFailure
from workspace.errors import Busy

WINDOW = timedelta(minutes=15)
FAILURES_OF_AN_ACCOUNT_FROM_ONE_ADDRESS = 5
FAILURES_OF_AN_ACCOUNT = 50
FAILURES_FROM_AN_ADDRESS = 30


def refuse_if_throttled(account: str, address: str) -> None:
    """Raises Busy. One account from everywhere has the widest limit, so that a stranger cannot easily lock a person out."""
    recent = SignInFailure.objects.filter(at__gt=timezone.now() - WINDOW)
    by_account = recent.filter(account=_key(account))
    counts = (
        (by_account.filter(address=address), FAILURES_OF_AN_ACCOUNT_FROM_ONE_ADDRESS),
        (by_account, FAILURES_OF_AN_ACCOUNT),
        (recent.filter(address=address), FAILURES_FROM_AN_ADDRESS),
    )
    if any(failures.count() >= limit for failures, limit in counts):
        raise Busy("Too many attempts", "Wait a quarter of an hour, or ask an admin of the server for a one-time link.")


def note_failure(account: str, address: str) -> None:
    SignInFailure.objects.filter(at__lt=timezone.now() - WINDOW).delete()
    SignInFailure.objects.create(account=_key(account), address=address)


def forget_failures(account: str, address: str) -> None:
    SignInFailure.objects.filter(account=_key(account), address=address).delete()


def client_address(request: HttpRequest) -> str:
    """Whose request this is, as the outermost proxy that we trust saw it."""
    hops = [*str(request.META.get("HTTP_X_FORWARDED_FOR", "")).split(","), str(request.META.get("REMOTE_ADDR", ""))]
    seen = [hop.strip() for hop in hops if hop.strip()] or [""]
    return seen[max(0, len(seen) - 1 - settings.TRUSTED_PROXIES)][:45]


def _key(account: str) -> str:
    return account.strip().lower()[:150]
