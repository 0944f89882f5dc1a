"""The web process: HTTP goes to Django, sockets to the session's consumer, for signed-in people from our own pages."""

from __future__ import annotations

import os

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "workspace.settings")
http = get_asgi_application()

application = ProtocolTypeRouter({"http": http})
