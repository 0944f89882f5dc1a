"""WHAT IS REMEMBERED: memories of people, projects and teams."""

from __future__ import annotations
