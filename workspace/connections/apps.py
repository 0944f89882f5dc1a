"""The app of MCP servers."""

from __future__ import annotations

from django.apps import AppConfig


class Connections(AppConfig):
    name = "workspace.connections"
