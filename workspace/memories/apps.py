"""The app of what is remembered."""

from __future__ import annotations

from django.apps import AppConfig


class Memories(AppConfig):
    name = "workspace.memories"
