"""The host: people, projects, the log, the doors. The Django project around the `agents` library."""

from __future__ import annotations
