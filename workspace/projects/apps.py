"""The app of places: projects and their permission rules."""

from __future__ import annotations

from django.apps import AppConfig


class Projects(AppConfig):
    name = "workspace.projects"
