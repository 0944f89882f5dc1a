"""WHERE: projects, permission rules, sandboxes, the file tree, git."""

from __future__ import annotations
