"""The health check, in an installation without workers."""

from __future__ import annotations

import pytest
from django.test import Client


@pytest.mark.django_db
def test_anybody_may_ask_and_hears_which_part_does_not_answer(client: Client) -> None:
    answer = client.get("/api/health/")
    assert answer.status_code == 503
    assert answer.json() == {"ok": False, "database": True, "redis": True, "worker": False}
