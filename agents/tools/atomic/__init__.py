"""The Atomic toolset: edits held against what was seen, a shell with terminals and jobs, and one `read` for everything."""

from __future__ import annotations
