"""The app of sessions. Its label is not `sessions`: that one belongs to Django's own HTTP sessions."""

from __future__ import annotations

from django.apps import AppConfig


class Sessions(AppConfig):
    name = "workspace.sessions"
    label = "workspace_sessions"
