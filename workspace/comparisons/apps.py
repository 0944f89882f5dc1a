"""The app of comparisons."""

from __future__ import annotations

from django.apps import AppConfig


class Comparisons(AppConfig):
    name = "workspace.comparisons"
