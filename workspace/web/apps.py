"""The app of pages: sign-in forms and the boot template."""

from __future__ import annotations

from django.apps import AppConfig


class Web(AppConfig):
    name = "workspace.web"
