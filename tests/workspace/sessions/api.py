"""The API as one person reaches it."""

from __future__ import annotations

import json
from typing import Any

from django.test import Client

from workspace.accounts.models import User


class Api:
    def __init__(self, person: User) -> None:
        self.client = Client()
        self.client.force_login(person)

    def get(self, path: str, answers: int = 200, **query: Any) -> Any:
        return self._read(self.client.get(f"/api/{path}", query), answers)

    def send(self, method: str, path: str, body: object, status: int = 200) -> Any:
        send = getattr(self.client, method)
        return self._read(send(f"/api/{path}", json.dumps(body), content_type="application/json"), status)

    def post(self, path: str, body: object = None, status: int = 200) -> Any:
        return self.send("post", path, body or {}, status)

    def _read(self, response: Any, status: int) -> Any:
        assert response.status_code == status, response.content
        return response.json()
