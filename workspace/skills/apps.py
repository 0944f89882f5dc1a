"""The app of skills."""

from __future__ import annotations

from django.apps import AppConfig


class Skills(AppConfig):
    name = "workspace.skills"
