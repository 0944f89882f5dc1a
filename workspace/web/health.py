"""Whether this installation can do its work: the database answers, Redis answers, and a worker listens."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from django.contrib.auth.decorators import login_not_required
from django.core.cache import cache
from django.db import connection
from django.http import HttpRequest, JsonResponse

from workspace.celery import app

PATIENCE = 1.0
"""Seconds a worker has to answer."""


@login_not_required
def health(request: HttpRequest) -> JsonResponse:
    """200 when everything answers, else 503; says which part does not and nothing more, since anybody may ask."""
    redis = _answers(_redis)
    parts = {"database": _answers(_database), "redis": redis, "worker": redis and _answers(_worker)}
    well = all(parts.values())
    return JsonResponse({"ok": well, **parts}, status=HTTPStatus.OK if well else HTTPStatus.SERVICE_UNAVAILABLE)


def _answers(probe: Callable[[], bool]) -> bool:
    try:
        return probe()
    except Exception:  # whatever the library of a dead peer raises
        return False


def _database() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return True


def _redis() -> bool:
    cache.get("health")
    return True


def _worker() -> bool:
    return bool(app.control.ping(timeout=PATIENCE, limit=1))
