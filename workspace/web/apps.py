"""The app of pages: sign-in forms and the boot template. It also brings the system checks in."""

from __future__ import annotations

from django.apps import AppConfig

from workspace import checks


class Web(AppConfig):
    name = "workspace.web"
    checks = checks
