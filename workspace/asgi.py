"""The web process: HTTP goes to Django, sockets to the sessions' own door."""

from __future__ import annotations

import os

from channels.routing import ProtocolTypeRouter
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "workspace.settings")
http = get_asgi_application()  # Django has to be set up before anything that needs its models is imported

from workspace.celery import app as queue  # noqa: E402
from workspace.sessions.routing import websocket  # noqa: E402

application = ProtocolTypeRouter({"http": http, "websocket": websocket})

__all__ = ["application", "queue"]
