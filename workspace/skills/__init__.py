"""HOW THINGS ARE DONE: skills that people and teams uploaded, and which of all skills count in a project."""

from __future__ import annotations
