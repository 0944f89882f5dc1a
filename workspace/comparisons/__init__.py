"""HOW TOOLSETS COMPARE: the same prompt and project given to two sessions that differ only in how they work."""

from __future__ import annotations
