"""Full-text search, the same in SQLite (FTS5) and PostgreSQL (tsvector)."""

from __future__ import annotations
